import { expect, test } from "vitest";
import { nearKey, nearToSay, type Near } from "../../src/screens/terminal/model/near";

const until = "2026-01-01T22:00:00Z";
const time: Near = { limit: "time", value: 60, left: 9, until };
const loss: Near = { limit: "loss", value: 500_00, left: 80_00, until };

test("a limit that is near is said until it was read, however much of it is left meanwhile", () => {
  expect(nearToSay([time, loss], [])).toBe(time);
  const later = { ...time, left: 3 };
  expect(nearToSay([later, loss], [nearKey(time)])).toBe(loss);
  expect(nearToSay([later, loss], [nearKey(time), nearKey(loss)])).toBeNull();
});

test("a limit that is set anew, or of another day, is said anew", () => {
  expect(nearToSay([{ ...time, value: 65 }], [nearKey(time)])).not.toBeNull();
  expect(nearToSay([{ ...time, until: "2026-01-02T22:00:00Z" }], [nearKey(time)])).not.toBeNull();
});

test("a loss that is reached is said as long as it is; the end of the time the house says itself", () => {
  const reached = { ...loss, left: 0 };
  expect(nearToSay([time, reached], [nearKey(reached)])).toBe(reached);
  expect(nearToSay([{ ...time, left: 0 }], [])).toBeNull();
});
