import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TableSummary, Wallet } from "../src/api/types";
import { somebody } from "../src/app/session";
import { Tile } from "../src/screens/lobby/Tile";
import { DemoLogins } from "../src/screens/signin/DemoLogins";
import { set } from "../src/state/settings";

const table: TableSummary = {
  name: "tiger", number: 8, game: "tiger", title: "Tiger Baccarat", rulebook: "EB4", kind: "electronic", room: "Main floor", method: null, dealt_by: "system",
  phase: "OPEN", calls: "Bets are open", hold: null, sequence: 1, round: 3, seats: { taken: 9, positions: 12 },
  limits: { minimum_cents: 500, maximum_cents: 1_000_000 }, winners: ["banker", "player", "tie"], closes_at: null, table_closes: null,
  last: { round: 2, cards: [], player: 7, banker: 4, winner: "player", player_pair: false, banker_pair: false, natural: false, die: null, power: false, void: false },
};

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  somebody.value = { kind: "patron", name: "patron-01", position: null };
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

const shown = (one: TableSummary, wallet: Wallet | null = null): string => {
  act(() => render(<Tile table={one} wallet={wallet} />, box));
  return box.textContent ?? "";
};
const action = (): HTMLElement | null => box.querySelector("footer a, footer button");

test("a tile tells its table: game, source, last result, state, limits and seats", () => {
  const text = shown(table);
  for (const part of ["08", "Tiger Baccarat", "Electronic", "commission on Banker, Tiger wagers", "Player 7 over 4", "Bets are open", "5 – 10,000", "9 of 12"]) expect(text).toContain(part);
  expect(box.querySelector("svg.road")?.getAttribute("aria-label")).toContain("3 rounds: Banker 1, Player 1, Tie 1");
});

test("a patron takes a free seat, watches a full table, returns to the own one", () => {
  shown(table);
  expect(action()?.getAttribute("aria-label")).toBe("Take a seat at Tiger Baccarat");
  shown({ ...table, seats: { taken: 12, positions: 12 } });
  expect(action()?.textContent).toBe("Watch");
  const seat = { table: "tiger", position: 4, credit_cents: 1, in_play_cents: 0, reserved_cents: 0 };
  shown({ ...table, seats: { taken: 12, positions: 12 } }, { cents: 0, in_transit_cents: 0, seats: [seat] });
  expect(action()?.getAttribute("aria-label")).toBe("Return to Tiger Baccarat, position 4");
  expect(action()?.getAttribute("href")).toBe("/table/tiger");
});

test("at a closed table nothing can be taken", () => {
  expect(shown({ ...table, phase: "UNOPENED" })).toContain("Closed");
  expect(action()).toBeNull();
});

test("staff find the display or their console, not a seat", () => {
  somebody.value = { kind: "staff", name: "pit", position: "Pit Manager" };
  shown(table);
  expect(action()?.getAttribute("href")).toBe("/display/tiger");
  act(() => void (somebody.value = { kind: "staff", name: "mei", position: "Dealer" }));
  shown(table);
  expect(action()?.getAttribute("href")).toBe("/dealer/tiger");
});

test("one tap on a demo login signs in with its name and password", () => {
  const tapped: string[][] = [];
  const logins = ["patron-01", "patron-02", "patron-03"].map((name) => ({ name, password: `of ${name}`, kind: "patron" as const, position: null }));
  const onTap = (...given: string[]): Promise<void> => Promise.resolve(void tapped.push(given));
  act(() => render(<DemoLogins logins={logins} sending={null} onTap={onTap} />, box));
  const buttons = (): HTMLButtonElement[] => [...box.querySelectorAll("button")];
  expect(buttons().map((one) => one.textContent)).toEqual(["patron-01Patron", "patron-02Patron", "1 morepatrons"]);
  act(() => buttons()[2]?.click());
  act(() => buttons()[2]?.click());
  expect(tapped).toEqual([["patron-03", "of patron-03"]]);
});

test("a login of the staff says its position, also where its name does", () => {
  const logins = [{ name: "pit-manager", password: "of pit-manager", kind: "staff" as const, position: "Pit Manager" }];
  act(() => render(<DemoLogins logins={logins} sending={null} onTap={async () => {}} />, box));
  expect([...box.querySelectorAll("button")].map((one) => one.textContent)).toEqual(["pit-managerPit Manager"]);
});
