import { expect, test } from "vitest";
import { excess, nearest } from "../../src/screens/terminal/model/nearer";

const lower = {
  command: "lower_wager",
  fields: [{ name: "stake", kind: "choice", required: true }, { name: "cents", kind: "cents", required: true }],
  ways: [[{ stake: [2], cents: { minimum: 100, maximum: 29_000, step: 100 } }, { stake: [2], cents: { minimum: 30_000, maximum: 30_000, step: 1 } }]],
} as never;

test("a stake is lowered by just enough, in its steps", () => {
  expect(excess({ differential: { cents: 250_00, limit_cents: 100_00 } } as never)).toBe(150_00);
  expect(excess({ differential: null } as never)).toBe(0);
  expect(nearest(lower, 2, 150_00)).toBe(150_00);
  expect(nearest(lower, 2, 150_01)).toBe(151_00);
  expect(nearest(lower, 2, 900_00)).toBe(300_00);
  expect(nearest(lower, 7, 150_00)).toBeNull();
  expect(nearest(undefined, 2, 150_00)).toBeNull();
});
