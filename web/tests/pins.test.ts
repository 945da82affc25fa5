import { expect, test } from "vitest";
import { byNeed, inHand, needsAnswer, PINS_MAX, read, started, toggled } from "../src/screens/lobby/pins";

test("what a browser kept is read carefully", () => {
  expect(read('["a","b","a",3]')).toEqual(["a", "b"]);
  expect([read(null), read("{"), read('"a"')]).toEqual([[], [], []]);
  expect(read(JSON.stringify(["a", "b", "c", "d", "e"]))).toHaveLength(PINS_MAX);
});

test("a fifth table is not taken", () => {
  expect(toggled(["a", "b", "c"], "d")).toEqual(["a", "b", "c", "d"]);
  expect(toggled(["a", "b", "c", "d"], "e")).toEqual(["a", "b", "c", "d"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
});

test("with nothing pinned the tables of one's seats are", () => {
  expect(started([], ["tiger"])).toEqual(["tiger"]);
  expect(started(["a"], ["tiger"])).toEqual(["a"]);
});

const quiet = { option: null, withdrew: null, hands: [], hands_offered: [], shoe_offered: false, shaker_held: false };

test("a table needs an answer where a patron is asked something", () => {
  const option = { clause: null, stakes: [1], all_or_none: true };
  expect(needsAnswer(undefined)).toBe(false);
  expect(needsAnswer(quiet)).toBe(false);
  expect(needsAnswer({ ...quiet, option })).toBe(true);
  expect(needsAnswer({ ...quiet, option, withdrew: false })).toBe(false);
  expect(needsAnswer({ ...quiet, hands: ["player"] })).toBe(true);
  expect(needsAnswer({ ...quiet, shaker_held: true })).toBe(true);
});

test("tables that need an answer come first, the others keep their places", () => {
  expect(byNeed(["a", "b", "c", "d"], (name) => name === "c")).toEqual(["c", "a", "b", "d"]);
});

test("the table in hand is the one chosen while it is pinned", () => {
  expect([inHand(["a", "b"], "b"), inHand(["a", "b"], "x"), inHand([], "b")]).toEqual(["b", "a", null]);
});
