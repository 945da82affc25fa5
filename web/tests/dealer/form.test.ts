import { expect, test } from "vitest";
import type { Open } from "../../src/api/types";
import { blank, choicesOf, commandOf, fits, missing } from "../../src/screens/dealer/form";

const expose: Open = {
  command: "expose_card",
  fields: [
    { name: "position", kind: "choice", required: true, allowed: ["B1"] },
    { name: "cards", kind: "cards", required: true, house: true, allowed: { minimum: 1, maximum: 1, step: 1 } },
  ],
};

test("a field with one value only holds it from the start", () => {
  expect(blank(expose)).toEqual({ position: "B1" });
  expect(missing(expose, blank(expose))).toEqual(["cards"]);
});

test("what the house fills comes beside the command, not in it", () => {
  const draft = { position: "B1", cards: ["4D"] };
  expect(missing(expose, draft)).toEqual([]);
  expect(commandOf(expose, draft)).toEqual({ command: { type: "expose_card", position: "B1" }, more: { cards: ["4D"] } });
});

test("a point leads into an inner object, and what was left out is not said", () => {
  const report: Open = {
    command: "report",
    fields: [
      { name: "about.situation", kind: "choice", required: true, allowed: ["drawn_together"] },
      { name: "about.count", kind: "number", required: true, allowed: { minimum: 2, maximum: 6, step: 1 } },
      { name: "note", kind: "text" },
    ],
  };
  const draft = { ...blank(report), "about.count": 2, note: "" };
  expect(commandOf(report, draft).command).toEqual({ type: "report", about: { situation: "drawn_together", count: 2 } });
  expect(missing(report, { ...draft, "about.count": 7 })).toEqual(["about.count"]);
});

test("an order has each value once, and ends with what comes then", () => {
  const order: Open = {
    command: "report",
    fields: [{ name: "about.laid", kind: "each", required: true, allowed: ["P1", "B1"], then: ["P2"] }],
  };
  expect(missing(order, { "about.laid": ["B1"] })).toEqual(["about.laid"]);
  expect(missing(order, { "about.laid": ["B1", "B1"] })).toEqual(["about.laid"]);
  expect(commandOf(order, { "about.laid": ["B1", "P1"] }).command).toEqual({ type: "report", about: { laid: ["B1", "P1", "P2"] } });
});

test("a required text has words, and none that is taken", () => {
  const load: Open = { command: "load_shoe", fields: [{ name: "shoe", kind: "text", required: true, other_than: ["4"] }] };
  expect(missing(load, { shoe: "  " })).toEqual(["shoe"]);
  expect(missing(load, { shoe: "4" })).toEqual(["shoe"]);
  expect(commandOf(load, { shoe: " 5 " }).command).toEqual({ type: "load_shoe", shoe: "5" });
});

const place: Open = {
  command: "place_wager",
  fields: [
    { name: "patron", kind: "choice", required: true, allowed: ["a", "b"] },
    { name: "wager", kind: "choice", required: true },
    { name: "cents", kind: "cents", required: true },
  ],
  ways: [
    [
      { wager: ["banker"], cents: { minimum: 1000, maximum: 5000, step: 1000 } },
      { wager: ["tie"], cents: { minimum: 500, maximum: 900, step: 100 } },
    ],
    [
      { patron: ["a"], cents: { minimum: 1, maximum: 2000, step: 1 } },
      { patron: ["b"], cents: { minimum: 1, maximum: 9000, step: 1 } },
    ],
  ],
};

test("of every list of ways one must fit", () => {
  expect(missing(place, { patron: "a", wager: "banker", cents: 2000 })).toEqual([]);
  expect(missing(place, { patron: "a", wager: "banker", cents: 3000 })).toContain("cents");
  expect(missing(place, { patron: "b", wager: "tie", cents: 1000 })).toContain("cents");
  const wager = place.fields?.[1];
  expect(wager && choicesOf(place, { cents: 600 }, wager)).toEqual(["tie"]);
});

test("what is no number does not fit", () => {
  const cents = place.fields?.[2];
  expect(cents && fits(place, { cents: Number.NaN }, cents)).toBe(false);
});

test("cards other than the one that lies there", () => {
  const correct: Open = {
    command: "correct_card",
    fields: [{ name: "cards", kind: "cards", required: true, house: true, allowed: { minimum: 1, maximum: 1, step: 1 }, other_than: ["5C"] }],
  };
  expect(missing(correct, { cards: ["5C"] })).toEqual(["cards"]);
  expect(missing(correct, { cards: ["6C"] })).toEqual([]);
});
