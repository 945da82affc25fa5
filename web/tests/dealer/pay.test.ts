import { expect, test } from "vitest";
import type { PatronLine } from "../../src/api/types";
import { payRows, nextOf, paySums } from "../../src/screens/dealer/pay";

function line(stake: number, patron: string, cents: number, won: number, commission: number | null = null): PatronLine {
  return {
    stake, patron, cents, wager: "banker", settled_cents: cents, result: won < 0 ? "loses" : won > 0 ? "wins" : "pushes", row: null,
    pays: null, clause: null, won_cents: won, commission_cents: commission, breach: null, breach_clause: null, corrected: null,
  };
}

const lines = [line(1, "amy", 120_000, 114_000, 6_000), line(2, "bo", 5_000, -5_000), line(3, "cy", 20_000, 0), line(4, "amy", 10_000, -10_000)];
const patrons = [{ patron: "amy", position: 6 }, { patron: "bo", position: 3 }, { patron: "cy", position: 1 }];

test("losing wagers are taken first, in the order of seats; then pays; then what is handed back", () => {
  const rows = payRows(lines, [], patrons, 0);
  expect(rows.map(({ line: { stake }, doing, seat }) => [stake, doing, seat])).toEqual([
    [2, "take", 3],
    [4, "take", 6],
    [1, "pay", 6],
    [3, "back", 1],
  ]);
  expect(rows.map(({ cents }) => cents)).toEqual([5_000, 10_000, 114_000, 20_000]);
});

test("one row is now, those before it are done", () => {
  expect(payRows(lines, [], patrons, 2).map(({ state }) => state)).toEqual(["done", "done", "now", "later"]);
  expect(payRows(lines, [], patrons, 4).map(({ state }) => state)).toEqual(["done", "done", "done", "done"]);
});

test("a stake that still lies there says where", () => {
  const stakes = [{ number: 2, position: 7, wager: "banker", cents: 5_000, shared: false, found: false, shares: [] }];
  expect(payRows(lines, stakes, patrons, 0)[0]?.seat).toBe(6);
  expect(payRows(lines, stakes, patrons, 0).find(({ line: { stake } }) => stake === 2)?.seat).toBe(7);
});

test("where several patrons have rows of one seat, each row says whose it is", () => {
  const together = patrons.map((one) => (one.patron === "bo" ? { ...one, position: 6 } : one));
  const shared = payRows(lines, [], together, 0).filter((row) => row.shared);
  expect(shared.map(({ line: { patron } }) => patron).sort()).toEqual(["amy", "amy", "bo"]);
  expect(payRows(lines, [], patrons, 0).some((row) => row.shared)).toBe(false);
});

test("what the house takes, pays and keeps", () => {
  expect(paySums(lines)).toEqual({ taken: 15_000, paid: 114_000, commission: 6_000 });
});

test("the prompt names what is next, and says when all losing wagers are taken", () => {
  const at = (done: number) => nextOf(payRows(lines, [], patrons, done));
  expect([at(0).row?.line.stake, at(0).taken]).toEqual([2, false]);
  expect([at(2).row?.line.stake, at(2).taken]).toEqual([1, true]);
  expect(at(4)).toEqual({ row: null, taken: true });
  expect(nextOf([])).toEqual({ row: null, taken: false });
});
