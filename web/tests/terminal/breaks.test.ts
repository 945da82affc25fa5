import { expect, test } from "vitest";
import { endOf, EXCLUSIONS, offeredBreaks } from "../../src/screens/terminal/model/breaks";
import type { Barred } from "../../src/screens/terminal/model/left";

const at = (time: string): number => Date.parse(time);
const ends = (now: string): (string | null)[] => EXCLUSIONS.map((one) => endOf(one, at(now))?.slice(0, 16) ?? null);
const barred = (until: string | null, code: Barred["code"] = "excluded"): Barred => ({ code, sentence: "", since: "2026-11-18T13:30:00Z", until });

test("an exclusion ends after hours, days or months of the calendar, or never", () => {
  expect(ends("2026-11-18T13:30:00Z")).toEqual(["2026-11-19T13:30", "2026-11-25T13:30", "2026-12-18T13:30", "2027-05-18T13:30", null]);
});

test("a month that is too short ends with its last day", () => {
  expect([ends("2027-01-31T08:00:00Z")[2], ends("2027-08-31T08:00:00Z")[3], ends("2028-01-30T08:00:00Z")[2]]).toEqual(["2027-02-28T08:00", "2028-02-29T08:00", "2028-02-29T08:00"]);
  expect(ends("2026-12-31T08:00:00Z").slice(2, 4)).toEqual(["2027-01-31T08:00", "2027-06-30T08:00"]);
});

test("everything is offered to whoever is not excluded", () => {
  const now = at("2026-11-18T13:30:00Z");
  const all = ["leave", "day", "week", "month", "half", "open"];
  for (const one of [null, barred("2026-11-18T22:00:00Z", "own_time_limit")]) expect(offeredBreaks(now, one)).toEqual(all);
});

test("an exclusion that holds is only made longer", () => {
  const now = at("2026-11-18T13:30:00Z");
  expect(offeredBreaks(now, barred("2026-11-25T13:29:00Z"))).toEqual(["leave", "week", "month", "half", "open"]);
  expect(offeredBreaks(now, barred("2026-11-25T13:30:00Z"))).toEqual(["leave", "month", "half", "open"]);
  expect(offeredBreaks(now, barred("2028-01-01T00:00:00Z"))).toEqual(["leave", "open"]);
  expect(offeredBreaks(now, barred(null))).toEqual(["leave"]);
});
