import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as live from "../../src/api/live";
import type { Topic } from "../../src/api/topics";
import type { OwnPart, TableView } from "../../src/api/types";
import { useKeys } from "../../src/parts/keys";
import { useBetKeys } from "../../src/screens/terminal/betkeys";
import { makeBetting, type Betting } from "../../src/screens/terminal/betting";
import { Foot } from "../../src/screens/terminal/Foot";
import { Handling } from "../../src/screens/terminal/Handling";
import { NOBODY } from "../../src/screens/terminal/model/asked";
import { prefer } from "../../src/screens/terminal/preferences";
import type { Round } from "../../src/screens/terminal/rounds";
import { Spots } from "../../src/screens/terminal/Spots";
import { HereProvider } from "../../src/screens/terminal/table";
import { lift, veil } from "../../src/screens/terminal/veil";
import { set } from "../../src/state/settings";
import { hand, line, stake, wager } from "./make";

const RULES = { wagers: [wager("player"), wager("banker"), wager("tie")], game: "baccarat", kind: "live", dealt_by: "dealer" } as unknown as TableView["rules"];
const HOLD = { kind: "reset", situation: "device_reset", clause: "BAC8 5.2", sentence: "", since: 1, moment: "2026-01-01T04:10:20Z" } as unknown as TableView["hold"];
const OUTCOME = { winner: "banker", player: 7, banker: 8, natural: false, player_pair: false, banker_pair: false } as unknown as TableView["outcome"];
const VOIDED = { clause: "EB4 5.1.1", why: "a card was missing" };

const view = (phase: string, more: Partial<TableView> = {}, own: Partial<OwnPart> = {}): TableView =>
  ({ phase, round: 8, hold: null, outcome: null, hands: [], results: [], rules: RULES, power: false, next: null, mended: null, table_closes: null, closes_at: null, areas: [], own: { ...NOBODY, seat: 2, credit_cents: 1_000_00, ...own }, ...more }) as unknown as TableView;

const finished = (round: number, more: Partial<Round> = {}): Round =>
  ({ table: "tiger", round, cards: [], die: null, void: null, stakes: [{ stake: 1, wager: "banker", position: 2, cents: 100_00, shared: false }], lines: [], corrected: [], ...more }) as unknown as Round;

let box: HTMLElement;
let table: ReturnType<typeof signal<Topic<TableView> | null>>;
let betting: Betting;

function Keys() {
  useKeys(useBetKeys());
  return null;
}

/** Show the felt of a table as it is now. */
function shows(now: TableView, rounds: Round[] = []): void {
  act(() => {
    table.value = { sequence: (table.peek()?.sequence ?? 0) + 1, time: "", events: [], view: now };
    const here = { name: "tiger", view: now, own: now.own ?? NOBODY, betting, rounds, sheet: null };
    render(
      <HereProvider value={here}>
        <Keys />
        <main>
          <Handling />
          <Spots />
        </main>
        <Foot />
      </HereProvider>,
      box,
    );
  });
}
const message = (): string => box.querySelector(".msg")?.textContent ?? "";
const panel = (): string | null => box.querySelector(".hold")?.getAttribute("aria-label") ?? null;

beforeEach(() => {
  set("language", "en");
  prefer("autoConfirm", false);
  prefer("chip", 100_00);
  sessionStorage.clear();
  live.connection.value = "live";
  veil.value = {};
  table = signal<Topic<TableView> | null>(null);
  betting = makeBetting("tiger", table as Parameters<typeof makeBetting>[1]);
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
  betting.dispose();
  vi.restoreAllMocks();
});

describe("whoever keeps the shoe", () => {
  const holder = { shoe_held: true, may: [{ command: "relinquish_shoe", clause: "BAC8 3.11.8.1" }] } as unknown as Partial<OwnPart>;
  const staked = { ...holder, stakes: [stake(1, "banker", 100_00)] };
  test("draws beside the panel, and reads beside it that the table closes", () => {
    shows(view("DEALING", { table_closes: "2000-01-01T00:00:00Z" }, staked));
    expect(panel()).toBe("The shoe is yours");
    expect(message()).toBe("This table is closing. No round follows this one.");
  });
  test("reads why a chip was refused, and may give the shoe up between rounds", () => {
    shows(view("OPEN", {}, { ...holder, credit_cents: 50_00 }));
    act(() => betting.tap(wager("banker"), 100_00));
    expect(panel()).toBeNull();
    expect(box.querySelector(".msg [role=alert]")?.textContent).toContain("50.00");
    expect(message()).toContain("Give up the shoe BAC8 3.11.8.1");
  });
  test("reads the result, and that a round is void", () => {
    shows(view("SETTLED", { outcome: OUTCOME }, { ...holder, lines: [line("banker", "wins", 100_00, 95_00)] }));
    expect(message()).toContain("Banker wins, 8 over 7");
    expect(message()).toContain("+95.00");
    shows(view("DEALING", { round: 9 }, staked));
    shows(view("VOID", { round: 9 }, holder));
    expect(message()).toContain("All your stakes are returned: 100.00.");
  });
  test("reads what the round waits for in place of the panel", () => {
    shows(view("DEALING", { hold: HOLD }, staked));
    expect(panel()).toBeNull();
    expect(message()).toContain("The dealing device is being reset.");
  });
});

describe("whoever turns cards", () => {
  const own = { hands: ["banker"], stakes: [stake(1, "banker", 100_00)] } as unknown as Partial<OwnPart>;
  const hands = [hand("player", "5S"), hand("banker", null)];
  const text = (): string => box.querySelector(".hold .wait")?.textContent ?? "";
  test("is told by the panel alone which hand comes first", () => {
    shows(view("DEALING", { hands }, own));
    expect([text(), message()]).toEqual(["The other hand is turned first.", ""]);
  });
  test("reads in a hold what happened and since when, not that the other hand comes first", () => {
    shows(view("DEALING", { hands, hold: HOLD }, own));
    expect(text()).toBe("The round waits. You turn your cards when it goes on.");
    expect(message()).toMatch(/The dealing device is being reset\. .*Since \d\d:10:20\./);
  });
  test("looks at no card of another table", () => {
    shows(view("DEALING", { hands }, own));
    lift("B1", 0.4);
    act(() => render(null, box));
    expect(veil.value).toEqual({});
  });
});

describe("a round that is void", () => {
  const all = (): string => box.textContent ?? "";
  test("says what came back on the spot, in the message line and below", () => {
    shows(view("DEALING", {}, { stakes: [stake(1, "banker", 100_00)] }));
    shows(view("VOID"));
    expect(box.querySelector("[data-wager=banker]")?.textContent).toContain("100.00 back");
    expect(message()).toContain("returned: 100.00");
    expect(box.querySelector(".money")?.textContent).toContain("Returned100.00");
  });
  test.each([
    ["was taken back before", 8],
    ["lay in an earlier round", 7],
  ])("says nothing of a stake that %s", (_, round) => {
    shows(view("OPEN", { round }, { stakes: [stake(1, "banker", 100_00)] }));
    shows(view("OPEN"));
    shows(view("VOID"));
    expect(all()).not.toContain("100.00 back");
    expect(message()).toContain("Earlier rounds stand.");
    expect(message()).not.toContain("returned");
    expect(all()).not.toContain("Returned");
  });
  test("says nothing of a stake of an earlier round that the house tells after a reload", () => {
    shows(view("VOID"));
    act(() => betting.recalled(7, { banker: 100_00 }));
    expect(all()).not.toMatch(/100\.00 back|Returned/);
  });
});

describe("what happened in a finished round", () => {
  const told = (): string | null => box.querySelector("[role=dialog] b")?.textContent ?? null;
  const close = (): void => void act(() => box.querySelector<HTMLButtonElement>("[aria-label='Close this message']")?.click());
  const voided = finished(7, { void: VOIDED } as Partial<Round>);
  test("is told again when more happened to the same round after it was read", () => {
    const right = finished(7, { lines: [line("banker", "wins", 100_00, 95_00)], corrected: [line("banker", "loses", 100_00, -100_00)] });
    shows(view("OPEN"), [right]);
    expect(told()).toBe("The result of round 7 was put right for you.");
    close();
    shows(view("OPEN"), [right]);
    expect(told()).toBeNull();
    shows(view("OPEN"), [voided]);
    expect(told()).toBe("Round 7 is void.");
    close();
    shows(view("OPEN"), [voided]);
    expect(told()).toBeNull();
  });
  test("is read with the bets of the next round, but not what happens after them", () => {
    shows(view("OPEN"), [voided]);
    shows(view("OPEN", {}, { stakes: [stake(1, "tie", 50_00)] }), [voided]);
    expect(told()).toBeNull();
    const again = finished(7, { void: { ...VOIDED, clause: "EB4 5.9" } } as Partial<Round>);
    shows(view("DEALING", {}, { stakes: [stake(1, "tie", 50_00)] }), [again]);
    expect(told()).toBe("Round 7 is void.");
  });
  test("waits while a round waits, is void or shows its result, and is told after it", () => {
    shows(view("DEALING", { hold: HOLD }), [voided]);
    expect(message()).toContain("The dealing device is being reset.");
    shows(view("SETTLED", { outcome: OUTCOME }), [voided]);
    expect(message()).toContain("Banker wins, 8 over 7");
    shows(view("VOID"), [voided]);
    expect(message()).toContain("Earlier rounds stand.");
    expect(told()).toBeNull();
    shows(view("OPEN", { round: 9 }), [voided]);
    expect(told()).toBe("Round 7 is void.");
  });
});

test("keys put nothing down, take nothing back and send nothing while the connection is down", () => {
  const given = vi.spyOn(live, "command").mockImplementation(() => new Promise(() => undefined));
  const press = (key: string, on: EventTarget = document.body): void => void act(() => void on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
  const banker = (): Element => box.querySelector("[data-wager=banker]") as Element;
  shows(view("OPEN", {}, { stakes: [stake(1, "banker", 100_00)] }));
  press("p");
  expect(betting.wanted.value).toEqual({ banker: 100_00, player: 100_00 });
  act(() => void (live.connection.value = "lost"));
  for (const key of ["p", "b", "t", "c"]) press(key);
  press("Delete", banker());
  expect([given.mock.calls.length, betting.wanted.value]).toEqual([0, { banker: 100_00, player: 100_00 }]);
  act(() => void (live.connection.value = "live"));
  press("c");
  expect(given.mock.calls.length).toBe(1);
});
