/**
 * Words of a screen. A catalogue is a JSON file for each language with the same keys and the same
 * placeholders; `{n, plural, one {...} other {...}}` as ICU writes it. English is part of the
 * screen; the others come when they are spoken.
 */
import { settings, type Language } from "../state/settings";
import { translation } from "./catalogues";

export type Values = Record<string, string | number>;

export const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*(?:\{\w+\}[^{}]*)*\} ?)+)\}/g;
export const FORM = /(\w+) \{([^{}]*(?:\{\w+\}[^{}]*)*)\}/g;

/** As ICU writes `#`: with thousands set apart. */
const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

function plural(language: Language, n: number, forms: string): string {
  const found = new Map(Array.from(forms.matchAll(FORM), (form) => [form[1], form[2] ?? ""]));
  const category = new Intl.PluralRules(language).select(n);
  return (found.get(category) ?? found.get("other") ?? "").replaceAll("#", figures.format(n));
}

const HAN = /\p{Script=Han}/u;

/** Chinese sets figures and foreign names apart by spaces, and never two of its own characters. */
function closed(text: string, values: Values): string {
  return text.replace(/( ?)\{(\w+)\}( ?)/g, (whole, before: string, name: string, behind: string, at: number) => {
    const value = values[name];
    if (value === undefined) return whole;
    const said = String(value);
    const left = HAN.test(text.charAt(at - 1)) && HAN.test(said.charAt(0)) ? "" : before;
    const right = HAN.test(text.charAt(at + whole.length)) && HAN.test(said.charAt(said.length - 1)) ? "" : behind;
    return `${left}${said}${right}`;
  });
}

export function filled(language: Language, text: string, values: Values): string {
  const counted = text.replace(PLURAL, (_, name: string, forms: string) => plural(language, Number(values[name]), forms));
  if (language === "zh-Hans") return closed(counted, values);
  return counted.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export type Say<K extends string> = (key: K, values?: Values) => string;

/** Make the function that says the words of a catalogue in the language that is set. */
export function words<K extends string>(name: string, en: Readonly<Record<K, string>>): Say<K> {
  const other = translation(name);
  return (key, values = {}) => {
    const { language } = settings.value;
    const text = other.value[key];
    return text === undefined ? filled("en", en[key], values) : filled(language, text, values);
  };
}
