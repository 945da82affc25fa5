import { expect, test } from "vitest";
import { heldSteps } from "../../src/screens/dealer/heldsteps";

type Hold = Parameters<typeof heldSteps>[0];
const at = "2026-11-18T01:00:00Z";
const ruling: Hold["ruling"] = ["reset_device", "offer_all"];
const waits: Hold = { kind: "report", steps: ruling, ruling, confirms: "Pit Supervisor", confirmed: null };

test("a report that waits is confirmed first: all else comes later", () => {
  expect(heldSteps(waits)).toEqual({
    confirming: { position: "Pit Supervisor", done: null },
    steps: [{ step: "reset_device", state: "later" }, { step: "offer_all", state: "later" }],
  });
});

test("a console that comes in late has the same steps as one that saw it from the start", () => {
  const { confirming, steps } = heldSteps({ ...waits, kind: "withdrawal", steps: ["offer_all"], confirmed: at });
  expect(confirming).toEqual({ position: "Pit Supervisor", done: at });
  expect(steps).toEqual([{ step: "reset_device", state: "done" }, { step: "offer_all", state: "now" }]);
});

test("what nobody had to confirm has no such step", () => {
  expect(heldSteps({ kind: "referral", steps: ["refer"], ruling: ["refer"], confirms: null, confirmed: null })).toEqual({ confirming: null, steps: [{ step: "refer", state: "now" }] });
});
