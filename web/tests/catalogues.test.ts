import { afterEach, expect, test } from "vitest";
import { spoken } from "../src/i18n/catalogues";
import { say } from "../src/i18n/common";
import { gameName, positionName, roomName, wagerAlone, wagerName } from "../src/i18n/names";
import { oddsName, unbroken } from "../src/i18n/rows";
import { commandName, factName, factsOf, factValue } from "../src/screens/audit/facts";
import { type Language, set } from "../src/state/settings";

afterEach(() => set("language", "en"));

async function speak(language: Language): Promise<void> {
  set("language", language);
  await spoken();
}

test("a language is spoken once it is loaded, and English is back at once", async () => {
  const said: string[] = [];
  for (const language of ["en", "zh-Hans", "ms", "ta"] as const) {
    await speak(language);
    said.push(say("tie"));
  }
  expect(said).toEqual(["Tie", "和", "Seri", "சமநிலை"]);
  set("language", "en");
  expect(say("tie")).toBe("Tie");
});

test("approved names stay beside their translation", async () => {
  expect([wagerName("tie", "Tie"), positionName("Dealer"), roomName("Main floor")]).toEqual(["Tie", "Dealer", "Main floor"]);
  await speak("zh-Hans");
  expect([wagerName("tie", "Tie"), positionName("Dealer"), roomName("Main floor"), roomName("Blue room")]).toEqual(["和 Tie", "荷官", "主厅", "Blue room"]);
  expect([wagerAlone("tie"), wagerAlone("unheard-of")]).toEqual(["和", "unheard-of"]);
});

test("a game keeps its approved name, with the translation before it", async () => {
  const tiger = { name: "t9", game: "tiger", title: "Tiger Baccarat" };
  expect([gameName(tiger), gameName({ name: "t9", game: null, title: null })]).toEqual(["Tiger Baccarat", "t9"]);
  await speak("zh-Hans");
  expect(gameName(tiger)).toBe("老虎百家乐 Tiger Baccarat");
});

test("odds are said in the language wherever they stand", async () => {
  expect(oddsName("30 · 15 to 1")).toBe("30 · 15 to 1");
  await speak("zh-Hans");
  expect([oddsName("0.95 to 1"), oddsName("30 · 15 to 1"), oddsName("1 to 1 · 4 点 1 to 2")]).toEqual(["1 赔 0.95", "1 赔 30 · 15", "1 赔 1 · 4 点 2 赔 1"]);
});

test("what the journal has on record is in words", async () => {
  expect([commandName("buy_in"), commandName("call_bets"), commandName("let_act"), factName("wagers_per_area")]).toEqual(["Buy in", "Call for bets", "Let somebody act", "Wagers per area"]);
  expect([factValue("cents", 12_50), factValue("physical", true), factValue("situation", "power_failure"), factValue("stakes", [1, 2])]).toEqual(["12.50", "Yes", "Power failed", "1, 2"]);
  expect(factValue("by", { name: "dan" })).toBeNull();
  expect(factValue("choice", "betting 21000 ms, pause 5000 ms, pace 400 ms, answer 1000 ms")).toBe("21 s for bets, 5 s between rounds, 0.4 s between cards, 1 s to answer");
  expect(factsOf("", { wager: "tie", note: "", patrons: [], seat: null })).toEqual([["Wager", "wager", "tie"]]);
  await speak("zh-Hans");
  expect([commandName("buy_in"), factName("cents"), factValue("card", "KS"), factValue("patron", "tiger"), factValue("wager", "tiger")]).toEqual(["买入", "金额", "黑桃K", "tiger", "老虎"]);
});

test("odds break between each other, never within", async () => {
  const shown = (text: string): string => unbroken(text).replaceAll("\u00a0", "_");
  expect(shown("1 to 1 · on 4, 1 to 2")).toBe("1_to_1_· on_4,_1_to_2");
  expect(shown("8 to 1 · on 8, 9: 10 to 1")).toBe("8_to_1_· on 8, 9: 10_to_1");
  expect(shown("30 · 15 · 9 to 1")).toBe("30_· 15_· 9_to_1");
  await speak("ms");
  expect(shown(oddsName("natural 21 to 20"))).toBe("natural 21_kepada_20");
});
