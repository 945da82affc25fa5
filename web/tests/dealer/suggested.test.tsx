import { readFileSync } from "node:fs";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test } from "vitest";
import { spoken } from "../../src/i18n/catalogues";
import { Suggested } from "../../src/screens/dealer/Suggested";
import { set } from "../../src/state/settings";

type Hold = Parameters<typeof Suggested>[0]["hold"];
const api = JSON.parse(readFileSync("../docs/asyncapi.json", "utf8")) as { components: { schemas: { Suggestion: { enum: NonNullable<Hold["suggested"]>[] } } } };
const box = document.createElement("div");
const shown = (hold: Hold): string => {
  act(() => render(<Suggested hold={hold} />, box));
  return box.innerHTML;
};

afterEach(() => set("language", "en"));

test("whatever is suggested has words in the language that is set", async () => {
  set("language", "zh-Hans");
  await spoken();
  const all = api.components.schemas.Suggestion.enum;
  expect(all).toHaveLength(7);
  for (const suggested of all) expect(shown({ suggestion: "as the house says it", suggested }), suggested).not.toMatch(/[A-Za-z]/);
});

test("a suggestion without a name is the house's own, and says so", () => {
  expect(shown({ suggestion: "do as you like", suggested: null })).toBe('<span lang="en">do as you like</span>');
});
