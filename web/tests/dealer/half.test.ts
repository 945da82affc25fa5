import { beforeEach, expect, test } from "vitest";
import type { Open, Situation } from "../../src/api/types";
import { somebody } from "../../src/app/session";
import { begun, dropHalf, type Half, keepHalf, keptHalf, stillOpen } from "../../src/screens/dealer/half";

const which = (...allowed: string[]) => ({ name: "about.situation", kind: "choice", required: true, allowed }) as const;
const place = (...allowed: string[]) => ({ name: "about.position", kind: "choice", required: true, allowed }) as const;
const laid = (...allowed: string[]) => ({ name: "about.laid", kind: "each", required: true, allowed }) as const;
const known = { name: "about.order_known", kind: "flag", required: true } as const;
const count = { name: "about.count", kind: "number", required: true, allowed: { minimum: 2, maximum: 6 } } as const;
const patron = { name: "about.patron", kind: "text", required: true } as const;
const note = { name: "note", kind: "text" } as const;
const cards = { name: "cards", kind: "cards", house: true, allowed: { minimum: 0, maximum: 2 } } as const;
const report = (...fields: Open["fields"] & object): Open => ({ command: "report", fields: [...fields, note] });

const may: Open[] = [
  report(which("exposed_in_error"), place("P1", "B1")),
  report(which("order_altered"), known, laid("P1", "B1"), cards),
  report(which("drawn_together"), count, known),
  report(which("late_increase"), patron),
];
const part = { may, not_here: [] };
const half = (situation: Situation, draft: object, tells = false): Half => ({ situation, draft: { "about.situation": situation, ...draft }, tells });

beforeEach(() => {
  sessionStorage.clear();
  somebody.value = { name: "dan" } as unknown as NonNullable<typeof somebody.value>;
});

test("a report begins with what has one value only, and with what was noted", () => {
  const one = report(which("exposed_in_error"), place("B2"));
  expect(begun({ may: [one], not_here: [] }, "exposed_in_error", "by the cuff")).toEqual(
    half("exposed_in_error", { "about.position": "B2", note: "by the cuff" }),
  );
});

test("what is half written is found again in its round, with all its answers", () => {
  const said = half("order_altered", { "about.order_known": false, "about.laid": ["B1"], cards: ["4S"], note: "two slid out" }, true);
  keepHalf("baccarat", 7, said);
  expect(keptHalf("baccarat", 7, part)).toEqual(said);
  expect(keptHalf("baccarat", 8, part), "of another round").toBeNull();
  expect(keptHalf("baccarat", null, part), "between rounds").toBeNull();
  expect(keptHalf("fa-fa", 7, part), "of another table").toBeNull();
  somebody.value = { name: "dot" } as unknown as NonNullable<typeof somebody.value>;
  expect(keptHalf("baccarat", 7, part), "of somebody else").toBeNull();
});

test("what is sent or left is kept no more, and what nobody can read is nothing", () => {
  keepHalf("baccarat", 7, half("late_increase", { "about.patron": "amy" }));
  dropHalf("baccarat");
  expect(keptHalf("baccarat", 7, part)).toBeNull();
  sessionStorage.setItem("croupier.report.dan.baccarat", "{");
  expect(keptHalf("baccarat", 7, part)).toBeNull();
  sessionStorage.setItem("croupier.report.dan.baccarat", JSON.stringify({ round: 7, situation: "late_increase" }));
  expect(keptHalf("baccarat", 7, part)).toBeNull();
});

test("a situation that the table does not take any more is kept no more", () => {
  const said = half("exposed_in_error", { "about.position": "P1" });
  expect(stillOpen(part, said)).toBe(said);
  expect(stillOpen({ may: may.slice(1), not_here: [] }, said)).toBeNull();
  expect(stillOpen({ may, not_here: ["exposed_in_error"] }, said)).toBeNull();
});

test.each<[string, Situation, object, object]>([
  ["a card that was turned since", "exposed_in_error", { "about.position": "B2", note: "n" }, { note: "n" }],
  ["a place of no card", "order_altered", { "about.laid": ["P1", "P3"], "about.order_known": true }, { "about.order_known": true }],
  ["more faces than can be told", "order_altered", { cards: ["4S", "5S", "6S"] }, {}],
  ["a number out of reach", "drawn_together", { "about.count": 7, "about.order_known": false }, { "about.order_known": false }],
  ["what was no number", "drawn_together", { "about.count": null }, {}],
  ["what is no yes or no", "drawn_together", { "about.order_known": "yes" }, {}],
  ["an answer to no question", "late_increase", { "about.stake": 3, "about.patron": "amy" }, { "about.patron": "amy" }],
])("of the answers %s goes, and the others stay", (_, situation, said, left) => {
  expect(stillOpen(part, half(situation, said))).toEqual(half(situation, left));
});
