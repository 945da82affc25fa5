import { expect, test } from "vitest";
import { resultTone } from "../../src/screens/terminal/sound";

test("a result is heard by who had a stake, and a win sounds higher", () => {
  expect(resultTone(false, 1, 100)).toBeNull();
  expect(resultTone(true, 0, 0)).toBeNull();
  const [won, lost] = [resultTone(true, 1, 100), resultTone(true, 2, -100)];
  expect(Math.max(...(won ?? []))).toBeGreaterThan(Math.max(...(lost ?? [])));
});
