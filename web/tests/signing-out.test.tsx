import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { App } from "../src/app/App";
import { go, routeOf } from "../src/app/router";
import { type Somebody, somebody } from "../src/app/session";
import { SettingsDialog } from "../src/parts/Settings";
import { set } from "../src/state/settings";

// As a browser fails that asks for a piece of the page from before an upgrade.
vi.mock("../src/screens/signin/Setup", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  box = document.body.appendChild(document.createElement("div"));
  somebody.value = { name: "patron-01", kind: "patron", position: null } as Somebody;
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
  vi.unstubAllGlobals();
  somebody.value = null;
});

const press = (name: string): void =>
  void act(() => Array.from(box.ownerDocument.querySelectorAll("button")).find((one) => one.textContent === name)?.click());

async function leave(answer: () => Promise<Response>): Promise<void> {
  vi.stubGlobal("fetch", answer);
  act(() => render(<SettingsDialog onBack={() => undefined} />, box));
  press("Sign out");
  await act(() => new Promise((done) => setTimeout(done, 20)));
}

test("whoever signs out without a connection is told, and stays signed in", async () => {
  await leave(() => Promise.reject(new TypeError("offline")));
  expect(document.body.textContent).toContain("You are still signed in.");
  expect(somebody.value?.name).toBe("patron-01");
});

test("whoever has no session any more is signed out", async () => {
  await leave(() => Promise.resolve(new Response(JSON.stringify({ code: "signed_out", detail: "", status: 401, clause: null }), { status: 401 })));
  expect(somebody.value).toBeNull();
});

test("an address that is not written as addresses are is one of nothing, not an empty page", () => {
  expect(routeOf("/table/%")).toMatchObject({ screen: "table", name: "%" });
  expect(routeOf("/table/a%20b").name).toBe("a b");
});

test("a page whose pieces are gone offers to be loaded anew", async () => {
  const reload = vi.fn();
  vi.stubGlobal("location", { pathname: "/", reload });
  go("/setup");
  act(() => render(<App />, box));
  await vi.waitFor(() => expect(box.textContent).toContain("This page was not loaded"), { timeout: 5000 });
  press("Load it anew");
  expect(reload).toHaveBeenCalledOnce();
});
