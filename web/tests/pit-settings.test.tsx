import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TableView } from "../src/api/types";
import { somebody } from "../src/app/session";
import { SettingsPage } from "../src/screens/pit/SettingsPage";
import { set } from "../src/state/settings";

const LIMIT = { minimum_cents: 1_000, maximum_cents: 200_000, step_cents: 500 };
const CLOCKS = { betting_ms: 15_000, pause_ms: 5_000, pace_ms: 600, answer_ms: 20_000, waits_for_patrons: true };
const SETTINGS = { limits: { "*": LIMIT }, method: null, differential_cents: null, wagers_per_area: null, optional: null, clocks: CLOCKS, dealt_by: "house" };

/** The table with what is set for the next call for bets. */
const table = (scheduled: Partial<typeof SETTINGS> | null): TableView =>
  ({
    phase: "DEALING",
    round: 3,
    rules: { wagers: [{ slug: "tie", name: "Tie" }], method: null, differential: null, wagers_per_area: null, room: "Main floor", dealt_by: "house", rulebook: "BAC8", version: 8 },
    pit: { may: [{ command: "set_limits" }, { command: "set_clocks" }], settings: SETTINGS, scheduled: scheduled && { ...SETTINGS, ...scheduled } },
  }) as unknown as TableView;

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  somebody.value = { kind: "staff", name: "arun", position: "Pit Manager" };
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  act(() => render(null, box));
  box.remove();
});

const show = (scheduled: Partial<typeof SETTINGS> | null) => act(async () => render(<SettingsPage name="08" view={table(scheduled)} />, box));
const field = (label: string): HTMLInputElement => {
  const named = box.querySelector<HTMLInputElement>(`input[aria-label='${label}']`);
  return named ?? ([...box.querySelectorAll("label")].find((one) => one.textContent?.startsWith(label))?.querySelector("input") as HTMLInputElement);
};
const press = (words: string) => act(async () => [...box.querySelectorAll("button")].find((one) => one.textContent === words)?.click());

async function type(label: string, text: string): Promise<void> {
  await act(async () => {
    field(label).value = text;
    field(label).dispatchEvent(new Event("input", { bubbles: true }));
    field(label).dispatchEvent(new Event("change", { bubbles: true }));
  });
}

test("a change that was refused stays with its refusal when another one of them was taken", async () => {
  const refused = { code: "clocks", detail: "The betting clock is too short.", sentence: "The betting clock is too short.", clause: null };
  const answers = [new Response(JSON.stringify({ sequence: 9, events: [] })), new Response(JSON.stringify(refused), { status: 409 })];
  vi.stubGlobal("fetch", vi.fn(async () => answers.shift()));
  await show(null);
  await type("Tie, Maximum", "1,500");
  await type("Bets are open", "0.5");
  await press("Set from the next round");
  await act(async () => new Promise((done) => setTimeout(done)));
  await show({ limits: { "*": LIMIT, tie: { ...LIMIT, maximum_cents: 150_000 } } as never });
  expect(field("Bets are open").value).toBe("0.5");
  expect(box.querySelector(".sched.stick")?.textContent).toContain("1 change waits.");
  expect(box.querySelector("[role=alert].err")?.textContent).toContain("Not set: clocks.");
  expect(box.querySelector("[role=alert].err")?.textContent).toContain("too short");
});

test("what somebody else sets leaves what is edited, and says where both changed the same", async () => {
  await show(null);
  await type("Tie, Maximum", "1,500");
  await show({ clocks: { ...CLOCKS, pause_ms: 9_000 } });
  expect([field("Tie, Maximum").value, field("Between rounds").value, box.querySelector(".tip.alert")]).toEqual(["1,500", "9", null]);
  await show({ limits: { "*": { ...LIMIT, maximum_cents: 180_000, minimum_cents: 2_000 } } });
  expect([field("Tie, Maximum").value, field("Tie, Minimum").value]).toEqual(["1,500", "20"]);
  expect(box.querySelector(".tip.alert")?.textContent).toContain("Somebody else set this while you were at it: Tie, Maximum (now 1,800).");
  await press("Discard");
  expect([field("Tie, Maximum").value, box.querySelector(".tip.alert"), box.querySelector(".stick")]).toEqual(["1,800", null, null]);
});

test("what was told of somebody else is over once one's own is set", async () => {
  const max = (maximum_cents: number) => ({ limits: { "*": { ...LIMIT, maximum_cents } } });
  await show(null);
  await type("Tie, Maximum", "1,500");
  await show(max(180_000));
  expect(box.querySelector(".tip.alert")).not.toBeNull();
  await show(max(150_000));
  await type("Tie, Maximum", "1,600");
  expect([box.querySelector(".tip.alert"), field("Tie, Maximum").value]).toEqual([null, "1,600"]);
});

test("what is no amount is said at its field, and is not set", async () => {
  await show(null);
  await type("Tie, Maximum", "1.000");
  expect([field("Tie, Maximum").value, box.querySelector("td .err")?.textContent]).toEqual(["1.000", "This is no amount. Write it as 1,000 or 1,000.50."]);
  expect(box.querySelector("#limits-wrong")?.textContent).toBe("Tie: what is written is no amount");
  expect(box.querySelector<HTMLButtonElement>(".stick .primary")?.disabled).toBe(true);
});
