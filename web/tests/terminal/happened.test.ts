import { describe, expect, test } from "vitest";
import type { OwnRound } from "../../src/api/types";
import { correctedOf, happenedIn, toTell, whatOf, type Happened, type Read } from "../../src/screens/terminal/model/happened";
import { line } from "./make";

type Round = OwnRound & { table: string };

const finished = (round: number, more: Partial<Round> = {}): Round => ({
  table: "tiger",
  round,
  dealt_by: "system",
  shoe: "1",
  opened: "2026-01-01T04:00:00Z",
  closed: null,
  settled: null,
  cards: ["5S", "QD"],
  die: null,
  power: false,
  player: null,
  banker: null,
  winner: null,
  void: null,
  interruptions: [],
  stakes: [{ stake: 1, wager: "tie", position: 1, cents: 25_00, shared: false }],
  lines: [],
  corrected: [],
  balance: null,
  withdrawn_cents: 0,
  ...more,
});
const reading = (of: Happened | null): Read => ({ round: of?.round ?? 0, what: of === null ? "" : whatOf(of) });
const VOID = { clause: "EB4 5.1.1", why: "a card was missing" };

describe("a round that is void", () => {
  test("is told with every stake, why, the clause, the cards and the die", () => {
    const told = happenedIn(finished(7, { void: VOID, die: 3 }));
    expect(told).toMatchObject({ kind: "void", round: 7, why: VOID.why, clause: VOID.clause, cards: ["5S", "QD"], die: 3, reversed: false });
    expect(told?.rows).toEqual([{ stake: 1, wager: "tie", before: 0, cents: 25_00 }]);
  });
  test("that had been paid says so", () => {
    expect(happenedIn(finished(7, { void: VOID, corrected: [line("tie", "wins", 25_00, 200_00)] }))?.reversed).toBe(true);
  });
  test("is not told to whoever had no stake in it", () => {
    expect(happenedIn(finished(7, { void: VOID, stakes: [] }))).toBeNull();
  });
});

describe("a settlement that was put right", () => {
  const before = line("banker", "loses", 100_00, -100_00);
  test("is told with the old and the new amount, and who decided", () => {
    const lines = [line("banker", "wins", 100_00, 95_00, { corrected: "BAC8 6.1" })];
    expect(correctedOf("tiger", 7, { lines, corrected: [before] })).toMatchObject({ kind: "corrected", clause: "BAC8 6.1", decided: true, rows: [{ wager: "banker", before: -100_00, cents: 95_00 }] });
  });
  test("counts from the last pay list that was taken back", () => {
    const lines = [line("banker", "wins", 100_00, 95_00)];
    const told = correctedOf("tiger", 7, { lines, corrected: [line("banker", "pushes", 100_00, 0), before] });
    expect(told).toMatchObject({ decided: false, clause: null, rows: [{ before: -100_00, cents: 95_00 }] });
  });
  test("says nothing where nothing changed for this patron", () => {
    expect(correctedOf("tiger", 7, { lines: [before], corrected: [before] })).toBeNull();
    expect(happenedIn(finished(7, { lines: [before] }))).toBeNull();
  });
});

describe("what is still to be told", () => {
  const void7 = finished(7, { void: VOID });
  test("is of the newest own round at the table, until it was read", () => {
    expect(toTell([finished(9, { table: "baccarat" }), void7], "tiger", null)?.round).toBe(7);
    expect(toTell([void7], "tiger", reading(happenedIn(void7)))).toBeNull();
    expect(toTell([void7], "tiger", { round: 8, what: "" })).toBeNull();
    expect(toTell([finished(8), void7], "tiger", null)).toBeNull();
    expect(toTell(null, "tiger", null)).toBeNull();
  });
  test("is also what came after the same round was read: put right once more, by another clause, or void", () => {
    const before = line("banker", "loses", 100_00, -100_00);
    const right = (won: number, clause = "") => finished(7, { lines: [line("banker", "wins", 100_00, won, { corrected: clause })], corrected: [before] });
    const read = reading(happenedIn(right(95_00)));
    expect(toTell([right(95_00)], "tiger", read)).toBeNull();
    expect(toTell([right(50_00)], "tiger", read)?.rows).toMatchObject([{ cents: 50_00 }]);
    expect(toTell([right(95_00, "BAC8 6.1")], "tiger", read)?.clause).toBe("BAC8 6.1");
    expect(toTell([void7], "tiger", read)?.kind).toBe("void");
  });
});
