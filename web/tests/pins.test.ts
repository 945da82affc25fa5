import { expect, test } from "vitest";
import type { Open, OwnPart } from "../src/api/types";
import { askedOf, NOBODY } from "../src/screens/terminal/model/asked";
import { byNeed, inHand, PINS_MAX, read, started, toggled } from "../src/screens/lobby/pins";

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

const lower: Open = { command: "lower_wager", fields: [] };

test("a table needs an answer where a patron is asked something", () => {
  const option = { clause: null, stakes: [1], all_or_none: true };
  const asked = (own: Partial<OwnPart> | undefined, kind?: "balance" | "report") =>
    askedOf({ hold: kind === undefined ? null : { kind, clause: null, sentence: "", since: 1, situation: null, moment: null, asked: 0, answered: 0 }, ...(own === undefined ? {} : { own: { ...NOBODY, ...own } }) });
  expect(asked(undefined)).toBeNull();
  expect(asked({})).toBeNull();
  expect(asked({ option })).toBe("option");
  expect(asked({ option, withdrew: false })).toBeNull();
  expect(asked({ hands: ["player"] })).toBe("hand");
  expect(asked({ shaker_held: true })).toBe("shaker");
  expect(asked({ shoe_held: true, may: [{ command: "draw_card" }] })).toBe("shoe");
  const stakes = [{ number: 1, wager: "player", cents: 100_00 }] as OwnPart["stakes"];
  expect(asked({ stakes, may: [lower] }, "balance")).toBe("balance");
  expect(asked({ stakes, may: [lower] }, "report")).toBeNull();
  expect(asked({ stakes, may: [] }, "balance")).toBeNull();
});

test("tables that need an answer come first, the others keep their places", () => {
  expect(byNeed(["a", "b", "c", "d"], (name) => name === "c")).toEqual(["c", "a", "b", "d"]);
});

test("the table in hand is the one chosen while it is pinned", () => {
  expect([inHand(["a", "b"], "b"), inHand(["a", "b"], "x"), inHand([], "b")]).toEqual(["b", "a", null]);
});
