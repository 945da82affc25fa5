/**
 * Words of a screen. A catalogue is a JSON file for each language with the same keys and the same
 * placeholders; `{n, plural, one {...} other {...}}` as ICU writes it. What Malay or Tamil do not
 * have yet is said in English.
 */
import { settings, type Language } from "../state/settings";

export type Values = Record<string, string | number>;
type Catalogue<K extends string> = Record<K, string>;

export const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*(?:\{\w+\}[^{}]*)*\} ?)+)\}/g;
export const FORM = /(\w+) \{([^{}]*(?:\{\w+\}[^{}]*)*)\}/g;

/** As ICU writes `#`: with thousands set apart. */
const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

function plural(language: Language, n: number, forms: string): string {
  const found = new Map(Array.from(forms.matchAll(FORM), (form) => [form[1], form[2] ?? ""]));
  const category = new Intl.PluralRules(language).select(n);
  return (found.get(category) ?? found.get("other") ?? "").replaceAll("#", figures.format(n));
}

export function filled(language: Language, text: string, values: Values): string {
  return text
    .replace(PLURAL, (_, name: string, forms: string) => plural(language, Number(values[name]), forms))
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export type Say<K extends string> = (key: K, values?: Values) => string;

/** Make the function that says the words of a catalogue in the language that is set. */
export function words<K extends string>(
  en: Catalogue<K>,
  zh: Catalogue<K>,
  ms: Partial<Catalogue<K>> = {},
  ta: Partial<Catalogue<K>> = {},
): Say<K> {
  const all: Record<Language, Partial<Catalogue<K>>> = { en, "zh-Hans": zh, ms, ta };
  return (key, values = {}) => {
    const { language } = settings.value;
    return filled(language, all[language][key] ?? en[key], values);
  };
}
