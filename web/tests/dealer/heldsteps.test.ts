import { expect, test } from "vitest";
import { learnt } from "../../src/screens/dealer/heldsteps";

const at = "2026-11-18T01:00:00Z";
const hold = (kind: string, steps: string[]) => ({ kind, situation: "device_reset", steps, since: at }) as unknown as Parameters<typeof learnt>[2];

test("a report that waits is confirmed by somebody, and that step stays when it is done", () => {
  const waits = learnt(null, "7/device_reset", hold("report", ["reset_device", "offer_all"]), ["Pit Supervisor"]);
  expect(waits).toMatchObject({ confirms: ["Pit Supervisor"], confirmed: null, steps: ["reset_device", "offer_all"] });
  const later = learnt(waits, "7/device_reset", hold("withdrawal", ["offer_all"]), []);
  expect(later).toMatchObject({ confirms: ["Pit Supervisor"], confirmed: at, steps: ["reset_device", "offer_all"] });
});

test("what nobody was seen to confirm has no such step, and another report begins anew", () => {
  const first = learnt(null, "7/other", hold("referral", ["refer"]), ["Gaming Shift Manager"]);
  expect(first).toMatchObject({ confirms: null, confirmed: null });
  const waits = learnt(null, "7/device_reset", hold("report", ["reset_device", "offer_all"]), ["Pit Supervisor"]);
  expect(learnt(waits, "8/device_reset", hold("reset", ["reset_device"]), [])).toMatchObject({ confirms: null, steps: ["reset_device"] });
});
