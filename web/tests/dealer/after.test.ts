import { expect, test } from "vitest";
import { afterOf, type Waited } from "../../src/screens/dealer/after";

const waiting = (kind: string): Waited =>
  ({ seen: { round: 4, phase: "DEALING", hold: { kind } }, hold: { kind, situation: "power_failure", clause: "BAC8 5.17.2", report: { moment: "2026-01-01T00:00:00Z" } } }) as never;
const playing = (round = 4, phase = "DEALING"): Waited => ({ seen: { round, phase, hold: null }, hold: null }) as never;

test("a round that goes on after a report says so, until it is over", () => {
  expect(afterOf(null, playing(), [], null)).toBeNull();
  expect(afterOf(playing(), waiting("report"), [], null)).toBeNull();
  const note = afterOf(waiting("report"), playing(), [{ name: "hold_lifted" }] as never, null);
  expect(note).toMatchObject({ situation: "power_failure", clause: "BAC8 5.17.2", dismissed: false });
  expect(afterOf(playing(), playing(), [], note)).toBe(note);
  expect(afterOf(playing(), playing(5, "OPEN"), [], note)).toBeNull();
  expect(afterOf(waiting("report"), playing(4, "VOID"), [], null)).toBeNull();
});

test("a report that was dismissed is told apart", () => {
  expect(afterOf(waiting("report"), playing(), [{ name: "report_dismissed" }] as never, null)?.dismissed).toBe(true);
});

test("a report for which nothing waits is acknowledged, until the round is over", () => {
  const reported = [{ name: "irregularity_reported", facts: { situation: "face_up_card", clause: "BAC8 5.6" } }] as never;
  const note = afterOf(playing(), playing(), reported, null);
  expect(note).toMatchObject({ situation: "face_up_card", clause: "BAC8 5.6", dismissed: false });
  expect(afterOf(playing(), playing(), [], note)).toBe(note);
  expect(afterOf(playing(), waiting("report"), reported, null)).toBeNull();
});
