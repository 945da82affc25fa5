import { beforeEach, expect, test } from "vitest";
import type { TableView } from "../../src/api/types";
import { whyOf } from "../../src/screens/terminal/model/reasons";
import { askedWords, noHurry } from "../../src/screens/terminal/sheets/Withdraw";
import { set } from "../../src/state/settings";

beforeEach(() => set("language", "en"));

const hold = (more: object): TableView["hold"] =>
  ({ kind: "withdrawal", clause: null, sentence: "", since: 1, situation: "power_failure", moment: null, asked: 1, answered: 0, ...more }) as TableView["hold"];

test("a question says since when it is asked", () => {
  expect(askedWords("tiger", { round: 8, hold: hold({ moment: "2026-01-01T10:20:30Z" }) })).toMatch(/ · round 8 · asked at \d\d:20:30$/);
  expect(askedWords("tiger", { round: 8, hold: hold({}) })).toMatch(/ · round 8$/);
});

test("how many have answered is said where several are asked", () => {
  expect(noHurry(hold({ asked: 5, answered: 2 }))).toBe("There is no countdown. 2 of 5 patrons have answered.");
  expect(noHurry(hold({}))).toBe("There is no countdown.");
  expect(noHurry(null)).toBe("There is no countdown.");
});

test("beside a stake stands why it is open, or decided", () => {
  const hand = (side: string, faces: (string | null)[], points: number | null) => ({ side, points, cards: faces.map((face) => ({ face })) });
  const hands = [hand("player", ["QD", "5C"], 5), hand("banker", ["4D", null], 4)] as unknown as Parameters<typeof whyOf>[0];
  expect(whyOf(hands, "banker", true)).toEqual({ key: "undecidedHands", player: 5, banker: 4 });
  expect(whyOf(hands, "banker-pair", true)).toEqual({ key: "undecidedPair" });
  expect(whyOf(hands, "player-pair", false)).toEqual({ key: "decidedNoPair", a: "Q", b: "5" });
  expect(whyOf(hands, "tiger", true)).toEqual({ key: "undecided" });
  expect(whyOf([], "banker", true)).toEqual({ key: "undecided" });
  expect(whyOf([], "banker-pair", false)).toEqual({ key: "decided" });
  const ten = [hand("player", ["TD", "TC"], 0)] as unknown as Parameters<typeof whyOf>[0];
  expect(whyOf(ten, "player-pair", false)).toEqual({ key: "decidedPair", a: "10", b: "10" });
});
