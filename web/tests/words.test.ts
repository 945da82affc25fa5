import { expect, test } from "vitest";
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

test("every screen has its English words", () => {
  expect(english.length).toBeGreaterThan(0);
});

for (const { file, words } of english) {
  const others = named.filter((one) => one.file === file && one.language !== "en");
  test(`${file} is complete in Chinese`, () => {
    const chinese = others.find(({ language }) => language === "zh-Hans");
    expect(Object.keys(chinese?.words ?? {}).sort()).toEqual(Object.keys(words).sort());
  });
  for (const other of others) {
    test(`${other.language}/${file} has no word that English has not, and the same placeholders`, () => {
      for (const [key, text] of Object.entries(other.words)) {
        expect(words, key).toHaveProperty([key]);
        expect(placeholders(text), key).toEqual(placeholders(words[key] ?? ""));
      }
    });
  }
}

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
