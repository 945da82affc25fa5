import { expect, test } from "vitest";
import holds from "../../src/i18n/en/holds.json";
import en from "../../src/i18n/en/terminal.json";
import { holdWords } from "../../src/screens/terminal/Message";
import { stepWords } from "../../src/screens/terminal/sheets/steps";
import { NOBODY } from "../../src/screens/terminal/model/asked";

const hold = (kind: Parameters<typeof holdWords>[0]["kind"], situation: Parameters<typeof holdWords>[0]["situation"]) => ({
  kind,
  situation,
  clause: null,
  sentence: "",
  since: 1,
});

test("a hold says what happened, what the round waits for, and what becomes of stakes", () => {
  expect(holdWords(hold("reset", "device_reset"), NOBODY, 100_00)).toBe(
    "The dealing device is being reset. Your stakes stay as they are: 100.00.",
  );
  expect(holdWords(hold("report", "face_up_card"), NOBODY, 0)).toBe("A card lay face up in the shoe.");
  expect(holdWords(hold("report", null), NOBODY, 0)).toBe(holds.waits_report);
  expect(holdWords(hold("balance", null), NOBODY, 100_00)).toBe(holds.waits_balance);
  expect(holdWords(hold("withdrawal", "power_failure"), NOBODY, 100_00)).toBe(`The power failed. ${en.hold_withdrawal_others}`);
});

test("a step says what was reported, and no step is a name of the wire", () => {
  const words = (name: string, facts = {}) => stepWords({ name, facts }, (slug) => slug);
  expect(words("irregularity_reported", { situation: "drawn_together" })).toEqual([holds.what_drawn_together]);
  expect(words("cards_taken_up")).not.toEqual(["cards taken up"]);
});
