import { expect, test } from "vitest";
import en from "../../src/i18n/en/terminal.json";
import zh from "../../src/i18n/zh-Hans/terminal.json";

const placeholders = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map((found) => found[1] ?? ""))].sort();

test("both languages have the same words with the same placeholders", () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  for (const [key, text] of Object.entries(en)) expect([key, ...placeholders(zh[key as keyof typeof zh])]).toEqual([key, ...placeholders(text)]);
});
