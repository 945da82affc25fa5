import { describe, expect, test } from "vitest";
import { sharesOf } from "../../src/screens/terminal/model/bettors";
import { amountTrouble, chosenChip, trayOf } from "../../src/screens/terminal/model/chips";
import { joined, layoutOf, paysOf } from "../../src/screens/terminal/model/spots";
import { wager } from "./make";

const MAIN = ["banker", "player", "tie"];
const slugs = (names: string[], live = false) => {
  const { upper, lower, tallTie } = layoutOf([...MAIN, ...names].map((slug) => wager(slug)), live);
  return { upper: upper.map((spot) => spot.wager.slug), lower: lower.map((spot) => spot.wager.slug), tallTie };
};

describe("the layout of a game", () => {
  test("has Player left, Tie between and Banker right, whatever the order of the rules", () => {
    expect(slugs(["banker-pair", "player-pair"], true)).toEqual({
      upper: ["player-pair", "banker-pair"],
      lower: ["player", "tie", "banker"],
      tallTie: true,
    });
    expect(slugs(["player-pair", "banker-pair"]).tallTie).toBe(false);
  });
  test.each([
    [["player-pair", "banker-pair", "fortune-six", "banker-dragon-bonus", "player-dragon-bonus"], ["player-pair", "player-dragon-bonus", "fortune-six", "banker-dragon-bonus", "banker-pair"]],
    [["tiger-pair", "tiger", "small-tiger", "big-tiger", "tiger-tie"], ["tiger", "small-tiger", "big-tiger", "tiger-tie", "tiger-pair"]],
    [["player-fabulous-4", "banker-fabulous-4", "player-precious-pair", "banker-precious-pair"], ["player-precious-pair", "player-fabulous-4", "banker-fabulous-4", "banker-precious-pair"]],
    [["player-pair", "banker-pair", "player-natural-8", "player-natural-9", "banker-natural-8", "banker-natural-9"], ["player-natural-8", "player-natural-9", "player-pair", "banker-pair", "banker-natural-8", "banker-natural-9"]],
  ])("orders the upper row of %j", (given, upper) => {
    expect(slugs(given).upper).toEqual(upper);
  });
  test.each([2, 3, 4, 5, 6])("fills its rows with %i side wagers, also on a phone", (count) => {
    const names = ["tiger", "small-tiger", "big-tiger", "tiger-tie", "tiger-pair", "super-six"].slice(0, count);
    const { upper, lower } = layoutOf([...MAIN, ...names].map((slug) => wager(slug)), false);
    const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
    expect(sum(upper.map((spot) => spot.span))).toBe(60);
    expect(sum(lower.map((spot) => spot.span))).toBe(60);
    expect(sum(upper.map((spot) => spot.phoneSpan)) % 6).toBe(0);
    expect(sum(lower.map((spot) => spot.phoneSpan))).toBe(12);
  });
});

describe("odds of a spot", () => {
  const row = (label: string, pays: string) => ({ label, pays, clause: "X 4.1" });
  test("leave out the push on a tie, and put totals behind the usual odds", () => {
    const banker = wager("banker", { rows: [row("Banker wins on 4", "Push"), row("Banker wins on 1", "2 to 1"), row("Banker wins on any other total", "1 to 1"), row("Tie", "Push")] });
    expect(paysOf(banker, false).map(({ pays, on, push }) => [pays, on, push])).toEqual([
      ["1 to 1", null, false],
      ["Push", 4, true],
      ["2 to 1", 1, false],
    ]);
  });
  test("show those of a Power hand only in one", () => {
    const natural = wager("player-natural-8", { rows: [row("Power hand: Player wins with a natural 8", "9 to 1"), row("Player wins with a natural 8", "8 to 1")] });
    expect(paysOf(natural, false).map((pay) => pay.pays)).toEqual(["8 to 1"]);
    expect(paysOf(natural, true).map((pay) => [pay.pays, pay.power])).toEqual([["8 to 1", false], ["9 to 1", true]]);
  });
  test("say for what the better odds of a Power hand hold", () => {
    const when = (label: string) => paysOf(wager("player", { rows: [row(`Power hand: ${label}`, "21 to 20")] }), true)[0]?.when;
    expect(when("Player wins with a natural")).toEqual({ what: "natural", a: "", b: "" });
    expect(when("tie on 8 or 9")).toEqual({ what: "totals", a: "8", b: "9" });
    expect(when("Player pair of 8's or 9's")).toEqual({ what: "pairs", a: "8", b: "9" });
    expect(when("Player wins with a natural 8")).toBeNull();
  });
  test("write 'to 1' once", () => {
    expect(joined(["4 to 1", "20 to 1", "100 to 1"])).toBe("4 · 20 · 100 to 1");
    expect(joined(["0.95 to 1"])).toBe("0.95 to 1");
    expect(joined(["1 to 2", "1 to 1"])).toBe("1 to 2 · 1 to 1");
    expect(joined(["1 to 1", "1 to 1", "30 to 1"])).toBe("1 · 30 to 1");
  });
});

describe("the tray", () => {
  const wagers = [wager("player", { minimum_cents: 1_000, maximum_cents: 5_000_000, step_cents: 100 }), wager("tie", { minimum_cents: 500, maximum_cents: 500_000, step_cents: 100 })];
  test("begins at the smallest minimum and has no chip above the balance", () => {
    expect(trayOf(wagers, 10_000_000)).toEqual([500, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000]);
    expect(trayOf(wagers, 30_000)).toEqual([500, 2_500, 10_000]);
    expect(trayOf([], 1)).toEqual([]);
    expect(trayOf(wagers, 0)).toEqual(trayOf(wagers, 10_000_000));
  });
  test("keeps the chip that was chosen, or the next below", () => {
    expect(chosenChip([500, 2_500, 10_000], 2_500)).toBe(2_500);
    expect(chosenChip([500, 2_500], 10_000)).toBe(2_500);
    expect(chosenChip([500, 2_500, 10_000, 50_000], null)).toBe(10_000);
    expect(chosenChip([], 500)).toBeNull();
  });
});

test("bets and shares: Player and Banker between them, others of all", () => {
  const area = (position: number, slug: string, ...parts: number[]) => ({
    position,
    wager: slug,
    cents: parts.reduce((a, b) => a + b, 0),
    stakes: [{ number: position, cents: 0, shared: false, shares: parts.map((cents) => ({ seat: position, cents })) }],
  });
  const shares = sharesOf({ a: area(1, "player", 3_000, 1_000), b: area(2, "banker", 4_000), c: area(3, "banker", 2_000), d: area(4, "tie", 2_500) });
  expect(shares).toEqual({
    player: { bets: 2, percent: 40 },
    banker: { bets: 2, percent: 60 },
    tie: { bets: 1, percent: 20 },
  });
});

test("an amount of one's own fits the balance and one spot at least, or says what would", () => {
  const wagers = [wager("player", { minimum_cents: 1_000, maximum_cents: 5_000_000, step_cents: 100 }), wager("tie", { minimum_cents: 500, maximum_cents: 500_000, step_cents: 100 })];
  expect(amountTrouble(3_300, wagers, 90_000)).toBeNull();
  expect(amountTrouble(500, wagers, 90_000)).toBeNull();
  expect(amountTrouble(6_000_000, wagers, 90_000)).toMatchObject({ code: "above_balance", limit: 90_000 });
  expect(amountTrouble(6_000_000, wagers, 9_000_000)).toMatchObject({ code: "above_maximum", limit: 5_000_000 });
  expect(amountTrouble(100_000, wagers, 90_000)).toMatchObject({ code: "above_balance", limit: 90_000 });
  expect(amountTrouble(400, wagers, 90_000)).toMatchObject({ code: "below_minimum", limit: 500 });
  expect(amountTrouble(3_333, wagers, 90_000)).toMatchObject({ code: "off_step", limit: 3_300, step: 100 });
});
