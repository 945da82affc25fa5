import { expect, test } from "vitest";
import type { Open, TableView } from "../../src/api/types";
import { between, cardNumber, dueOf, houseDeals, houseFinishes, type Part, stepsOf } from "../../src/screens/dealer/course";

const view = (phase: string, game = "baccarat", dealt_by = "dealer"): TableView =>
  ({ phase, rules: { game, dealt_by }, hands: [] }) as unknown as TableView;
const part = (command: string | null, may: Open[] = [], dealer: string | null = null): Part =>
  ({ next: { command }, may, dealer }) as unknown as Part;

test("the steps before the current one are done", () => {
  expect(stepsOf(view("DEALING"), part("draw_card")).map(({ name, state }) => `${name} ${state}`)).toEqual([
    "bets done", "closed done", "deal now", "result later", "settle later",
  ]);
  expect(stepsOf(view("IDLE"), part("call_bets")).every(({ state }) => state === "later")).toBe(true);
});

test("a round that is paid has no step that is on", () => {
  const last = (command: string) => stepsOf(view("SETTLED"), part(command)).at(-1)?.state;
  expect([last("confirm_payment"), last("call_bets")]).toEqual(["now", "done"]);
});

test("the shake is a step where the game has a die", () => {
  expect(stepsOf(view("SHAKE", "power-98"), part("shake_die")).map(({ name }) => name)).toContain("shake");
  expect(stepsOf(view("OPEN"), part("close_bets")).map(({ name }) => name)).not.toContain("shake");
});

test("what is due is open, or not, to whoever works here", () => {
  expect(dueOf(part("call_bets"))).toEqual({ command: "call_bets", open: null, said: null, face: "none" });
  const call = { command: "call_bets" };
  expect(dueOf(part("call_bets", [call]))).toEqual({ command: "call_bets", open: call, said: {}, face: "none" });
});

test("a face may come with a card that is drawn, and must with one that nobody has read", () => {
  const cards = { name: "cards", kind: "cards", house: true } as const;
  const draw: Open = { command: "draw_card", fields: [{ ...cards, allowed: { minimum: 0, maximum: 1, step: 1 } }] };
  const turn: Open = { command: "expose_card", fields: [{ name: "position", kind: "choice", required: true, allowed: ["B1"] }, { ...cards, required: true }] };
  expect(dueOf(part("draw_card", [draw])).face).toBe("may");
  expect(dueOf(part("expose_card", [turn]))).toMatchObject({ face: "must", said: { position: "B1" } });
});

test("what has more than one value is asked for", () => {
  const first: Open = { command: "choose_first_hand", fields: [{ name: "side", kind: "choice", required: true, allowed: ["player", "banker"] }] };
  expect(dueOf(part("choose_first_hand", [first])).said).toBeNull();
});

test("the house deals until a Dealer signs in", () => {
  expect(houseDeals(view("OPEN", "baccarat", "house"), part(null))).toBe(true);
  expect(houseDeals(view("OPEN", "baccarat", "house"), part(null, [], "mei"))).toBe(false);
  expect(houseDeals(view("OPEN"), part(null))).toBe(false);
});

test("the number of the next card counts those that lie there", () => {
  const hands = [{ cards: [{}, {}] }, { cards: [{}] }] as unknown as TableView["hands"];
  expect(cardNumber({ hands })).toBe(4);
});

test("a table may be closed after a round that is paid, not while one is on", () => {
  const at = (phase: string, command: string | null) => between({ phase } as never, { next: { command } } as never);
  expect([at("IDLE", "call_bets"), at("VOID", null), at("SETTLED", "call_bets")]).toEqual([true, true, true]);
  expect([at("SETTLED", "confirm_payment"), at("DEALING", "draw_card")]).toEqual([false, false]);
});

test("the house deals the round to its end that it began, whoever takes the table over", () => {
  const at = (phase: string, system: boolean, dealer: string | null = "mei") =>
    houseFinishes(view(phase, "baccarat", "house"), { next: { command: "close_bets", system }, may: [], dealer } as unknown as Part);
  expect([at("OPEN", true), at("OPEN", false), at("IDLE", true), at("OPEN", true, null)]).toEqual([true, false, false, false]);
});
