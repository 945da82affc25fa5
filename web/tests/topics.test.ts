import { expect, test } from "vitest";
import { folded, type Change, type Snapshot } from "../src/api/topics";

const snapshot = (view: object, topic = "table:tiger"): Snapshot =>
  ({ type: "snapshot", topic, sequence: 7, time: "2026-11-16T18:00:01Z", view }) as unknown as Snapshot;
const change = (view: object, topic = "table:tiger"): Change =>
  ({ type: "change", topic, sequence: 9, time: "2026-11-16T18:00:02Z", events: [{ name: "bets_opened", facts: {} }], view }) as unknown as Change;

test("a change replaces the fields that it has, whole", () => {
  const before = folded<Record<string, unknown>>(null, snapshot({ phase: "IDLE", seats: [1, 2] }));
  const after = folded(before, change({ phase: "OPEN", seats: [2] }));
  expect(after?.view).toEqual({ phase: "OPEN", seats: [2] });
  expect([after?.sequence, after?.events.length]).toEqual([9, 1]);
  expect(before?.view).toEqual({ phase: "IDLE", seats: [1, 2] });
});

test("areas are merged one level deep, and null removes", () => {
  const before = folded<Record<string, unknown>>(null, snapshot({ areas: { "1/tie": { cents: 1 }, "2/tie": { cents: 2 } } }));
  const after = folded(before, change({ areas: { "1/tie": null, "3/tie": { cents: 3 } } }));
  expect(after?.view["areas"]).toEqual({ "2/tie": { cents: 2 }, "3/tie": { cents: 3 } });
});

test("only tables have areas: a table of that name in the lobby is replaced", () => {
  const before = folded<Record<string, unknown>>(null, snapshot({ areas: { phase: "IDLE", round: 1 } }, "tables"));
  const after = folded(before, change({ areas: { phase: "OPEN" } }, "tables"));
  expect(after?.view["areas"]).toEqual({ phase: "OPEN" });
});

test("a change without a snapshot shows nothing", () => {
  expect(folded(null, change({ phase: "OPEN" }))).toBeNull();
});

test("a snapshot forgets what was before", () => {
  const before = folded<Record<string, unknown>>(null, snapshot({ own: { seat: 1 } }));
  expect(folded(before, snapshot({ phase: "IDLE" }))?.view).toEqual({ phase: "IDLE" });
});
