import { expect, test } from "vitest";
import en from "../../src/i18n/en/dealer.json";
import zh from "../../src/i18n/zh-Hans/dealer.json";

const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)/g)].map((hole) => hole[1] ?? "").sort();

test("both languages have the same keys and the same placeholders", () => {
  expect(Object.keys(zh)).toEqual(Object.keys(en));
  for (const [key, text] of Object.entries(en)) {
    const names = new Set(holes(text).filter((name) => name !== "One" && name !== "one"));
    const other = new Set(holes((zh as Record<string, string>)[key] ?? ""));
    for (const name of other) expect(names, key).toContain(name);
  }
});
