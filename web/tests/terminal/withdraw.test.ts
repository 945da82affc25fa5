import { beforeEach, expect, test } from "vitest";
import type { TableView } from "../../src/api/types";
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
