import { describe, expect, test } from "vitest";
import { acceptedOf, doubled, freeOf, plan, remedy, repeated, same, troubleOf, withChip, without } from "../../src/screens/terminal/model/slip";
import { stake, wager } from "./make";

const needsPlayer = [{ main: "player", together: ["player-natural-8", "player-natural-9"], clause: "PB6 3.5.1" }];
const WAGERS = [
  wager("player", { maximum_cents: 1_000_000 }),
  wager("banker", { maximum_cents: 1_000_000 }),
  wager("tie"),
  wager("player-natural-8", { depends: needsPlayer }),
  wager("player-natural-9", { depends: needsPlayer }),
];
const [PLAYER, , TIE, EIGHT] = WAGERS as [typeof WAGERS[0], typeof WAGERS[0], typeof WAGERS[0], typeof WAGERS[0]];
const own = (credit_cents: number, ...stakes: ReturnType<typeof stake>[]) => ({ credit_cents, stakes });

describe("own limits", () => {
  const limited = (stake_cents: number | null, loss_cents: number | null, ...stakes: ReturnType<typeof stake>[]) => ({ ...own(100_000, ...stakes), left: { barred: null, stake_cents, loss_cents, near: [] } });
  test("of a stake hold for the whole of it", () => {
    expect(withChip({ tie: 2_500 }, TIE, 2_500, limited(5_000, null))).toEqual({ targets: { tie: 5_000 } });
    expect(withChip({ tie: 5_000 }, TIE, 2_500, limited(5_000, null))).toEqual({ trouble: { code: "own_stake", wager: "tie", cents: 7_500, limit: 5_000 } });
    expect(remedy({ code: "own_stake", wager: "tie", cents: 7_500, limit: 5_000 }, WAGERS, 100_000)).toBe(5_000);
  });
  test("of loss hold for all that is added", () => {
    const held = limited(null, 5_000, stake(1, "player", 10_000));
    expect(withChip({ player: 10_000 }, TIE, 5_000, held)).toEqual({ targets: { player: 10_000, tie: 5_000 } });
    expect(withChip({ player: 10_000, tie: 2_500 }, TIE, 5_000, held)).toEqual({ trouble: { code: "own_loss", wager: "tie", cents: 7_500, limit: 5_000 } });
    expect(doubled({ player: 10_000 }, WAGERS, held)).toMatchObject({ trouble: { code: "own_loss", cents: 10_000 } });
  });
  test("are not in the way of what is taken back, nor of what lies there", () => {
    const held = limited(1_000, 0, stake(1, "player", 10_000));
    expect(troubleOf({ player: 5_000 }, WAGERS, held)).toBeNull();
    expect(troubleOf({ player: 10_000 }, WAGERS, held)).toBeNull();
  });
});

describe("a chip on a spot", () => {
  test("adds to what is wanted, also below the minimum", () => {
    expect(withChip({ tie: 2_500 }, PLAYER, 500, own(10_000))).toEqual({ targets: { tie: 2_500, player: 500 } });
  });
  test("is refused above the maximum, with both numbers", () => {
    const answer = withChip({ tie: 90_000 }, TIE, 50_000, own(500_000));
    expect(answer).toEqual({ trouble: { code: "above_maximum", wager: "tie", cents: 140_000, limit: 100_000 } });
  });
  test("is refused above the balance, counting what is wanted already", () => {
    const answer = withChip({ banker: 8_000 }, TIE, 2_500, own(10_000));
    expect(answer).toMatchObject({ trouble: { code: "not_enough_credit", limit: 2_000 } });
  });
  test("on a wager that needs another one says which", () => {
    expect(withChip({}, EIGHT, 2_500, own(10_000))).toMatchObject({ trouble: { code: "precondition", main: "player", clause: "PB6 3.5.1" } });
    const over = withChip({ player: 5_000, "player-natural-9": 4_000 }, EIGHT, 2_500, own(100_000));
    expect(over).toMatchObject({ trouble: { code: "above_main", cents: 6_500, limit: 5_000 } });
  });
});

test("clearing a spot takes what cannot be without it", () => {
  expect(without({ player: 5_000, "player-natural-8": 2_500, tie: 2_500 }, "player", WAGERS)).toEqual({ tie: 2_500 });
});

test("what is accepted comes out of the balance once", () => {
  const mine = own(5_000, stake(1, "banker", 5_000));
  expect(freeOf(acceptedOf(mine.stakes), mine)).toBe(5_000);
  expect(freeOf({ banker: 5_000, tie: 2_500 }, mine)).toBe(2_500);
});

describe("repeat and double", () => {
  test("place all", () => {
    expect(repeated({ banker: 5_000, tie: 2_500 }, WAGERS, own(10_000))).toEqual({ targets: { banker: 5_000, tie: 2_500 } });
    expect(doubled({ banker: 5_000 }, WAGERS, own(5_000, stake(1, "banker", 5_000)))).toEqual({ targets: { banker: 10_000 } });
  });
  test("or nothing, with the reason", () => {
    expect(repeated({ banker: 5_000, tie: 2_500 }, WAGERS, own(6_000))).toEqual({
      trouble: { code: "not_enough_credit", wager: null, cents: 7_500, limit: 6_000 },
    });
    expect(doubled({ tie: 60_000 }, WAGERS, own(500_000))).toMatchObject({ trouble: { code: "above_maximum", cents: 120_000 } });
    expect(repeated({}, WAGERS, own(6_000))).toMatchObject({ trouble: { code: "nothing" } });
  });
  test("leave out what is not offered any more", () => {
    expect(repeated({ banker: 5_000, "big-tiger": 2_500 }, WAGERS, own(10_000))).toEqual({ targets: { banker: 5_000 } });
  });
});

test("limits and steps are checked before anything is sent", () => {
  expect(troubleOf({ tie: 1_000 }, WAGERS, own(10_000))).toMatchObject({ code: "below_minimum", limit: 2_500 });
  expect(troubleOf({ tie: 2_700 }, WAGERS, own(10_000))).toMatchObject({ code: "off_step", limit: 500 });
  expect(troubleOf({ tie: 1_000 }, WAGERS, own(10_000), ["tie"])).toBeNull();
  expect(troubleOf({ tie: 3_000, banker: 5_000 }, WAGERS, own(10_000))).toBeNull();
});

describe("the plan", () => {
  const commands = (...args: Parameters<typeof plan>) => plan(...args).map((step) => step.command);
  test("places what is new and raises what is there", () => {
    expect(commands({ banker: 7_500, tie: 2_500 }, [stake(4, "banker", 5_000)], WAGERS, 2)).toEqual([
      { type: "raise_wager", stake: 4, cents: 2_500 },
      { type: "place_wager", wager: "tie", position: 2, cents: 2_500 },
    ]);
  });
  test("lowers, removes, and goes from the last stake to the first", () => {
    const stakes = [stake(1, "banker", 5_000), stake(2, "banker", 3_000, { position: 3 })];
    expect(commands({ banker: 2_500 }, stakes, WAGERS, 2)).toEqual([
      { type: "remove_wager", stake: 2 },
      { type: "lower_wager", stake: 1, cents: 2_500 },
    ]);
  });
  test("takes dependent wagers first and adds them last", () => {
    const stakes = [stake(1, "player", 5_000), stake(2, "player-natural-8", 2_500)];
    expect(commands({}, stakes, WAGERS, 2).map((command) => command["stake"])).toEqual([2, 1]);
    expect(commands({ "player-natural-8": 2_500, player: 5_000 }, [], [...WAGERS].reverse(), 2).map((command) => command["wager"])).toEqual([
      "player",
      "player-natural-8",
    ]);
  });
  test("is empty when everything is as wanted", () => {
    expect(plan({ banker: 5_000 }, [stake(1, "banker", 5_000)], WAGERS, 2)).toEqual([]);
  });
  test("shares a new stake where that is wanted", () => {
    expect(commands({ tie: 2_500 }, [], WAGERS, 5, true)).toEqual([{ type: "place_wager", wager: "tie", position: 5, cents: 2_500, shared: true }]);
  });
});

test("a refusal names an amount that would be accepted", () => {
  const below = { code: "below_minimum", wager: "tie", cents: 1_000, limit: 2_500 } as const;
  expect(remedy(below, WAGERS, 10_000)).toBe(2_500);
  expect(remedy(below, WAGERS, 2_000)).toBeNull();
  expect(remedy({ code: "above_maximum", wager: "tie", cents: 600_000, limit: 100_000 }, WAGERS, 500_000)).toBe(100_000);
  expect(remedy({ code: "not_enough_credit", wager: "banker", cents: 50_000, limit: 7_700 }, WAGERS, 7_700)).toBe(7_500);
  expect(remedy({ code: "precondition", wager: "player-natural-8", cents: 2_500, limit: 0 }, WAGERS, 9_000)).toBeNull();
});

test("wishes are equal whatever is written as nothing", () => {
  expect(same({ tie: 0, banker: 5 }, { banker: 5 })).toBe(true);
  expect(same({ tie: 1 }, {})).toBe(false);
});
