import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useLoaded } from "../src/state/loaded";

const answered = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });
const refused = (status: number): Response => answered(status, { code: "x", detail: "No.", clause: null, status, title: "", type: "" });

let box: HTMLElement;
beforeEach(() => {
  vi.useFakeTimers();
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const passed = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

function Shows() {
  const [loaded] = useLoaded<{ name: string }>("/shoes/1");
  const { value, problem } = loaded.value;
  return <p>{value?.name ?? problem?.status ?? "asked"}</p>;
}

/** Show what is loaded, while the house answers one after the other; the last one again and again. */
async function shown(...answers: Response[]): Promise<() => number> {
  const fetched = vi.fn(() => Promise.resolve((answers.length > 1 ? answers.shift() : answers[0])?.clone()));
  vi.stubGlobal("fetch", fetched);
  act(() => render(<Shows />, box));
  await passed(100);
  return () => fetched.mock.calls.length;
}

test("a house that could not be reached is asked again until it answers", async () => {
  const asked = await shown(refused(503), refused(502), answered(200, { name: "shoe 1" }));
  expect([box.textContent, asked()]).toEqual(["503", 1]);
  await passed(2_000);
  expect(box.textContent).toBe("502");
  await passed(20_000);
  expect([box.textContent, asked()]).toEqual(["shoe 1", 3]);
});

test("what is refused for good is asked once, and nothing is asked for whoever left", async () => {
  const once = await shown(refused(403));
  await passed(20_000);
  expect([box.textContent, once()]).toEqual(["403", 1]);
  act(() => render(null, box));
  const left = await shown(refused(503));
  act(() => render(null, box));
  await passed(20_000);
  expect(left()).toBe(1);
});
