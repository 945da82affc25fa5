import { render } from "preact";
import { useState } from "preact/hooks";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Field, Open, TableView } from "../../src/api/types";
import type { Desk } from "../../src/screens/dealer/context";
import { Fields } from "../../src/screens/dealer/CommandForm";
import { type Draft, missing } from "../../src/screens/dealer/form";

const GAMES = [
  { game: "baccarat", name: "Baccarat", rulebook: "BAC8", version: 8, deck: 52, decks: { min: 6, max: 8 }, wagers: ["player", "tie"] },
  { game: "electronic", name: "Electronic", rulebook: "EB4", version: 4, deck: 52, decks: { min: 6, max: 8 }, wagers: ["player", "tie"] },
];
vi.mock("../../src/state/loaded", () => ({ useLoaded: () => [{ value: { value: GAMES, problem: null, at: 0 } }, () => undefined] }));

const LIMIT = { minimum_cents: 1_000, maximum_cents: 200_000, step_cents: 500 };
const view = { rules: { wagers: [{ slug: "tie", name: "Tie", ...LIMIT }] }, hands: [] } as unknown as TableView;
const desk = { table: "baccarat-1", view } as unknown as Desk;

let box: HTMLElement;
let held: Draft = {};
beforeEach(() => {
  held = {};
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

const opening = (kind: Field["kind"]): Open => ({ command: "it", fields: [{ name: kind, kind, required: true }] }) as unknown as Open;

async function form(kind: Field["kind"]): Promise<Open> {
  const open = opening(kind);
  function Form() {
    const [draft, put] = useState<Draft>({});
    held = draft;
    return <Fields desk={desk} open={open} draft={draft} onDraft={put} />;
  }
  await act(async () => render(<Form />, box));
  return open;
}

const input = (n: number): HTMLInputElement => box.querySelectorAll<HTMLInputElement>("input.num")[n] as HTMLInputElement;

async function type(into: HTMLInputElement, text: string): Promise<void> {
  await act(async () => {
    into.value = text;
    into.dispatchEvent(new Event("input", { bubbles: true }));
    into.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

const limitOf = (slug: string): unknown => (held["settings"] as { limits: Record<string, unknown> }).limits[slug];

test("a limit that is no amount is said at its field and keeps the table from being opened", async () => {
  const open = await form("settings");
  const minimum = input(1);
  await type(minimum, "1.000");
  expect([minimum.value, minimum.getAttribute("aria-invalid")]).toEqual(["1.000", "true"]);
  expect(box.querySelector(`#${CSS.escape(minimum.getAttribute("aria-describedby") ?? "")}`)?.textContent).toContain("no amount");
  expect(missing(open, held)).toEqual(["settings"]);
  await type(minimum, "1,000");
  expect([box.querySelector(".err"), minimum.value]).toEqual([null, "1,000"]);
  expect(missing(open, held)).toEqual([]);
  expect(limitOf("player")).toMatchObject({ minimum_cents: 100_000 });
});

test("another game brings its usual limits, in the fields and in what is sent", async () => {
  await form("settings");
  const positions = input(0);
  await type(positions, "3");
  await type(input(1), "7,000");
  await type(input(2), "so much");
  const game = box.querySelector("select") as HTMLSelectElement;
  await act(async () => {
    game.value = "electronic";
    game.dispatchEvent(new Event("change", { bubbles: true }));
  });
  expect([input(0).value, input(1).value, input(2).value]).toEqual(["20", "100", "20,000"]);
  expect(held["settings"]).toMatchObject({ positions: 20 });
  expect(limitOf("player")).toMatchObject({ minimum_cents: 10_000, maximum_cents: 2_000_000 });
});

test("a limit by wager that is no amount is not the old one, and is not sent", async () => {
  const open = await form("limits");
  await type(input(1), "1.000");
  expect(box.querySelector("td .err")?.textContent).toContain("no amount");
  expect(missing(open, held)).toEqual(["limits"]);
  await type(input(1), "900");
  expect(missing(open, held)).toEqual([]);
  expect(held["limits"]).toEqual({ tie: { ...LIMIT, maximum_cents: 90_000 } });
});

test("a clock that is no number is not nought", async () => {
  const open = await form("clocks");
  await type(input(0), "15 s");
  expect([box.querySelector("label .err")?.textContent, input(0).value]).toEqual(["This is no number. Write it in figures.", "15 s"]);
  expect(missing(open, held)).toEqual(["clocks"]);
  await type(input(0), "12,5");
  expect(held["clocks"]).toMatchObject({ betting_ms: 12_500 });
  expect(missing(open, held)).toEqual([]);
});

test("what is being typed stays while the table goes on", async () => {
  await form("settings");
  const minimum = input(1);
  minimum.value = "4";
  minimum.dispatchEvent(new Event("input", { bubbles: true }));
  await act(async () => void input(2).dispatchEvent(new Event("input", { bubbles: true })));
  await type(input(3), "50");
  expect(minimum.value).toBe("4");
});
