import { beforeEach, expect, test } from "vitest";
import type { ResultShown } from "../../src/api/types";
import { drawRoads } from "../../src/draw/roads";
import { besideOf, columnsOf, resultOf } from "../../src/screens/terminal/sheets/Roads";
import { set } from "../../src/state/settings";

beforeEach(() => set("language", "en"));

const RESULT: ResultShown = { round: 1, cards: [], player: 8, banker: 5, winner: "player", player_pair: false, banker_pair: false, natural: false, die: null, power: false, void: false };

test("the whole road is drawn, however long, and a short one fills its place", () => {
  const long = Array.from({ length: 60 }, (_, i) => ({ winner: i % 2 === 0 ? ("banker" as const) : ("player" as const) }));
  expect(columnsOf(drawRoads(long), "big")).toBe(62);
  expect(columnsOf(drawRoads(long), "bead")).toBe(14);
  expect(columnsOf(drawRoads([]), "big")).toBe(17);
});

test("rounds are told in words, void ones too", () => {
  expect(resultOf(RESULT)).toBe("Player 8 over 5");
  expect(resultOf({ ...RESULT, winner: null, void: true })).toBe("Round void");
  expect(besideOf({ ...RESULT, natural: true, banker_pair: true })).toBe("Natural, B pair");
  expect(besideOf(RESULT)).toBe("");
});
