import { expect, test } from "vitest";
import { nextRegion } from "../../src/screens/dealer/regions";

test("F6 goes from region to region and round again, with Shift back", () => {
  document.body.innerHTML = "<header><button></button></header><main></main><footer></footer>";
  const regions = [...document.body.children];
  const [header, main, footer] = regions;
  expect(nextRegion(regions, null, false)).toBe(header);
  expect(nextRegion(regions, document.querySelector("button"), false)).toBe(main);
  expect(nextRegion(regions, footer ?? null, false)).toBe(header);
  expect(nextRegion(regions, document.querySelector("button"), true)).toBe(footer);
});
