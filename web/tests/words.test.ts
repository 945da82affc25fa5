import { expect, test } from "vitest";
import untranslated from "./untranslated.json";
import { filled, FORM, PLURAL } from "../src/i18n/words";
import { centsOf, dollars, money, range, signed } from "../src/i18n/money";

const catalogues = import.meta.glob<Record<string, string>>("../src/i18n/*/*.json", { eager: true, import: "default" });
const named = Object.entries(catalogues).map(([path, words]) => {
  const [language = "", file = ""] = path.split("/").slice(-2);
  return { language, file, words };
});
const english = named.filter(({ language }) => language === "en");

const inner = (text: string): string[] => Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? "");

/** Placeholders of a text, and the names that its plurals count; not the words of their forms. */
function placeholders(text: string): string[] {
  const names: string[] = [];
  const rest = text.replace(PLURAL, (_, name: string, forms: string) => {
    names.push(name, ...Array.from(forms.matchAll(FORM), (form) => inner(form[2] ?? "")).flat());
    return "";
  });
  return [...new Set([...names, ...inner(rest)])].sort();
}

/** What a language does not have yet, by catalogue; English stands in. It may only shrink. */
const MISSING: Record<string, readonly string[]> = untranslated;

/** Names that the house says in English: every other language has the same of them. */
const REFERENCE = "zh-Hans";
const files = [...new Set(named.map(({ file }) => file))];
const reference = (file: string): Record<string, string> => {
  const found = english.find((one) => one.file === file) ?? named.find((one) => one.file === file && one.language === REFERENCE);
  return found?.words ?? {};
};

test("there are catalogues in four languages", () => {
  expect(files.length).toBeGreaterThan(10);
  expect([...new Set(named.map(({ language }) => language))].sort()).toEqual(["en", "ms", "ta", "zh-Hans"]);
});

for (const language of ["zh-Hans", "ms", "ta"]) {
  for (const file of files) {
    const words = named.find((one) => one.file === file && one.language === language)?.words ?? {};
    const wanted = reference(file);
    test(`${language}/${file} is complete`, () => {
      const missing = Object.keys(wanted).filter((key) => !(key in words));
      expect(missing.sort()).toEqual([...(MISSING[`${language}/${file}`] ?? [])].sort());
      expect(Object.keys(words).filter((key) => !(key in wanted))).toEqual([]);
    });
    test(`${language}/${file} has the same placeholders and the plurals of its language`, () => {
      for (const [key, text] of Object.entries(words)) {
        expect(placeholders(text), key).toEqual(placeholders(wanted[key] ?? ""));
        for (const [, , forms] of text.matchAll(PLURAL)) {
          const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
          const used = Array.from((forms ?? "").matchAll(FORM), (form) => form[1]);
          expect(used, key).toContain("other");
          expect(used.filter((one) => !known.includes(one as Intl.LDMLPluralRule)), key).toEqual([]);
        }
      }
    });
  }
}

test("no text is empty where English has one", () => {
  for (const { file, language, words } of named) {
    for (const [key, text] of Object.entries(words)) expect(text === "" && reference(file)[key] !== "", `${language}/${file} ${key}`).toBe(false);
  }
});

test("plurals are chosen by the language", () => {
  const text = "{n, plural, one {# round} other {# rounds}} at {table}";
  expect(filled("en", text, { n: 1, table: "tiger" })).toBe("1 round at tiger");
  expect(filled("en", text, { n: 2, table: "tiger" })).toBe("2 rounds at tiger");
  expect(filled("zh-Hans", "{n, plural, other {# 局}}", { n: 1 })).toBe("1 局");
});

test("money is written from cents", () => {
  expect([money(183050), money(-2500), signed(62500), signed(0)]).toEqual(["1,830.50", "−25.00", "+625.00", "0.00"]);
  expect([dollars(100000), dollars(1250), range(2500, 1000000)]).toEqual(["1,000", "12.50", "25–10,000"]);
});

test("amounts are read as people type them, and nothing else is one", () => {
  expect([centsOf("25"), centsOf("12.5"), centsOf("1,000.05"), centsOf(" 3 ")]).toEqual([2500, 1250, 100005, 300]);
  expect([centsOf(""), centsOf("-1"), centsOf("1e3"), centsOf("1.234"), centsOf("x")]).toEqual([null, null, null, null, null]);
});

test("Chinese sets figures and foreign names apart, and never two of its own characters", () => {
  const said = (who: string) => filled("zh-Hans", "等待 {who} 确认", { who });
  expect(["赌区主管", "ann", "3 号位"].map(said)).toEqual(["等待赌区主管确认", "等待 ann 确认", "等待 3 号位确认"]);
  expect(filled("zh-Hans", "由 {who}，{n} 次", { who: "荷官", n: 2 })).toBe("由荷官，2 次");
  expect(filled("en", "by {who} now", { who: "荷官" })).toBe("by 荷官 now");
});
