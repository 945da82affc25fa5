import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Open, TableView } from "../../src/api/types";
import type { Desk, Mode, Over } from "../../src/screens/dealer/context";
import { Tools } from "../../src/screens/dealer/Tools";
import { set } from "../../src/state/settings";

const REPORT = { command: "report", fields: [{ name: "about.situation", kind: "choice", required: true, allowed: ["other"] }] } as unknown as Open;

let box: HTMLElement;
const mode = signal<Mode>({ kind: "round" });
beforeEach(() => {
  set("language", "en");
  mode.value = { kind: "round" };
  box = document.body.appendChild(document.createElement("div"));
  const refused = { code: "not_now", detail: "No round is on.", clause: null };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refused), { status: 409 }));
});
afterEach(() => {
  act(() => render(null, box));
  vi.unstubAllGlobals();
  box.remove();
});

const show = (may: Open[]) => {
  const part = { may, not_here: [], hands: [], dealer: "mei", patrons: [], next: { system: false } };
  const view = { shoe: null, rules: { dealt_by: "dealer" }, hands: [], waiting: 0, phase: "OPEN" } as unknown as TableView;
  const desk = { table: "08", view, part, mode, over: signal<Over | null>(null), busy: false } as unknown as Desk;
  act(() => render(<Tools desk={desk} shoe={null} />, box));
};
const press = () =>
  act(async () => {
    dispatchEvent(new KeyboardEvent("keydown", { key: "F2" }));
    await new Promise((done) => setTimeout(done));
  });

test("F2 holds the round, as its button does", async () => {
  show([REPORT]);
  await press();
  expect(mode.value).toMatchObject({ kind: "report", situation: "other" });
});

test("F2 says why where nothing can be held", async () => {
  show([]);
  await press();
  expect(mode.value).toEqual({ kind: "round" });
  expect(box.querySelector("[role=status]")?.textContent).toContain("No round is on.");
});
