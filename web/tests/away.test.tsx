import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connection, heardAt } from "../src/api/live";
import type { Problem } from "../src/api/types";
import { type Acting, useActing } from "../src/parts/acting";
import { Lost } from "../src/parts/Lost";
import { Foot } from "../src/screens/dealer/Foot";
import { set } from "../src/state/settings";

const REFUSED = { code: "wrong_phase", detail: "Bets are closed.", clause: "BAC8 3.4", status: 409, title: "", type: "" } as unknown as Problem;

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  connection.value = "live";
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
  vi.unstubAllGlobals();
});

const foot = (problem: Problem | null) => <Foot primary="Send report" enabled problem={problem} line="Nothing is done before." onPrimary={() => undefined} />;
const button = () => box.querySelector<HTMLButtonElement>("footer button");

test("why something was not done stands beside its button, and is announced", () => {
  act(() => render(foot(null), box));
  expect(box.textContent).toContain("Nothing is done before.");
  act(() => render(foot(REFUSED), box));
  expect(box.querySelector("footer [role=alert]")?.textContent).toContain("BAC8 3.4");
});

test("while the house is away buttons are off, and it is said why and since when", () => {
  heardAt.value = Date.parse("2026-01-01T10:20:30Z");
  connection.value = "lost";
  act(() => render(<><Lost />{foot(null)}</>, box));
  expect(button()?.disabled).toBe(true);
  expect(button()?.textContent).toBe("Send report");
  expect(box.textContent).toContain("nothing can be sent until it is back");
  expect(box.querySelector(".lost")?.textContent).toMatch(/since \d\d:20:\d\d/);
  act(() => void (connection.value = "live"));
  expect([button()?.disabled, box.querySelector(".lost")]).toEqual([false, null]);
});

test("that the house was away is not said any more once it is back", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ ...REFUSED, code: "unreached" }), { status: 409 })));
  let acting: Acting | null = null;
  const Gives = () => {
    acting = useActing("tiger");
    return <p>{acting.problem?.code}</p>;
  };
  act(() => render(<Gives />, box));
  await act(async () => void (await (acting as Acting | null)?.act({ type: "settle" })));
  expect(box.textContent).toBe("unreached");
  act(() => void (connection.value = "lost"));
  act(() => void (connection.value = "live"));
  expect(box.textContent).toBe("");
});
