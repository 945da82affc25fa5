import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Command, Open, TableView } from "../../src/api/types";
import { somebody } from "../../src/app/session";
import { FormDialog } from "../../src/screens/dealer/CommandForm";
import type { Desk, Mode, Over } from "../../src/screens/dealer/context";
import { HereDialog } from "../../src/screens/dealer/Here";
import { DecideDialog } from "../../src/screens/pit/Decide";
import { mattersOf } from "../../src/screens/pit/waiting";
import { set } from "../../src/state/settings";

const field = (name: string, more: object) => ({ name, required: true, ...more });
const PLACE = { command: "place_wager", fields: [field("patron", { kind: "text" }), field("cents", { kind: "cents", allowed: { minimum: 100, maximum: 900, step: 100 } })] } as unknown as Open;
const CONFIRM = { command: "confirm_report" } as unknown as Open;
const DISMISS = { command: "dismiss_report", fields: [field("reason", { kind: "text" })] } as unknown as Open;

interface At {
  round?: number;
  phase?: string;
  may?: Open[];
  hold?: number | null;
}

const table = ({ round = 5, phase = "OPEN", may = [], hold = null }: At): TableView => {
  const part = { may, next: { command: null, positions: [], patrons: [], system: false }, patrons: [], stakes: [], hold: hold && { kind: "report", situation: "other", clause: null, since: "2026-11-18T01:00:00Z", report: null, asked: [], answered: [] }, flagged: [], replacement_due: false };
  return { phase, round, hold: hold && { kind: "report", since: hold }, rules: { game: "baccarat", wagers: [] }, hands: [], pit: part, dealer: part } as unknown as TableView;
};

const given: [Command, unknown][] = [];
const deskOf = (at: At): Desk => {
  const view = table(at);
  const give = async (command: Command, more: unknown) => (given.push([command, more]), null);
  return { table: "08", view, part: view.dealer, mode: signal<Mode>({ kind: "round" }), over: signal<Over | null>(null), busy: false, away: false, problem: null, act: give, clear: () => undefined } as unknown as Desk;
};

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  given.length = 0;
  somebody.value = { kind: "staff", name: "mei", position: "Dealer" };
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  vi.unstubAllGlobals();
  box.remove();
});

const dialog = (): HTMLElement => document.querySelector("[role=dialog]") as HTMLElement;
const button = (words: string) => [...dialog().querySelectorAll("button")].find((one) => one.textContent === words) as HTMLButtonElement;
const settle = () => act(async () => new Promise((done) => setTimeout(done)));

async function type(label: string, text: string): Promise<void> {
  const input = [...dialog().querySelectorAll("label")].find((one) => one.textContent?.includes(label))?.control as HTMLInputElement;
  await act(async () => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const form = (at: At) => act(async () => render(<FormDialog desk={deskOf(at)} commands={["place_wager"]} onBack={() => undefined} />, box));

test("a wager is sent for the round in which its form was begun", async () => {
  await form({ may: [PLACE] });
  await type("Patron", "ng");
  await type("Amount", "5");
  await act(async () => button("Place a wager for a patron").click());
  expect(given).toEqual([[{ type: "place_wager", patron: "ng", cents: 500 }, { round: 5 }]]);
});

test("a form whose round is over says so, and sends nothing", async () => {
  await form({ may: [PLACE] });
  await type("Patron", "ng");
  await form({ may: [PLACE], round: 6 });
  expect(dialog().textContent).toContain("This was begun for round 5, and that round is over. Nothing was sent.");
  expect(button("Place a wager for a patron")).toBeUndefined();
});

test("a form knows what may be given now, not when it was opened", async () => {
  await form({ may: [PLACE] });
  await type("Patron", "ng");
  await type("Amount", "5");
  expect(button("Place a wager for a patron").disabled).toBe(false);
  const less = { ...PLACE, fields: [PLACE.fields?.[0], field("cents", { kind: "cents", allowed: { minimum: 600, maximum: 900, step: 100 } })] } as unknown as Open;
  await form({ may: [less] });
  expect([button("Place a wager for a patron").disabled, dialog().querySelector("#form-left")?.textContent]).toEqual([true, "Still missing: Amount"]);
  await form({ may: [] });
  expect(dialog().textContent).toContain("This is not open any more");
});

test("whoever acts at the console is asked anew what they may, and acts only on what they came for", async () => {
  let may = [CONFIRM, DISMISS];
  const sent: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, { body, method }: RequestInit) => {
    if (method === "POST") sent.push([path, JSON.parse(String(body))]);
    const answer = path.endsWith("/sessions") ? { token: "t", actor: { kind: "staff", name: "kim", position: "Pit Supervisor" } } : path.endsWith("/may") ? may : { view: table({ may, hold: 40 }) };
    return new Response(JSON.stringify(answer));
  });
  const here = (at: At) => act(async () => render(<HereDialog desk={deskOf(at)} command="confirm_report" onBack={() => undefined} />, box));
  await here({ hold: 40 });
  await type("Name", "kim");
  await type("Password", "x");
  await act(async () => void dialog().querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
  await settle();
  expect(button("Confirm the report").disabled).toBe(false);
  await act(async () => button("Confirm the report").click());
  expect(sent.at(-1)).toEqual(["/api/v1/tables/08/commands", { command: { type: "confirm_report" }, round: 5, hold: 40 }]);
  may = [];
  await here({ hold: 40, phase: "CLOSED" });
  await settle();
  expect(dialog().textContent).toContain("This is not open any more");
  may = [CONFIRM];
  await here({ hold: 55 });
  await settle();
  expect(dialog().textContent).toContain("This is not open any more");
});

test("a question that somebody else decided is not the next one of its kind", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ events: [], effects: [] })));
  const views = [40, 55].map((hold) => table({ may: [CONFIRM, DISMISS], hold }));
  const [first, second] = views.map((view) => mattersOf("08", view));
  const asked = (first ?? [])[0];
  if (asked === undefined || second === undefined) throw new Error("no question");
  const ask = (matters: typeof second, view: TableView | undefined) => act(async () => render(<DecideDialog asked={asked} matters={matters} view={view ?? null} onBack={() => undefined} />, box));
  await ask(first ?? [], views[0]);
  expect(dialog().querySelectorAll("[role=radio]")).toHaveLength(2);
  await ask(second, views[1]);
  expect(dialog().textContent).toContain("Somebody else decided it");
  expect([dialog().querySelectorAll("[role=radio], input").length, button("Back")?.disabled]).toEqual([0, false]);
});
