import { signal } from "@preact/signals";
import { type ComponentChild, render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as live from "../../src/api/live";
import type { Topic } from "../../src/api/topics";
import type { OwnPart, TableView } from "../../src/api/types";
import { somebody } from "../../src/app/session";
import { spoken } from "../../src/i18n/catalogues";
import { useKeys } from "../../src/parts/keys";
import { useTitle } from "../../src/parts/title";
import { makeBetting, type Betting } from "../../src/screens/terminal/betting";
import { Foot } from "../../src/screens/terminal/Foot";
import { Handling } from "../../src/screens/terminal/Handling";
import { NOBODY } from "../../src/screens/terminal/model/asked";
import { prefer } from "../../src/screens/terminal/preferences";
import { Seat } from "../../src/screens/terminal/Seat";
import { LimitField } from "../../src/screens/terminal/sheets/Time";
import { sheetOf } from "../../src/screens/terminal/sheets/sheets";
import { Wallet } from "../../src/screens/terminal/sheets/Wallet";
import { Spots } from "../../src/screens/terminal/Spots";
import { type Here, HereProvider } from "../../src/screens/terminal/table";
import { Top } from "../../src/screens/terminal/Top";
import { moment } from "../../src/state/clock";
import { set } from "../../src/state/settings";
import { hand, stake, wager } from "./make";

const RULES = { wagers: [wager("player"), wager("banker"), wager("tie")], game: "power-98", name: "Power 98", rulebook: "EB4", kind: "electronic", dealt_by: "system", version: "1", positions: 3, room: "", method: null };
const view = (phase: string, more: Partial<TableView> = {}, own: Partial<OwnPart> = {}): TableView =>
  ({ phase, round: 8, hold: null, outcome: null, hands: [], results: [], rules: RULES, power: false, die: null, next: null, mended: null, table_closes: null, closes_at: null, opened: null, areas: {}, lost_terminals: [], seats: [], own: { ...NOBODY, seat: 2, credit_cents: 1_000_00, ...own }, ...more }) as unknown as TableView;

let box: HTMLElement;
let table: ReturnType<typeof signal<Topic<TableView> | null>>;
let betting: Betting;

function shows(now: TableView, ...parts: ComponentChild[]): void {
  act(() => {
    table.value = { sequence: (table.peek()?.sequence ?? 0) + 1, time: "", events: [], view: now };
    const here: Here = { name: "tiger", view: now, own: now.own ?? NOBODY, betting, rounds: [], sheet: null };
    render(<HereProvider value={here}>{parts}</HereProvider>, box);
  });
}
const text = (): string => box.textContent ?? "";
/** What screen readers hear by now. */
const announced = (): string => document.getElementById("announce")?.textContent ?? "";

beforeEach(() => {
  set("language", "en");
  prefer("autoConfirm", false);
  prefer("chip", 100_00);
  sessionStorage.clear();
  live.connection.value = "live";
  somebody.value = { kind: "patron", name: "patron-01", position: null } as never;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  table = signal<Topic<TableView> | null>(null);
  betting = makeBetting("tiger", table as Parameters<typeof makeBetting>[1]);
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
  betting.dispose();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  ["CLOSED", []],
  ["DEALING", [hand("player", "5S", "2H")]],
  ["RESULT", [hand("player", "5S", "2H"), hand("banker", "KS", "9H")]],
  ["SETTLED", [hand("player", "5S", "2H"), hand("banker", "KS", "9H")]],
])("a die that makes no Power hand is seen in %s too", (phase, hands) => {
  shows(view(phase, { die: 5, hands }), <Handling />);
  expect(box.querySelector(".pw")?.textContent).toBe("The die shows 5 · usual odds");
  shows(view(phase, { die: 3, power: true, hands }), <Handling />);
  expect(box.querySelector(".pw")?.textContent).toContain("Power hand");
  shows(view(phase, { hands }), <Handling />);
  expect(box.querySelector(".pw")).toBeNull();
});

test("whoever turns cards sees the die beside them", () => {
  shows(view("DEALING", { die: 5, hands: [hand("player", "5S"), hand("banker", null)] }, { hands: ["banker"], stakes: [stake(1, "banker", 100_00)] } as never), <Handling />);
  expect(box.querySelector(".squeezebox .pw")?.textContent).toContain("The die shows 5");
});

describe("a terminal that was recorded as not connected", () => {
  const lost = (own: Partial<OwnPart> = {}, more: Partial<TableView> = {}): void => shows(view("OPEN", { lost_terminals: [2], ...more }, own), <Handling />, <Spots />, <Foot />);
  test("says so with its clause, and puts nothing down", () => {
    lost({ stakes: [stake(1, "banker", 100_00)] });
    expect(box.querySelector(".msg [role=alert]")?.textContent).toMatch(/This terminal is paused\..*not connected.*100\.00.*EB4 5\.10/);
    expect([betting.open.value, betting.able.value]).toEqual([false, false]);
    act(() => betting.tap(wager("player"), 100_00));
    expect(betting.wanted.value).toEqual({ banker: 100_00 });
    const spot = box.querySelector("[data-wager=player]");
    expect([spot?.getAttribute("aria-disabled"), spot?.classList.contains("off")]).toEqual(["true", true]);
    const reason = document.getElementById(box.querySelector(".spots")?.getAttribute("aria-describedby") ?? "");
    expect(reason?.textContent).toContain("not connected");
  });
  test("is told by every act", () => {
    lost();
    const undo = box.querySelector("[aria-keyshortcuts=z]");
    expect(document.getElementById(undo?.getAttribute("aria-describedby") ?? "")?.textContent).toBe("This terminal is not connected.");
    expect(box.querySelector<HTMLButtonElement>("[aria-keyshortcuts=c]")?.disabled).toBe(true);
  });
  test("names no clause that is not of its rulebook, and nothing of another's terminal", () => {
    lost({}, { rules: { ...RULES, rulebook: "BAC8" } as never });
    expect(text()).not.toContain("EB4");
    lost({}, { lost_terminals: [3] });
    expect([text().includes("paused"), betting.open.value]).toEqual([false, true]);
  });
});

test("a hint in the house's own words says that it is English", () => {
  set("language", "zh-Hans");
  shows(view("DEALING", { next: { place: "P3", why: "The Player draws.", clause: "EB4 3" } as never }), <Handling />);
  expect([...box.querySelectorAll(".hint [lang=en]")].map((one) => one.textContent)).toEqual(["The Player draws."]);
});

test("last bets are announced in every round, however short", async () => {
  const closing = (): Partial<TableView> => ({ opened: new Date(moment()).toISOString(), closes_at: new Date(moment() + 4_900).toISOString() });
  for (const round of [8, 9]) {
    shows(view("OPEN", { round, ...closing() }), <Top />);
    await vi.waitFor(() => expect(announced()).toContain("Last bets, 5 s"));
    shows(view("DEALING", { round }), <Top />);
    await vi.waitFor(() => expect(announced()).not.toContain("Last bets"));
  }
});

test("the seconds of bets are said in the language of the page", async () => {
  set("language", "zh-Hans");
  await spoken();
  shows(view("OPEN", { opened: new Date(moment()).toISOString(), closes_at: new Date(moment() + 8_000).toISOString() }), <Top />);
  expect(box.querySelector("[role=timer]")?.getAttribute("aria-label")).toMatch(/^\d 秒$/);
});

test("Esc in the field of another amount leaves the field alone", () => {
  const closed = vi.fn();
  const Keys = (): null => {
    useKeys({ Escape: closed });
    return null;
  };
  shows(view("OPEN"), <Foot />, <Keys />);
  act(() => box.querySelector<HTMLButtonElement>(".other")?.click());
  const field = box.querySelector("input");
  act(() => void field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
  expect([closed.mock.calls.length, box.querySelector("input")]).toEqual([0, null]);
});

describe("a question after another", () => {
  const asked = (since: number): TableView =>
    view("DEALING", { hold: { kind: "withdrawal", since, moment: "2026-01-01T04:10:20Z", situation: null, asked: 1, answered: 0 } as never }, { option: { all_or_none: true, stakes: [1], clause: "EB4 5.1" } as never, stakes: [stake(1, "banker", 100_00)] });
  const Sheets = ({ now }: { now: TableView }) => sheetOf({ name: "tiger", view: now, own: now.own ?? NOBODY, betting, rounds: [], sheet: null }) as never;
  const chosen = (): number => box.querySelectorAll(".pick[aria-checked=true]").length;
  test("is not answered yet, and an answer says which it is of", async () => {
    const given = vi.spyOn(live, "command").mockImplementation(() => new Promise(() => undefined));
    shows(asked(40), <Sheets now={asked(40)} />);
    act(() => box.querySelector<HTMLButtonElement>(".pick")?.click());
    expect(chosen()).toBe(1);
    shows(asked(44), <Sheets now={asked(44)} />);
    expect(chosen()).toBe(0);
    act(() => box.querySelector<HTMLButtonElement>(".pick")?.click());
    act(() => box.querySelector<HTMLButtonElement>(".btn.primary")?.click());
    expect(given.mock.calls[0]?.[2]).toEqual({ hold: 44 });
  });
});

describe("an own limit", () => {
  const set = (): HTMLButtonElement => box.querySelector(".limfield button") as HTMLButtonElement;
  const shown = (since: string | null): void => shows(view("OPEN"), <LimitField limit={{ limit: "loss", value: 500_00, used: 0, then: since === null ? null : 900_00, since } as never} />);
  test("that waits to be higher can be taken back by setting the one that holds", () => {
    shown("2026-01-02T00:00:00Z");
    expect([set().disabled, text().includes("takes back the limit that waits")]).toEqual([false, true]);
  });
  test("that holds and waits for nothing cannot be set once more", () => {
    shown(null);
    expect([set().disabled, text().includes("This is the limit that holds.")]).toEqual([true, true]);
  });
});

test("whoever has the seat but not the money reads why", async () => {
  const problem = { type: "", title: "", status: 409, detail: "The table is full of credit.", code: "not_taken", clause: null };
  const taken = { accepted: true, sequence: 1, events: [] };
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.endsWith("/cage/commands")) return new Response(JSON.stringify(problem), { status: 409 });
    if (path.endsWith("/tiger/commands")) return new Response(JSON.stringify(taken));
    throw new TypeError("offline");
  });
  const free = view("OPEN", {}, { seat: null, may: [{ command: "take_seat", fields: [{ name: "position", allowed: [1, 2] }], clause: null }] } as never);
  const mine = live.follow<{ wallet: object; left: null }>("me")[0];
  mine.value = { sequence: 1, time: "", events: [], view: { wallet: { cents: 900_00, in_transit_cents: 0, seats: [] }, left: null } };
  shows(free, <Seat />);
  await act(async () => box.querySelector<HTMLButtonElement>("button.take")?.click());
  await vi.waitFor(() => expect(location.pathname).toBe("/table/tiger/wallet"));
  shows(view("OPEN"), <Wallet />);
  expect(text()).toContain("You have the position; the money was not brought.");
});

test("a page names the window, in its language, and leaves no name behind", () => {
  const Page = ({ name }: { name: string }): null => {
    useTitle(name);
    return null;
  };
  act(() => render(<Page name="Tables" />, box));
  expect(document.title).toBe("Tables · Croupier");
  act(() => render(<Page name="赌台" />, box));
  expect(document.title).toBe("赌台 · Croupier");
  act(() => render(null, box));
  expect(document.title).toBe("Croupier");
});
