import { describe, expect, test } from "vitest";
import { handsOf, netOf, paidWords, pointsOf, returnedOf, settledOf, told } from "../../src/screens/terminal/model/outcome";
import { reasonOf } from "../../src/screens/terminal/model/reasons";
import { hand, line } from "./make";

test("who won with how much over how much", () => {
  expect(told({ player: 5, banker: 9, winner: "banker" })).toEqual({ winner: "banker", high: 9, low: 5 });
  expect(told({ player: 8, banker: 2, winner: "player" })).toEqual({ winner: "player", high: 8, low: 2 });
});

describe("a settlement", () => {
  const lines = [line("banker", "pushes", 20_000, 0), line("banker-fabulous-4", "wins", 2_500, 62_500, { row: "Banker wins on 4", pays: "25 to 1" }), line("tie", "loses", 2_500, -2_500)];
  test("says of each wager what became of it", () => {
    expect(settledOf(lines)["banker-fabulous-4"]).toEqual({ result: "wins", net: 62_500, staked: 2_500, row: "Banker wins on 4", pays: "25 to 1", clause: null });
    expect(settledOf(lines)["tie"]?.net).toBe(-2_500);
  });
  test("adds up, and names what was won first", () => {
    expect(netOf(lines)).toBe(60_000);
    expect(paidWords(lines).map((one) => one.wager)).toEqual(["banker-fabulous-4", "banker", "tie"]);
  });
  test("returns stake and winnings, and what was not settled of a losing stake", () => {
    expect(lines.map(returnedOf)).toEqual([20_000, 65_000, 0]);
    expect(returnedOf(line("tie", "loses", 10_000, -3_000, { settled_cents: 3_000 }))).toBe(7_000);
  });
});

describe("cards of a finished round", () => {
  test("go to Player and Banker in turn; the fifth is the Player's unless the Player stood", () => {
    const round = (...cards: string[]) => handsOf({ cards, player: null, banker: null });
    expect(round("5H", "7D", "QC", "8S", "4C", "3C")).toEqual({ player: ["5H", "QC", "4C"], banker: ["7D", "8S", "3C"] });
    expect(round("5H", "7D", "QC", "8S", "4C")).toEqual({ player: ["5H", "QC", "4C"], banker: ["7D", "8S"] });
    expect(round("6H", "2D", "QC", "2S", "4C")).toEqual({ player: ["6H", "QC"], banker: ["2D", "2S", "4C"] });
  });
  test("count as in both decks", () => {
    expect(pointsOf(["TD", "4-Gold"])).toBe(4);
    expect(pointsOf(["Shou-Fire", "9-Water", "3-Wood"])).toBe(2);
    expect(pointsOf(["AS", "KD"])).toBe(1);
  });
});

describe("why a hand drew or stood", () => {
  test("a natural, and what it does to the other hand", () => {
    const hands = [hand("player", "9C", "3D"), hand("banker", "7H", "2S")];
    expect(reasonOf(hands, "banker", true)).toMatchObject({ act: "natural", points: 9 });
    expect(reasonOf(hands, "player", true)).toMatchObject({ act: "barred", points: 2 });
  });
  test("the Banker against the Player's third card", () => {
    const hands = [hand("player", "2C", "3D", "6S"), hand("banker", "TH", "4S", "AS")];
    expect(reasonOf(hands, "player", false)).toEqual({ side: "player", act: "draws", points: 5, against: null });
    expect(reasonOf(hands, "banker", false)).toEqual({ side: "banker", act: "draws", points: 4, against: 6 });
  });
  test("nothing before it is known", () => {
    expect(reasonOf([hand("player", "2C", null), hand("banker")], "player", false)).toBeNull();
    expect(reasonOf([hand("player", "6C", "TD"), hand("banker", "TH", "4S")], "player", false)).toBeNull();
    expect(reasonOf([hand("player", "6C", "TD"), hand("banker", "TH", "4S", "2D")], "player", false)).toMatchObject({ act: "stands", points: 6 });
  });
});
