import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Open, TableView } from "../src/api/types";
import { somebody } from "../src/app/session";
import { LimitsPanel, MorePanel, TimesPanel } from "../src/screens/pit/SettingsPanels";
import { type Draft, draftOf, type SettingsShown } from "../src/screens/pit/settings";
import { Effects } from "../src/screens/pit/Consequence";
import type { Consequence } from "../src/screens/pit/consequence";
import { Alarms, matterText, Waiting } from "../src/screens/pit/Side";
import { Tile } from "../src/screens/pit/Tile";
import type { Alarm } from "../src/screens/pit/alarms";
import type { PitTable } from "../src/screens/pit/floor";
import type { PitState } from "../src/screens/pit/usePit";
import type { Matter } from "../src/screens/pit/waiting";
import { set } from "../src/state/settings";

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  somebody.value = { kind: "staff", name: "arun", position: "Pit Manager" };
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

const TABLE = {
  summary: {
    name: "08", game: "baccarat", title: "Baccarat", rulebook: "BAC8", kind: "live", room: "Main floor", method: "A", dealt_by: "dealer", phase: "DEALING",
    calls: "", hold: null, sequence: 1, round: 60, seats: { taken: 5, positions: 7 }, limits: { minimum_cents: 10_000, maximum_cents: 2_000_000 },
    last: null, winners: ["banker", "player"], closes_at: null, table_closes: null,
  },
  dealer: "Mei L.", rounds_an_hour: 61.2, turnover_cents: 14_200_000, win_cents: -320_000, alarms: 0, hold: null, waits: null,
} as unknown as PitTable;

const matter: Matter = {
  table: "08", kind: "order", situation: "drawn_together", why: null, clause: "BAC8 5.8.2.2", since: null, answers: [], positions: ["Pit Manager"], patrons: [],
};
const pit = (matters: Matter[]): PitState => ({ matters, tables: [TABLE], floor: null, alarms: [], views: new Map(), problem: null, oldSince: null, again: () => undefined });

test("a tile tells seats, pace, turnover and win, and what holds the table", () => {
  act(() => render(<Tile table={TABLE} view={null} alarms={[]} />, box));
  for (const part of ["08", "Baccarat", "Mei L. · Method A", "Dealing", "5/7", "61", "142 k", "−3,200", "100–20,000"]) expect(box.textContent).toContain(part);
  expect(box.querySelector("a")?.getAttribute("href")).toBe("/pit/08");
  const held = { ...TABLE, summary: { ...TABLE.summary, hold: "order" }, hold: { kind: "order", situation: "drawn_together" } } as unknown as PitTable;
  act(() => render(<Tile table={held} view={null} alarms={[]} />, box));
  expect(box.querySelector(".tt")?.className).toContain("hold");
  expect(box.textContent).toContain("Came together");
});

test("a tile says which alarm stands, the heaviest first", () => {
  const alarm = (code: string, number: number) => ({ code, number, table: "08" }) as unknown as Alarm;
  const show = (...alarms: Alarm[]) => act(() => render(<Tile table={{ ...TABLE, alarms: alarms.length }} view={null} alarms={alarms} />, box));
  show(alarm("round_void", 2));
  expect(box.querySelector(".al")?.textContent).toBe("Round void");
  show(alarm("round_void", 2), alarm("terminal_lost", 1));
  expect(box.querySelector(".al")?.textContent).toBe("Round void, and 1 more");
});

test("a terminal that failed says which, in which round, and who decides", () => {
  const flagged: Matter = { ...matter, kind: "terminal", situation: null, clause: null, positions: ["Gaming Shift Manager"], terminals: [{ position: 2, round: 40 }] };
  act(() => render(<Waiting pit={pit([flagged])} onDecide={() => undefined} />, box));
  expect(box.querySelector(".oth p")?.textContent).toContain("Terminal 2, round 40.");
  expect(box.querySelector(".oth p")?.textContent).toContain("Waits for Gaming Shift Manager.");
  expect(box.querySelector("header .tag")?.textContent).toBe("1");
});

test("what waits for others is a row: where, what, for whom, and the way to the table", () => {
  act(() => render(<Waiting pit={pit([matter])} onDecide={() => undefined} />, box));
  const row = box.querySelector(".oth");
  expect([row?.querySelector("b")?.textContent, row?.querySelector("p")?.textContent]).toEqual(["Order of cards drawn together", "08 · Waits for Pit Manager."]);
  expect([row?.querySelector("a")?.textContent, row?.querySelector("a")?.getAttribute("href")]).toEqual(["See table", "/pit/08"]);
});

test("on a phone the weightiest alarms stand before the floor, and all when they are asked for", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const window = globalThis.window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  const alarms = Array.from({ length: 9 }, (_, number) => ({ code: "terminal_lost", number, table: "08", moment: "2026-11-19T13:00:00Z" }) as unknown as Alarm);
  const rows = () => box.querySelectorAll(".al-list li").length;
  act(() => render(<Alarms pit={{ ...pit([]), alarms }} />, box));
  expect(rows()).toBe(9);
  act(() => render(null, box));
  window.happyDOM.setViewport({ width: 360 });
  act(() => render(<Alarms pit={{ ...pit([]), alarms }} />, box));
  expect(rows()).toBe(4);
  const all = [...box.querySelectorAll("button")].find((one) => one.textContent === "Show all 9");
  act(() => all?.click());
  expect([rows(), box.textContent?.includes("Show all")]).toEqual([9, false]);
  window.happyDOM.setViewport({ width: 1024 });
  vi.unstubAllGlobals();
});

test("only whoever may decide is offered to", () => {
  act(() => render(<Waiting pit={pit([matter])} onDecide={() => undefined} />, box));
  expect(box.textContent).toContain("Waits for Pit Manager.");
  expect(box.querySelector("button")).toBeNull();
  let decided: Matter | null = null;
  const mine = { ...matter, answers: [{ command: "set_order" } as Open] };
  act(() => render(<Waiting pit={pit([mine])} onDecide={(one) => void (decided = one)} />, box));
  act(() => box.querySelector<HTMLButtonElement>("button")?.click());
  expect(decided).toBe(mine);
});

test("what waits for others stands under a heading of its own, and only one's own is pressing", () => {
  const mine = { ...matter, answers: [{ command: "set_order" } as Open] };
  const told = () => [...box.querySelectorAll("section")].map((one) => [one.getAttribute("aria-label"), one.querySelectorAll("article").length, one.querySelector("header .tag")?.className]);
  act(() => render(<Waiting pit={pit([mine, { ...matter, kind: "terminal" }])} onDecide={() => undefined} />, box));
  expect(told()).toEqual([["Waiting for you", 1, "end tag alert"], ["Waiting for somebody else", 1, "end tag"]]);
  act(() => render(<Waiting pit={pit([matter])} onDecide={() => undefined} />, box));
  expect(box.querySelector(".none")?.textContent).toBe("Nothing waits for you.");
  act(() => render(<Waiting pit={pit([])} onDecide={() => undefined} />, box));
  expect([told().length, box.querySelector(".none")?.textContent]).toEqual([1, "Nothing waits for a decision."]);
});

const LIMIT = { minimum_cents: 1_000, maximum_cents: 200_000, step_cents: 500 };
const SETTINGS = { limits: { "*": LIMIT }, method: "A", differential_cents: 500_000, wagers_per_area: 3, optional: null, clocks: {}, dealt_by: "dealer" } as unknown as SettingsShown;
const VIEW = { rules: { wagers: [{ slug: "tie", name: "Tie" }], method: "A", differential: { limit_cents: 500_000, clause: "" } } } as unknown as TableView;

test("a changed limit says what it was; one that cannot be is refused in words", () => {
  const was = draftOf(SETTINGS, ["tie"]);
  const may = [{ command: "set_limits", clause: "BAC8 3.5.1" }] as unknown as Open[];
  const panel = (now: Draft) => act(() => render(<LimitsPanel view={VIEW} now={now} was={was} may={may} edit={() => undefined} />, box));
  panel({ ...was, limits: { tie: { ...LIMIT, maximum_cents: 150_000 } } });
  const field = box.querySelector<HTMLInputElement>("input[aria-label='Tie, Maximum']");
  expect(field?.parentElement?.textContent).toBe("was 2,000");
  expect(box.querySelector(`#${field?.getAttribute("aria-describedby")}`)?.textContent).toBe("was 2,000");
  expect(box.querySelector("[role=alert]")).toBeNull();
  panel({ ...was, limits: { tie: { ...LIMIT, minimum_cents: 1_100 } } });
  expect(box.querySelector("[role=alert]")?.textContent).toContain("multiples of the step");
});

test("what a position does not set can be read and not changed", () => {
  const was = draftOf(SETTINGS, ["tie"]);
  act(() => render(<LimitsPanel view={VIEW} now={was} was={was} may={[]} edit={() => undefined} />, box));
  expect([...box.querySelectorAll("input")].every((input) => input.readOnly)).toBe(true);
  expect(box.textContent).toContain("Your position does not set this.");
  const may = [{ command: "set_method", fields: [{ name: "method", kind: "choice", required: true, allowed: ["A", "B"] }] }] as unknown as Open[];
  act(() => render(<MorePanel view={VIEW} now={was} was={was} may={may} edit={() => undefined} />, box));
  const methods = [...box.querySelectorAll<HTMLButtonElement>("[aria-label=Method] button")];
  expect(methods.map((button) => button.disabled)).toEqual([false, false, true]);
});

test("terminals that failed are named with their rounds, one in several too", () => {
  const flag = (position: number, round: number) => ({ position, round, stands: false });
  const matter: Matter = {
    table: "tiger",
    kind: "terminal",
    situation: null,
    why: null,
    clause: null,
    since: null,
    answers: [],
    positions: [],
    patrons: [],
    terminals: [flag(1, 32), flag(3, 33), flag(2, 33), flag(3, 33), flag(3, 37)],
  };
  expect(matterText(matter)).toContain("Terminal 1, round 32. Terminals 2, 3, round 33. Terminal 3, round 37.");
});

test("a decision that moves no money says so, without a heading over nothing", () => {
  const nothing = { bankCents: 0, effects: [] } as unknown as Consequence;
  act(() => render(<Effects of={nothing} />, box));
  expect([box.textContent, box.querySelector("h4")]).toEqual(["No money moves.", null]);
  act(() => render(<Effects of={{ ...nothing, bankCents: -500 }} />, box));
  expect(box.querySelector("h4")?.textContent).toBe("What it does to the money");
});

test("where the house deals until a Dealer comes, the settings say who deals now", () => {
  const was = { ...draftOf(SETTINGS, []), dealtBy: "house" };
  const may = [{ command: "set_dealt_by", fields: [{ name: "dealt_by", kind: "choice", required: true, allowed: ["dealer", "house"] }] }] as unknown as Open[];
  const panel = (by: string) => act(() => render(<TimesPanel view={{ rules: { dealt_by: by } } as unknown as TableView} now={was} was={was} may={may} edit={() => undefined} />, box));
  panel("dealer");
  expect(box.querySelector("small")?.textContent).toBe("The house deals until a Dealer signs in. A Dealer deals now.");
  panel("house");
  expect(box.querySelector("small")?.textContent?.trim()).toBe("The house deals until a Dealer signs in.");
});
