import { type Signal, signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OwnPart, TableView } from "../../src/api/types";
import { NOBODY } from "../../src/screens/terminal/model/asked";
import { wager } from "./make";

const VALIDATION = "ABCD1234EFGH5678";
let answers: (() => Promise<Response>)[] = [];
let keys: string[] = [];

/** A page as it is when it was loaded anew: nothing of its memory is left. */
async function page() {
  vi.resetModules();
  const [live, session, tickets, betting, wallet, table, note] = await Promise.all([
    import("../../src/api/live"),
    import("../../src/app/session"),
    import("../../src/screens/terminal/tickets"),
    import("../../src/screens/terminal/betting"),
    import("../../src/screens/terminal/sheets/Wallet"),
    import("../../src/screens/terminal/table"),
    import("../../src/screens/terminal/TicketNote"),
  ]);
  const enters = (name: string): void => {
    session.somebody.value = { kind: "patron", name, position: null } as never;
    live.connection.value = "live";
  };
  return { ...tickets, ...betting, ...wallet, ...table, ...note, enters, somebody: session.somebody };
}

const json = (value: unknown, status = 200): (() => Promise<Response>) => () => Promise.resolve(new Response(JSON.stringify(value), { status }));
const lost = (): Promise<Response> => Promise.reject(new TypeError("offline"));
const ticket = (number = "7"): (() => Promise<Response>) => json({ sequence: 1, accepted: true, events: [], ticket: number, validation: VALIDATION });
const problem = (status: number, code: string): (() => Promise<Response>) => json({ type: "", title: "", status, detail: "No.", code, clause: null }, status);
const passes = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

let box: HTMLElement;
beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  [answers, keys] = [[], []];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (!path.endsWith("/cage/commands")) return json([])();
    keys.push(new Headers(init.headers).get("Idempotency-Key") ?? "");
    return (answers.shift() ?? lost)();
  });
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
  for (const paper of document.querySelectorAll(".paper")) paper.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a cash-out whose answer does not come is asked again under the same key until there is one", async () => {
  const { cashOut, printed, awaited, enters } = await page();
  enters("patron-01");
  answers = [lost, problem(503, "busy"), problem(401, "signed_out"), problem(429, "too_many"), ticket()];
  await cashOut(120_00);
  expect([awaited.value?.late, printed.value]).toEqual([true, []]);
  await cashOut(120_00);
  await passes(60_000);
  expect([keys.length, new Set(keys).size]).toEqual([5, 1]);
  expect([awaited.value, printed.value]).toEqual([null, [expect.objectContaining({ number: "7", cents: 120_00, validation: VALIDATION })]]);
  expect(sessionStorage.length).toBe(0);
});

test("after a reload it is asked under the same key; a ticket that was shown does not come back", async () => {
  const before = await page();
  before.enters("patron-01");
  await before.cashOut(120_00);
  expect(before.awaited.value?.late).toBe(true);
  before.somebody.value = null; // Its timers go with a page; here they would go on.
  const after = await page();
  answers = [ticket()];
  after.enters("patron-01");
  await passes(1);
  expect([new Set(keys).size, after.printed.value.map(({ validation }) => validation)]).toEqual([1, [VALIDATION]]);
  const asked = keys.length;
  const later = await page();
  later.enters("patron-01");
  await passes(60_000);
  expect([keys.length, later.printed.value, later.awaited.value]).toEqual([asked, [], null]);
});

test("a refusal is an answer, and the next cash-out has another key", async () => {
  const { cashOut, printed, awaited, refused, enters } = await page();
  enters("patron-01");
  answers = [problem(409, "not_enough"), ticket()];
  await cashOut(120_00);
  expect([awaited.value, refused.value?.code, sessionStorage.length]).toEqual([null, "not_enough", 0]);
  await cashOut(120_00);
  expect([new Set(keys).size, printed.value.length, refused.value]).toEqual([2, 1, null]);
});

test("who signs in next in the tab neither sees nor asks for the ticket of another patron", async () => {
  const { cashOut, printed, awaited, enters } = await page();
  enters("patron-01");
  answers = [ticket()];
  await cashOut(120_00);
  await cashOut(50_00);
  expect([printed.value.length, awaited.value?.cents]).toEqual([1, 50_00]);
  const asked = keys.length;
  enters("patron-02");
  await passes(60_000);
  expect([printed.value, awaited.value, keys.length]).toEqual([[], null, asked]);
  answers = [ticket("8")];
  enters("patron-01");
  await passes(1);
  expect(printed.value.map(({ number }) => number)).toEqual(["8", "7"]);
});

// The sheet

const view = { phase: "OPEN", round: 8, hold: null, outcome: null, hands: [], results: [], rules: { wagers: [wager("player")] }, own: { ...NOBODY, seat: 2 } } as unknown as TableView;

type Page = Awaited<ReturnType<typeof page>>;

/** The sheet, or what the table asks in its place. */
function shows(of: Page, option: boolean, typed = new Map<string, Signal<unknown>>()): void {
  const own = (option ? { ...view.own, option: {} } : view.own) as OwnPart;
  const here = { name: "tiger", view, own, betting: of.makeBetting("tiger", signal(null)), rounds: null, sheet: "wallet", typed };
  const { HereProvider, Wallet, TicketNote } = of;
  act(() => render(<HereProvider value={here}>{option ? <TicketNote /> : <Wallet />}</HereProvider>, box));
}
const press = (name: string): void => void act(() => [...box.querySelectorAll("button")].find((one) => one.textContent?.trim() === name)?.click());
const GROUPS = "ABCD 1234 EFGH 5678";

test("the number of a ticket survives a question and every other sheet, until it was said to be noted", async () => {
  const of = await page();
  of.enters("patron-01");
  answers = [ticket()];
  await of.cashOut(120_00);
  shows(of, false);
  expect(box.textContent).toContain(GROUPS);
  shows(of, true);
  expect([box.textContent?.includes(GROUPS), box.textContent?.includes("Your ticket for 120.00 is here")]).toEqual([false, true]);
  shows(of, false);
  expect(box.textContent).toContain(GROUPS);
  press("Put the ticket away");
  press("No, keep it here");
  expect(box.textContent).toContain(GROUPS);
  press("Put the ticket away");
  expect(box.querySelector("[role=status]")?.textContent).toContain("Have you noted the validation");
  press("Yes, I have the number");
  expect(box.textContent).not.toContain(GROUPS);
});

test("only the ticket is on the paper, and is gone from the page when it is printed", async () => {
  const of = await page();
  of.enters("patron-01");
  answers = [ticket()];
  await of.cashOut(120_00);
  shows(of, false);
  const papers: string[] = [];
  window.print = () => void papers.push([...document.querySelectorAll("body > .paper > *")].map((one) => `${one.className} ${one.textContent}`).join());
  press("Print");
  expect(papers).toEqual([expect.stringMatching(/^tick .*120\.00.*ABCD 1234 EFGH 5678/)]);
  expect(papers[0]).not.toContain("Put the ticket away");
  dispatchEvent(new Event("afterprint"));
  expect(document.querySelector(".paper")).toBeNull();
});

test("an answer that is awaited is said in the sheet, and nothing more is taken out meanwhile", async () => {
  const of = await page();
  of.enters("patron-01");
  await of.cashOut(120_00);
  shows(of, false);
  expect(box.textContent).toContain("The answer to your ticket for 120.00 is awaited.");
  shows(of, true);
  expect(box.textContent).toContain("The answer to your ticket for 120.00 is awaited.");
});

test("what was typed in a sheet is there again after a question, and not when the sheet was closed", async () => {
  const of = await page();
  of.enters("patron-01");
  const typed = new Map<string, Signal<unknown>>();
  const field = (): HTMLInputElement => box.querySelector("input") as HTMLInputElement;
  shows(of, false, typed);
  press("Cash out");
  act(() => {
    field().value = "75";
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
  shows(of, true, typed);
  shows(of, false, typed);
  expect(field().value).toBe("75");
  shows(of, true, typed);
  shows(of, false);
  expect(field().value).not.toBe("75");
});
