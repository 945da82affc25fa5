import { describe, expect, test } from "vitest";
import type { Open, RoundStep } from "../src/api/types";
import { changesOf, countOf, type Draft, draftOf, faultOf, optionalOf, roundPlayed, type SettingsShown, toggled } from "../src/screens/pit/settings";
import { labelled, placesOf } from "../src/screens/pit/timeline";
import { standsOut } from "../src/screens/pit/Discretions";
import { wagerBySlug } from "../src/i18n/names";
import { cardText } from "../src/screens/pit/texts";
import { barOf, largestStep, percent, plotOf, signedPercent, ticksOf, type WinPoint } from "../src/screens/pit/win";
import { detailOf, iconOf, recordOf, titleEvent } from "../src/screens/pit/recall";
import { feltsOf, handOf, pointsOf, spansOf } from "../src/state/recall";

const LIMIT = { minimum_cents: 1_000, maximum_cents: 200_000, step_cents: 500 };
const SETTINGS = {
  limits: { "*": LIMIT, banker: { ...LIMIT, step_cents: 1_000 } },
  method: "B",
  differential_cents: 500_000,
  wagers_per_area: null,
  optional: null,
  clocks: { betting_ms: 15_000, pause_ms: 5_000, pace_ms: 600, answer_ms: 20_000, waits_for_patrons: true },
  dealt_by: "house",
} as unknown as SettingsShown;
const may = (...commands: string[]): Open[] => commands.map((command) => ({ command, ...(command === "set_limits" ? { approver: "Pit Supervisor" } : {}) }) as unknown as Open);
const ALL = may("set_limits", "set_differential", "set_method", "set_area_cap", "offer_wagers", "set_clocks", "set_dealt_by");
const start = (): Draft => draftOf(SETTINGS, ["banker", "tie"], 3);

test("an act stands out where the whole deal was known, and it was not for later rounds", () => {
  expect(standsOut({ kind: "void", known_cards: 4 })).toBe(true);
  expect(standsOut({ kind: "void", known_cards: 3 })).toBe(false);
  expect(standsOut({ kind: "setting", known_cards: 6 })).toBe(false);
});

describe("settings", () => {
  test("limits of a wager that is not named are those of all", () => {
    expect(start().limits["tie"]).toEqual(LIMIT);
    expect(start().cap).toBe(3);
    expect(changesOf(SETTINGS, start(), ALL, 3)).toEqual([]);
  });

  test("limits are set whole: what nobody changed goes along", () => {
    const draft = start();
    const tie = { ...LIMIT, maximum_cents: 150_000 };
    const [change] = changesOf(SETTINGS, { ...draft, limits: { ...draft.limits, tie } }, ALL, 3);
    expect(change?.command).toEqual({ type: "set_limits", limits: { ...SETTINGS.limits, tie } });
    expect(change?.open.approver).toBe("Pit Supervisor");
  });

  test("a command for each kind of change, and none that the position may not give", () => {
    const draft: Draft = { ...start(), method: "A", differential: null, cap: 2, dealtBy: "dealer", clocks: { ...SETTINGS.clocks, betting_ms: 12_000 } };
    expect(changesOf(SETTINGS, draft, ALL, 3).map(({ command }) => command)).toEqual([
      { type: "set_differential", cents: null },
      { type: "set_method", method: "A" },
      { type: "set_area_cap", wagers: 2 },
      { type: "set_clocks", clocks: draft.clocks },
      { type: "set_dealt_by", dealt_by: "dealer" },
    ]);
    expect(changesOf(SETTINGS, draft, may("set_method"), 3).map(({ what }) => what)).toEqual(["method"]);
    expect(countOf(start(), draft)).toBe(5);
  });

  test("limits that cannot be are told", () => {
    const ways = [[{ "limits.banker": { minimum: 20, maximum: 1_000_000, step: 20 } }]];
    const open = { command: "set_limits", fields: [], ways } as unknown as Open;
    expect(faultOf(LIMIT, open, "banker")).toBeNull();
    expect(faultOf({ ...LIMIT, step_cents: 50 }, open, "banker")).toBe("step");
    expect(faultOf({ ...LIMIT, step_cents: 0 }, open, "tie")).toBe("step");
    expect(faultOf({ ...LIMIT, minimum_cents: 1_100 }, open, "banker")).toBe("multiple");
    expect(faultOf({ ...LIMIT, minimum_cents: 300_000 }, open, "banker")).toBe("order");
  });

  test("optional wagers are all offered where nothing says otherwise", () => {
    const offer = [{ command: "offer_wagers", fields: [{ name: "optional", kind: "some", required: true, allowed: ["a", "b"] }] }] as unknown as Open[];
    const all = optionalOf(offer, start());
    expect(all).toEqual([{ slug: "a", on: true }, { slug: "b", on: true }]);
    expect(toggled(all, "a")).toEqual(["b"]);
    expect(toggled(optionalOf(offer, { ...start(), optional: [] }), "b")).toEqual(["b"]);
  });
});

const at = (seconds: number): string => new Date(Date.parse("2026-11-16T21:46:00Z") + seconds * 1000).toISOString();
const step = (seconds: number, ...events: [string, object?][]): RoundStep =>
  ({
    sequence: seconds,
    moment: at(seconds),
    by: { kind: "system", position: null, name: "system" },
    approved_by: null,
    command: { type: "x", content: {} },
    accepted: true,
    refusal: null,
    events: events.map(([name, facts = {}]) => ({ name, facts })),
  }) as unknown as RoundStep;

const ROUND = [
  step(0, ["bets_opened"]),
  step(5, ["wager_placed", { stake: 1, wager: "banker", cents: 5_000 }]),
  step(8, ["wager_raised", { stake: 1, cents: 1_000 }]),
  step(29, ["bets_closed"]),
  step(30, ["card_drawn", { position: "P1", waited: false }]),
  step(31, ["card_exposed", { position: "P1", card: "QD" }], ["totals_announced", { player: 0, banker: 0 }]),
  step(40, ["irregularity_reported", { clause: "BAC8 5.8.2" }], ["hold_placed", { kind: "report", clause: "BAC8 5.8.2" }]),
  step(60, ["hold_lifted"], ["cards_taken_up", { count: 2 }], ["hold_placed", { kind: "order", clause: "BAC8 5.8.2.2" }]),
  step(90, ["decision_recorded", { choice: "7 first" }], ["order_set", { before: [0, 1], after: [1, 0] }], ["hold_lifted"]),
  step(92, ["card_drawn", { position: "P3", waited: true }], ["card_exposed", { position: "P3", card: "7H" }]),
  step(99, ["outcome_announced", { player: 7, banker: 3, winner: "player" }]),
  step(110, ["wagers_settled"], ["round_closed"]),
];

describe("recall", () => {
  test("the table is as it was at each step", () => {
    const felts = feltsOf(ROUND);
    expect(felts.map(({ inPlay }) => inPlay)).toEqual([0, 5_000, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 0]);
    expect(handOf(felts[4]!, "player")).toEqual([null]);
    expect(handOf(felts[5]!, "player")).toEqual(["QD"]);
    expect(handOf(felts[9]!, "player")).toEqual(["QD", "7H"]);
    expect(felts.map(({ waiting }) => waiting)).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 2, 1, 1, 1]);
    expect(felts.map(({ held }) => held).indexOf(true)).toBe(6);
    expect(felts.at(-1)?.winner).toBe("player");
  });

  test("a refused step changes nothing", () => {
    const refused = { ...step(6, ["card_exposed", { position: "P1", card: "QD" }]), accepted: false } as RoundStep;
    expect(feltsOf([refused])[0]?.cards).toEqual({});
  });

  test("a void returns all stakes, a reset clears the hands, a reconstruction puts cards where they belong", () => {
    const last = (...events: [string, object?][]) => feltsOf([...ROUND.slice(0, 6), step(50, ...events)]).at(-1)!;
    expect([last(["round_voided"]).void, last(["round_voided"]).inPlay]).toEqual([true, 0]);
    expect(last(["device_reset", { cards: 1 }])).toMatchObject({ cards: {}, aside: 1 });
    expect(last(["cards_reconstructed", { after: [{ position: "B1", card: "QD" }] }]).cards).toEqual({ B1: "QD" });
  });

  test("how the time was spent", () => {
    expect(spansOf(ROUND).map(({ kind, from, to }) => [kind, (to - from) / 1000])).toEqual([
      ["bets", 29],
      ["dealing", 11],
      ["held", 50],
      ["dealing", 9],
      ["settling", 11],
    ]);
    expect(spansOf([])).toEqual([]);
  });

  test("points of faces", () => {
    expect([pointsOf(["QD", "5C"]), pointsOf(["9H", "8D"]), pointsOf(["4-Gold", "Shou-Fire"]), pointsOf([null, "5C"]), pointsOf([])]).toEqual([5, 7, 4, null, null]);
  });

  test("a record has its number and the ends of its hash", () => {
    expect(recordOf({ sequence: 18404, hash: `9be1${"0".repeat(56)}07f2` })).toBe("18,404 · 9be1…07f2");
    expect(recordOf({ sequence: 7, hash: null })).toBe("7");
  });

  test("a step is called by its weightiest event", () => {
    expect(titleEvent(ROUND[8]!)?.name).toBe("order_set");
    expect(titleEvent(ROUND[9]!)?.name).toBe("card_exposed");
    expect(titleEvent(step(60, ["decision_recorded"], ["hold_lifted"], ["hold_placed"]))).toBeNull();
    expect(detailOf(step(62, ["outcome_announced", { player: 7, banker: 3, winner: "player" }]))).toBe("Player 7 over 3");
    expect(detailOf(step(63, ["outcome_announced", { player: 7, banker: 7, winner: null }]))).toBe("Tie on 7");
    expect([iconOf(ROUND[6]!), iconOf({ ...ROUND[0]!, accepted: false })]).toEqual(["pause", "clear"]);
    expect(detailOf(ROUND[1]!)).toBe("Banker 50.00");
    expect(detailOf(step(60, ["irregularity_reported", { situation: "left_with_cards" }]))).toBe("Left with cards");
    expect(detailOf(step(61, ["referral_decided", { decision: "continue", reason: "all was seen" }]))).toBe("Continue the round: all was seen");
  });

  test("steps of one moment do not lie on each other, and time has the rest", () => {
    const places = placesOf([0, 0, 0, 1000], 216);
    expect(places).toEqual([48, 68, 88, 168]);
    expect(placesOf([5, 5], 216)).toEqual([48, 68]);
    expect(placesOf([], 216)).toEqual([]);
  });

  test("times below a line keep apart, the one looked at is told", () => {
    expect(labelled([0, 10, 100, 190, 195], 3)).toEqual([0, 2, 3]);
    expect(labelled([], 0)).toEqual([]);
    expect(labelled([0, 100, 200, 300], 3, ["21:46", "21:46", "21:47", "21:48"])).toEqual([0, 2, 3]);
  });
});

const point = (win: number, more: object = {}): WinPoint =>
  ({ moment: at(0), win_cents: win, expected_cents: 1_000, lower_cents: -9_000, upper_cents: 11_000, round: 1, table: "t", day: "2026-11-16", ...more }) as unknown as WinPoint;
const WORDS = { tick: () => "21:46", money: String, note: () => "moved", label: "plot" };

describe("win", () => {
  test("a plot begins at nothing and is in dollars", () => {
    const data = plotOf([point(-500), point(20_000), point(15_000)], WORDS);
    expect(data?.line).toEqual([0, -5, 200, 150]);
    expect(data?.half).toEqual([0, 100, 100, 100]);
    expect(data?.xs).toEqual([0, 1, 2, 3]);
    expect(plotOf([point(1)], WORDS)).toBeNull();
  });

  test("one minute is told once below a plot, and a share has its sign", () => {
    expect(plotOf([point(1), point(2), point(3)], WORDS)?.ticks).toEqual([{ x: 1, text: "21:46" }]);
    expect([signedPercent(0.006), signedPercent(-0.006), signedPercent(0), signedPercent(0.0001), signedPercent(null)]).toEqual(["+0.6 %", "−0.6 %", "0.0 %", "0.0 %", "–"]);
  });

  test("a round that moved the win most is named where it stands out", () => {
    expect(largestStep([point(0), point(-20_000), point(-19_000), point(-18_000)])).toBe(1);
    expect(largestStep(Array.from({ length: 20 }, (_, i) => point(i * 100)))).toBeNull();
  });

  test("ticks are apart and have both ends", () => {
    expect(ticksOf([..."abcdefghi"]).map(({ point: one }) => one)).toEqual(["a", "c", "e", "g", "i"]);
    expect(ticksOf(["a"]).map(({ index }) => index)).toEqual([0]);
    expect(ticksOf([])).toEqual([]);
  });

  test("deviations beyond 1.96 are outside", () => {
    expect(barOf(-1.5)).toEqual({ left: true, width: 25, outside: false });
    expect(barOf(9)).toEqual({ left: false, width: 50, outside: true });
  });

  test("percent", () => {
    expect([percent(-0.438), percent(0.115), percent(null), percent(-0.0001)]).toEqual(["−43.8 %", "11.5 %", "–", "0.0 %"]);
  });
});

test("names of wagers and cards", () => {
  expect(wagerBySlug("player-fabulous-4")).toBe("Player Fabulous 4");
  expect([cardText("TH"), cardText("9S"), cardText("4-Gold")]).toEqual(["10♥\uFE0E", "9♠\uFE0E", "4 Gold"]);
});

test("a round is in progress only while one is played", () => {
  const at = (phase: string, round: number | null = 55) => roundPlayed({ phase, round } as never);
  expect([at("OPEN"), at("DEALING"), at("SETTLED")]).toEqual([55, 55, 55]);
  expect([at("IDLE"), at("VOID"), at("OPEN", null)]).toEqual([null, null, null]);
});
