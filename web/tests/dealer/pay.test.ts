import { expect, test } from "vitest";
import type { PatronLine } from "../../src/api/types";
import { nextOf, payRows, paySums, type Tick, ticked, unticked } from "../../src/screens/dealer/pay";

function line(stake: number, patron: string, cents: number, won: number, commission: number | null = null): PatronLine {
  return {
    stake, patron, cents, wager: "banker", settled_cents: cents, result: won < 0 ? "loses" : won > 0 ? "wins" : "pushes", row: null,
    pays: null, clause: null, won_cents: won, commission_cents: commission, breach: null, breach_clause: null, corrected: null,
  };
}

const lines = [line(1, "amy", 120_000, 114_000, 6_000), line(2, "bo", 5_000, -5_000), line(3, "cy", 20_000, 0), line(4, "amy", 10_000, -10_000)];
const patrons = [{ patron: "amy", position: 6 }, { patron: "bo", position: 3 }, { patron: "cy", position: 1 }];

/** The ticks of whoever did the first rows of the list. */
const first = (done: number): readonly Tick[] =>
  payRows(lines, [], patrons, []).slice(0, done).reduce<Tick[]>((ticks, row) => ticked(ticks, row.line), []);

test("losing wagers are taken first, in the order of seats; then pays; then what is handed back", () => {
  const rows = payRows(lines, [], patrons, []);
  expect(rows.map(({ line: { stake }, doing, seat }) => [stake, doing, seat])).toEqual([
    [2, "take", 3],
    [4, "take", 6],
    [1, "pay", 6],
    [3, "back", 1],
  ]);
  expect(rows.map(({ cents }) => cents)).toEqual([5_000, 10_000, 114_000, 20_000]);
});

test("one row is now, those before it are done", () => {
  expect(payRows(lines, [], patrons, first(2)).map(({ state }) => state)).toEqual(["done", "done", "now", "later"]);
  expect(payRows(lines, [], patrons, first(4)).map(({ state }) => state)).toEqual(["done", "done", "done", "done"]);
});

test("a stake that still lies there says where", () => {
  const stakes = [{ number: 2, position: 7, wager: "banker", cents: 5_000, shared: false, found: false, shares: [] }];
  expect(payRows(lines, stakes, patrons, [])[0]?.seat).toBe(6);
  expect(payRows(lines, stakes, patrons, []).find(({ line: { stake } }) => stake === 2)?.seat).toBe(7);
});

test("where several patrons have rows of one seat, each row says whose it is", () => {
  const together = patrons.map((one) => (one.patron === "bo" ? { ...one, position: 6 } : one));
  const shared = payRows(lines, [], together, []).filter((row) => row.shared);
  expect(shared.map(({ line: { patron } }) => patron).sort()).toEqual(["amy", "amy", "bo"]);
  expect(payRows(lines, [], patrons, []).some((row) => row.shared)).toBe(false);
});

test("what the house takes, pays and keeps", () => {
  expect(paySums(lines)).toEqual({ taken: 15_000, paid: 114_000, commission: 6_000 });
});

test("the prompt names what is next, and says when all losing wagers are taken", () => {
  const at = (done: number) => nextOf(payRows(lines, [], patrons, first(done)));
  expect([at(0).row?.line.stake, at(0).taken]).toEqual([2, false]);
  expect([at(2).row?.line.stake, at(2).taken]).toEqual([1, true]);
  expect(at(4)).toEqual({ row: null, taken: true });
  expect(nextOf([])).toEqual({ row: null, taken: false });
});

const states = (some: readonly PatronLine[], ticks: readonly Tick[]) =>
  Object.fromEntries(payRows(some, [], [], ticks).map((row) => [row.line.stake, row.state]));
const lost = line(1, "amy", 10_000, -10_000);
const won = line(1, "amy", 10_000, 9_500);
const settled = [lost, line(2, "bo", 10_000, 9_500)];

test("another settlement with as many rows has none of them done", () => {
  const ticks = ticked([], lost);
  expect(states(settled, ticks)).toEqual({ 1: "done", 2: "now" });
  expect(states([won, line(2, "bo", 10_000, -10_000)], ticks)).toEqual({ 1: "later", 2: "now" });
});

test("a tick stays with its stake where rows change places", () => {
  expect(states([line(0, "cy", 10_000, -10_000), ...settled], ticked([], lost))).toEqual({ 0: "now", 1: "done", 2: "later" });
});

test("what went over the layout last for a stake counts, where a list was put right and back", () => {
  expect(states(settled, ticked(ticked([], lost), won))).toEqual({ 1: "now", 2: "later" });
});

test("the last tick that is seen is taken back, none of a list before", () => {
  const before = line(2, "bo", 10_000, -10_000);
  const ticks = ticked(ticked([], lost), before);
  expect(states(settled, unticked(ticks, settled))).toEqual({ 1: "now", 2: "later" });
  expect(unticked(ticked([], before), settled)).toHaveLength(1);
});
