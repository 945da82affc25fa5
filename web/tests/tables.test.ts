import { expect, test } from "vitest";
import type { TableSummary, Wallet } from "../src/api/types";
import { house, type House } from "../src/app/session";
import { resultWords, sourceWords, tableWords } from "../src/i18n/tables";
import { byNumber, EVERYTHING, figuresOf, fitting, inOrderOfTables, minima, ordered, seatAt, Spans, stateOf, tableMark } from "../src/state/tables";
import { nearest } from "../src/screens/lobby/nearest";

const table = (name: string, more: Partial<TableSummary> = {}): TableSummary => ({
  name, number: null, game: name, title: name, rulebook: "EB4", kind: "electronic", room: "Main floor", method: null, dealt_by: "system",
  phase: "OPEN", calls: "Bets are open", hold: null, sequence: 1, round: 1, seats: { taken: 1, positions: 20 },
  limits: { minimum_cents: 1000, maximum_cents: 50000 }, last: null, winners: [], closes_at: null, table_closes: null, ...more,
});

test("the state of a table: a hold before all, last bets from five seconds", () => {
  expect(stateOf({ phase: "OPEN", hold: null }, 14)).toBe("open");
  expect(stateOf({ phase: "OPEN", hold: null }, 5)).toBe("last");
  expect(stateOf({ phase: "OPEN", hold: null }, null)).toBe("open");
  expect(stateOf({ phase: "DEALING", hold: "report" }, null)).toBe("held");
  expect(stateOf({ phase: "UNOPENED", hold: null }, null)).toBe("closed");
  expect(stateOf({ phase: "VOID", hold: null }, null)).toBe("void");
});

test("a table is marked by its number, or by its rulebook", () => {
  house.value = { numbers: { tiger: 8, "super-6": 131 } } as unknown as House;
  expect([tableMark(table("x", { number: 31 })), tableMark(table("tiger")), tableMark(table("super-6")), tableMark(table("y"))]).toEqual(["31", "08", "131", "EB4"]);
  expect([tableWords("tiger"), tableWords("y")]).toEqual(["Table 08", "y"]);
  house.value = null;
  expect(tableMark(table("x", { rulebook: null }))).toBe("–");
});

test("lists have tables by number, those without one behind", () => {
  house.value = { numbers: { baccarat: 2, tiger: 11, "super-6": 101 } } as unknown as House;
  const rows = ["x", "super-6", "a", "tiger", "baccarat"].map((name) => ({ at: name }));
  expect(inOrderOfTables(rows, ({ at }) => at).map(({ at }) => at)).toEqual(["baccarat", "tiger", "super-6", "a", "x"]);
  expect([table("tiger"), table("z", { number: 3 })].sort(byNumber).map(({ name }) => name)).toEqual(["z", "tiger"]);
  house.value = null;
});

test("filters go together", () => {
  const live = table("baccarat", { kind: "live", limits: { minimum_cents: 10000, maximum_cents: 9 }, seats: { taken: 7, positions: 7 } });
  const closed = table("tiger", { phase: "UNOPENED" });
  const all = [live, table("super-6"), closed];
  const names = (filter: Partial<typeof EVERYTHING>) => fitting(all, { ...EVERYTHING, ...filter }).map(({ name }) => name);
  expect(names({})).toEqual(["baccarat", "super-6", "tiger"]);
  expect(names({ kind: "live" })).toEqual(["baccarat"]);
  expect(names({ from: 1000 })).toEqual(["super-6", "tiger"]);
  expect(names({ free: true })).toEqual(["super-6"]);
  expect(names({ kind: "live", free: true })).toEqual([]);
  expect(minima(all)).toEqual([1000, 10000]);
  expect(minima([closed])).toEqual([]);
});

test("closed tables come last", () => {
  const tables = { a: table("a", { phase: "UNOPENED" }), b: table("b"), c: table("c") };
  expect(ordered(tables).map(({ name }) => name)).toEqual(["b", "c", "a"]);
});

test("what somebody has is the wallet, what is on its way and what lies at tables", () => {
  const seat = { table: "tiger", position: 3, credit_cents: 500, in_play_cents: 200, reserved_cents: 0 };
  const wallet: Wallet = { cents: 1000, in_transit_cents: 50, seats: [seat] };
  expect(figuresOf(wallet)).toEqual({ balance: 1550, inPlay: 200 });
  expect(figuresOf(null)).toBeNull();
  expect([seatAt(wallet, "tiger"), seatAt(wallet, "super-6"), seatAt(null, "tiger")]).toEqual([3, null, null]);
});

test("a ring is as long as the most that was seen of its round", () => {
  const spans = new Spans();
  expect(spans.of("tiger", "10:00", 14)).toBe(14);
  expect(spans.of("tiger", "10:00", 9)).toBe(14);
  expect(spans.of("tiger", "10:30", 20)).toBe(20);
  expect(spans.of("tiger", null, null)).toBe(0);
});

test("sources and results in words", () => {
  expect(sourceWords({ kind: "live", method: "A", dealt_by: "house" })).toBe("Live · Method A · dealt by the house");
  expect(sourceWords({ kind: "electronic", method: null, dealt_by: "system" })).toBe("Electronic");
  expect(resultWords({ winner: "player", player: 7, banker: 4, natural: false })).toBe("Player 7 over 4");
  expect(resultWords({ winner: "banker", player: 4, banker: 9, natural: true })).toBe("Banker 9, natural");
  expect(resultWords({ winner: "tie", player: 6, banker: 6, natural: false })).toBe("Tie on 6");
});

test("arrows find the next tile by its place", () => {
  const at = (left: number, top: number) => ({ left, top, width: 10, height: 10 });
  const grid = [at(0, 0), at(20, 0), at(40, 0), at(0, 20), at(20, 20)];
  expect(nearest(grid, 0, "right")).toBe(1);
  expect(nearest(grid, 1, "down")).toBe(4);
  expect(nearest(grid, 3, "up")).toBe(0);
  expect(nearest(grid, 2, "right")).toBeNull();
});
