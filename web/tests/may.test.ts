import { expect, test } from "vitest";
import type { Open } from "../src/api/types";
import { amounts, opening, possible, values, within } from "../src/state/may";

const place: Open = {
  command: "place_wager",
  fields: [
    { name: "wager", kind: "choice", required: true },
    { name: "cents", kind: "cents", required: true },
    { name: "join", kind: "choice" },
  ],
  ways: [
    [
      { wager: ["banker", "tie"], join: [null], cents: { minimum: 5000, maximum: 70000, step: 5000 } },
      { wager: ["player"], join: [null, 1], cents: { minimum: 1000, maximum: 20000, step: 1000 } },
    ],
  ],
};

test("values are those of the ways that fit what was chosen", () => {
  expect(values(place, "wager")).toEqual(["banker", "tie", "player"]);
  expect(values(place, "wager", { join: 1 })).toEqual(["player"]);
});

test("amounts are those of the ways that fit, and go in steps from the minimum", () => {
  expect(amounts(place, "cents", { wager: "tie" })).toEqual({ minimum: 5000, maximum: 70000, step: 5000 });
  expect(within({ minimum: 1500, maximum: 3500, step: 1000 }, 2500)).toBe(true);
  expect(within({ minimum: 1500, maximum: 3500, step: 1000 }, 2000)).toBe(false);
});

test("what goes together is possible, and nothing else", () => {
  expect(possible(place, { wager: "player", cents: 1000 })).toBe(true);
  expect(possible(place, { wager: "banker", cents: 1000 })).toBe(false);
  expect(possible(undefined, {})).toBe(false);
});

test("a field's own values hold by themselves", () => {
  const lower: Open = { command: "lower_wager", fields: [{ name: "stake", kind: "choice", required: true, allowed: [1, 2] }] };
  expect(values(lower, "stake")).toEqual([1, 2]);
  expect(possible(lower, { stake: 3 })).toBe(false);
});

test("a command that is not listed is not open", () => {
  expect(opening([place], "withdraw")).toBeUndefined();
});
