import { expect, test } from "vitest";
import type { Open, OwnedStake, Previewed, Situation } from "../../src/api/types";
import { atStake, differs, isOffer, progress, type Ruling, rulingOf, type Step } from "../../src/screens/dealer/ruling";
import { canReport, found, GROUPS, leastOf, layOf, openingFor, questionsOf, reportsOn, tellsSituation } from "../../src/screens/dealer/situations";
import { named } from "../../src/screens/dealer/say";

const which = (...allowed: string[]) => ({ name: "about.situation", kind: "choice", required: true, allowed }) as const;
const known = (...allowed: boolean[]) => ({ name: "about.order_known", kind: "flag", required: true, ...(allowed.length > 0 ? { allowed } : {}) }) as const;
const bare: Open = { command: "report", fields: [which("extra_card", "other")] };
const altered: Open = { command: "report", fields: [which("order_altered"), known()] };
const laid: Open = { command: "report", fields: [which("order_altered"), known(true), { name: "about.laid", kind: "each", required: true, allowed: ["P1", "B1"] }] };
const free: Open = { command: "report", fields: [which("order_altered"), known(false), { name: "about.laid", kind: "places", required: true }] };
const may = [bare, altered, laid, free];

test("there are 24 situations, each once and with words", () => {
  const all = GROUPS.flatMap(({ situations }) => situations);
  expect(all).toHaveLength(24);
  expect(new Set(all).size).toBe(24);
  for (const situation of all) {
    expect(named("situation", situation)).not.toBe(situation.replaceAll("_", " "));
    expect(named("hint", situation)).not.toBe(situation.replaceAll("_", " "));
  }
});

test("a situation is open where a report of it is", () => {
  expect(reportsOn(may, "other")).toEqual([bare]);
  expect(reportsOn(may, "order_altered")).toEqual([altered, laid, free]);
  expect(reportsOn(may, "late_removal")).toEqual([]);
});

test("what only another way of dealing knows cannot be reported as that", () => {
  expect(canReport({ may, not_here: [] }, "other")).toBe(true);
  expect(canReport({ may, not_here: ["order_altered"] }, "order_altered")).toBe(false);
  expect(canReport({ may, not_here: [] }, "late_removal")).toBe(false);
});

test("to be told why not, a report says the least that it must", () => {
  expect(leastOf("other")).toEqual({ type: "report", about: { situation: "other" } });
  expect(leastOf("drawn_together")).toEqual({ type: "report", about: { situation: "drawn_together", count: 2, order_known: true } });
});

test("the questions are asked once, and how cards lay stands apart", () => {
  expect(questionsOf(reportsOn(may, "order_altered")).map(({ name }) => name)).toEqual(["about.order_known"]);
  expect(questionsOf([bare])).toEqual([]);
});

test("the opening that fits follows the answers", () => {
  const opens = reportsOn(may, "order_altered");
  expect(openingFor(opens, {}, false)).toBe(altered);
  expect(openingFor(opens, { "about.order_known": true }, true)).toBe(laid);
  expect(openingFor(opens, { "about.order_known": false }, true)).toBe(free);
  expect(layOf(altered)).toBeUndefined();
  expect(tellsSituation({}, "other")).toEqual({ "about.situation": "other" });
});

test("words find situations by what is shown", () => {
  const nameOf = (situation: Situation): string => ({ other: "Something else" })[situation as "other"] ?? situation;
  expect(found(["other", "extra_card"], "some", nameOf)).toEqual(["other"]);
  expect(found(["other", "extra_card"], " ", nameOf)).toHaveLength(2);
});

const previewed = (events: object[], view: object = {}): Previewed => ({ change: { events, view } }) as unknown as Previewed;

test("a preview tells the ruling, with the clause of each step", () => {
  const ruling = rulingOf(
    previewed(
      [
        { name: "irregularity_reported", facts: { clause: "BAC8 5.8.2.2", steps: ["take_up", "set_order"] } },
        { name: "hold_placed", facts: { steps: [["take_up", "BAC8 5.8.2"], ["set_order", "BAC8 5.8.2.2"]] } },
      ],
      { hold: { kind: "report", situation: "face_up_card" }, dealer: { next: { positions: ["Pit Supervisor"] } } },
    ),
  );
  expect(ruling).toEqual({
    clause: "BAC8 5.8.2.2",
    steps: [{ step: "take_up", clause: "BAC8 5.8.2" }, { step: "set_order", clause: "BAC8 5.8.2.2" }],
    hold: { kind: "report", situation: "face_up_card" },
    positions: ["Pit Supervisor"],
    queued: false,
    instead: null,
  });
});

test("a preview tells the ruling that does not apply", () => {
  const instead = { clause: "BAC8 5.17.2", condition: "established", steps: ["conclude"] };
  const events = [{ name: "irregularity_reported", facts: { clause: "BAC8 5.17.1", steps: ["offer_all", "conclude"] } }];
  expect(rulingOf(previewed(events, { dealer: { hold: { instead } } }))?.instead).toEqual(instead);
  expect(rulingOf(previewed(events, { dealer: { hold: null, ruled: { instead } } }))?.instead).toEqual(instead);
});

test("two rulings of one clause differ by what they do", () => {
  const ruling = (clause: string, ...steps: Step[]): Ruling => ({ clause, steps: steps.map((step) => ({ step, clause })), hold: null, positions: [], queued: false, instead: null });
  expect(differs(ruling("BAC8 5.2", "void"), ruling("BAC8 5.2", "reconstruct", "conclude"))).toBe(true);
  expect(differs(ruling("BAC8 5.2", "void"), ruling("BAC8 5.2", "void"))).toBe(false);
  expect(differs(ruling("BAC8 5.8", "void"), ruling("BAC8 5.2", "void"))).toBe(true);
});

test("a report that waits behind another says so, and nothing is no ruling", () => {
  expect(rulingOf(previewed([{ name: "report_queued", facts: { situation: "other" } }]))?.queued).toBe(true);
  expect(rulingOf(previewed([]))).toBeNull();
});

test("steps before the rest are done", () => {
  const all = ["take_up", "set_order", "conclude"] as const;
  expect(progress(all, ["set_order", "conclude"]).map(({ state }) => state)).toEqual(["done", "now", "later"]);
  expect(progress(["refer"], ["void"])).toEqual([{ step: "void", state: "now" }]);
});

test("patrons with stakes are counted once", () => {
  const stake = (number: number, ...shares: [string, number][]): OwnedStake => ({
    number, position: 1, wager: "tie", cents: shares.reduce((sum, [, cents]) => sum + cents, 0), shared: false, found: false,
    shares: shares.map(([patron, cents]) => ({ patron, cents, placed_by: null })),
  });
  expect(atStake([stake(1, ["amy", 100]), stake(2, ["amy", 50], ["bo", 25])])).toEqual({ patrons: 2, cents: 175 });
  expect(isOffer("offer_all")).toBe(true);
  expect(isOffer("void")).toBe(false);
});
