import { expect, test } from "vitest";
import house from "../../docs/house.md?raw";
import table from "../../docs/refusals.md?raw";
import { spoken } from "../src/i18n/catalogues";
import { refusal, refusalLine } from "../src/i18n/refusals";
import { rowName } from "../src/i18n/rows";
import zh from "../src/i18n/zh-Hans/refusals.json";
import { settings } from "../src/state/settings";

const codes = (page: string): string[] => Array.from(page.matchAll(/^\| \d+ \| `(\w+)` \|/gm), (row) => row[1] ?? "");

test("every refusal of tables, cage and accounts is said in Chinese", () => {
  const all = [...codes(table), ...codes(house)];
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter((code) => !(code in zh))).toEqual([]);
});

test("a refusal keeps the house's figures beside its translation", async () => {
  const problem = { code: "below_minimum", detail: "A stake of 9.00 on Tie is below the minimum of 10.00 [EB4 2.2]." };
  expect(refusal(problem)).toEqual({ sentence: "A stake of 9.00 on Tie is below the minimum of 10.00.", own: null });
  settings.value = { ...settings.value, language: "zh-Hans" };
  await spoken();
  expect(refusalLine(problem)).toBe("低于最低限额。（A stake of 9.00 on Tie is below the minimum of 10.00.）");
  expect(refusal({ code: "never_heard_of", detail: "No." }).sentence).toBe("No.");
});

test("rows of pay tables are read in Chinese", async () => {
  settings.value = { ...settings.value, language: "zh-Hans" };
  await spoken();
  const labels = ["Banker wins on 6 with two cards", "Power hand: Player wins with a natural 8", "Tie on 6", "Player wins by 9, no natural", "Banker pair of 8's or 9's"];
  expect(labels.map(rowName)).toEqual(["庄以两张牌 6 点赢", "Power hand：闲以例牌 8 赢", "6 点和局", "闲非例牌赢 9 点", "庄 8 或 9 对子"]);
  settings.value = { ...settings.value, language: "en" };
  expect(rowName("Tie on 6")).toBe("Tie on 6");
});
