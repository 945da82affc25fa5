import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { house, type House } from "../src/app/session";
import { csvOf } from "../src/screens/reports/csv";
import { type ExceptionsReport, MOST, ofExceptions } from "../src/screens/reports/exceptions";
import { subject } from "../src/screens/reports/Reports";
import { fileOf } from "../src/screens/reports/sections";
import { ofShoes, type ShoesReport } from "../src/screens/reports/shoes";
import { set } from "../src/state/settings";

const PERIOD = {
  day: "2026-11-18", first_day: "2026-11-01", today: "2026-11-18", shift: null, shifts: ["day", "night"],
  begins: "2026-11-18T06:00:00Z", ends: "2026-11-19T06:00:00Z",
};
const exceptions = (change: Partial<ExceptionsReport>): ExceptionsReport => ({
  time: PERIOD.begins, period: PERIOD, counts: {}, lines: [], left_off: 0, exceptions_kept: true, ...change,
});
const fileOfExceptions = (report: ExceptionsReport): string => csvOf(fileOf(subject("exceptions", PERIOD, "tiger", "void"), ofExceptions(report, () => "")));

beforeEach(() => {
  set("language", "en");
  house.value = { name: "Harbour House", numbers: { tiger: 12 } as Record<string, number> } as House;
});
afterEach(() => void (house.value = null));

test("the file begins with the report, its house, its day and shift, and what was chosen", () => {
  const [first] = fileOfExceptions(exceptions({})).split("\r\n");
  expect(first).toMatch(/^Exceptions,Harbour House,".*2026, whole day, .*",[^,]+,Void$/);
  const night = subject("shift", { ...PERIOD, shift: "night" }, "", null);
  expect([night[0], night.at(-1)]).toEqual(["Shift", "All tables"]);
  expect(night[2]).toMatch(/night/i);
});

test("what is left off or forgotten stands in the file", () => {
  expect(fileOfExceptions(exceptions({}))).not.toMatch(/not shown|not remembered/);
  expect(fileOfExceptions(exceptions({ left_off: 7 }))).toContain("7 older ones not shown");
  const both = fileOfExceptions(exceptions({ left_off: 7, exceptions_kept: false }));
  expect(both).toMatch(/7 older ones not shown.*not remembered here/);
  const shoes = (kept: boolean): ShoesReport => ({ time: PERIOD.begins, period: PERIOD, shoes: [], shoes_kept: kept });
  expect(csvOf(fileOf([], ofShoes(shoes(true))))).not.toContain("not remembered");
  expect(csvOf(fileOf([], ofShoes(shoes(false))))).toContain("Older shoes of this time are not remembered here");
});

test("as many are asked for as the house gives", () => {
  const api = JSON.parse(readFileSync("../docs/openapi.json", "utf8")) as { paths: Record<string, { get: { parameters: { name: string; schema: { maximum?: number } }[] } }> };
  const limit = api.paths["/api/v1/reports/exceptions"]?.get.parameters.find(({ name }) => name === "limit");
  expect(limit?.schema.maximum).toBe(MOST);
});
