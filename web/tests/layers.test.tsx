import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Dialog } from "../src/parts/Dialog";
import { KeysButton } from "../src/parts/KeyList";
import { useKeys } from "../src/parts/keys";
import { Sheet } from "../src/parts/Sheet";
import { set, settings } from "../src/state/settings";

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

const pressed: string[] = [];
function Felt() {
  useKeys({ p: () => void pressed.push("p"), Escape: () => void pressed.push("Escape"), F4: () => void pressed.push("F4"), Backspace: () => void pressed.push("Backspace") });
  return <button id="felt">Felt</button>;
}
const press = (key: string, on: EventTarget = document.activeElement ?? document.body, more: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  act(() => void on.dispatchEvent(event));
  return event;
};
const blur = (): void => (document.activeElement as HTMLElement | null)?.blur();
const focused = (): string | undefined => document.activeElement?.id;

test("an open dialog owns the keyboard, though a click on its words left the focus on the page", () => {
  const back = vi.fn();
  pressed.length = 0;
  act(() => render(<><Felt /><Dialog title="Settings" onBack={back}><button id="one">One</button></Dialog></>, box));
  blur();
  expect(document.activeElement).toBe(document.body);
  for (const key of ["p", "F4", "Backspace"]) press(key, document.body);
  press("p", document.querySelector("#felt") as Element);
  expect([pressed, back.mock.calls.length]).toEqual([[], 0]);
  press("Escape", document.body);
  expect([pressed, back.mock.calls.length]).toEqual([[], 1]);
  act(() => render(<Felt />, box));
  press("p", document.body);
  press("Escape", document.body);
  expect(pressed).toEqual(["p", "Escape"]);
});

test("words of a dialog take the focus themselves, so that a click on them leaves the page alone", () => {
  act(() => render(<Dialog title="Settings" onBack={() => undefined}>Words</Dialog>, box));
  expect(box.querySelector("[role=dialog]")?.getAttribute("tabindex")).toBe("-1");
});

test("Tab stays in a dialog, also from outside of it", () => {
  act(() => render(<><Felt /><Dialog title="Settings" onBack={() => undefined}><button id="one">One</button><button id="two">Two</button></Dialog></>, box));
  blur();
  expect([press("Tab", document.body).defaultPrevented, focused()]).toEqual([true, "one"]);
  box.querySelector<HTMLElement>("#felt")?.focus();
  press("Tab", undefined, { shiftKey: true });
  expect(focused()).toBe("two");
  press("Tab");
  expect(focused()).toBe("one");
});

test("of two dialogs the one on top is closed first, and each has a title of its own", () => {
  const [under, over] = [vi.fn(), vi.fn()];
  const both = signal(false);
  const Both = () => (
    <Dialog title="Under" onBack={under}>
      <button>One</button>
      {both.value && <Dialog title="Over" onBack={over}><button>Two</button></Dialog>}
    </Dialog>
  );
  act(() => render(<Both />, box));
  act(() => void (both.value = true));
  const ids = [...box.querySelectorAll("[role=dialog]")].map((one) => one.getAttribute("aria-labelledby") ?? "");
  expect(new Set(ids).size).toBe(2);
  expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual(["Under", "Over"]);
  press("Escape", document.body);
  press("Escape", box.querySelectorAll("[role=dialog] button")[1]);
  expect([under.mock.calls.length, over.mock.calls.length]).toEqual([0, 2]);
  act(() => void (both.value = false));
  press("Escape", document.body);
  expect([under.mock.calls.length, over.mock.calls.length]).toEqual([1, 2]);
});

test("the list of keys opens over no dialog", () => {
  act(() => render(<><KeysButton /><Dialog title="Settings" onBack={() => undefined}>Words</Dialog></>, box));
  blur();
  press("?", document.body);
  expect(box.querySelectorAll("[role=dialog]").length).toBe(1);
});

test.each(["dialog", "sheet"])("a button of a %s that is disabled while it sends keeps the focus", async (kind) => {
  const sending = signal(false);
  const One = () => {
    const button = <button id="send" disabled={sending.value}>Send</button>;
    return kind === "dialog" ? <Dialog title="Sure" onBack={() => undefined}>{button}</Dialog> : <Sheet title="Sure" onClose={() => undefined}>{button}</Sheet>;
  };
  act(() => render(<One />, box));
  box.querySelector<HTMLElement>("#send")?.focus();
  await act(async () => void (sending.value = true));
  const around = box.querySelector(kind === "dialog" ? "[role=dialog]" : ".sheet");
  expect(document.activeElement).toBe(around);
  await act(async () => void (sending.value = false));
  expect(focused()).toBe("send");
});

test("a sheet whose title is said in another language takes no focus, neither from a dialog nor from its own fields", async () => {
  const Both = () => (
    <>
      <Sheet title={settings.value.language === "en" ? "Your money" : "您的款项"} onClose={closed}><input id="amount" /></Sheet>
      {over.value && <Dialog title="Settings" onBack={back}><button id="chinese">Chinese</button></Dialog>}
    </>
  );
  const [closed, back] = [vi.fn(), vi.fn()];
  const over = signal(true);
  act(() => render(<Both />, box));
  box.querySelector<HTMLElement>("#chinese")?.focus();
  await act(async () => set("language", "zh-Hans"));
  expect(focused()).toBe("chinese");
  press("Escape");
  expect([closed.mock.calls.length, back.mock.calls.length]).toEqual([0, 1]);
  await act(async () => void (over.value = false));
  box.querySelector<HTMLElement>("#amount")?.focus();
  await act(async () => set("language", "en"));
  expect(focused()).toBe("amount");
  press("Escape");
  expect(closed.mock.calls.length).toBe(1);
});
