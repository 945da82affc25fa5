import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CountAgain, TrayTable, useTray } from "../../src/screens/dealer/Tray";

let box: HTMLElement;
beforeEach(() => {
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

function Screen({ at }: { at: "opening" | "closing" }) {
  const tray = useTray("08", at);
  return (
    <>
      <TrayTable tray={tray} />
      <CountAgain tray={tray} />
    </>
  );
}
const show = (at: "opening" | "closing") => act(() => render(<Screen key={at} at={at} />, box));
const sum = () => box.querySelector(".sumrow b")?.textContent;
const put = (n: string) =>
  act(() => {
    const input = box.querySelector("input") as HTMLInputElement;
    input.value = n;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

test("closing begins with an empty count, and hands its own on", () => {
  show("opening");
  put("3");
  expect(sum()).toBe("300,000.00");
  show("closing");
  expect(sum()).toBe("0.00");
  put("2");
  show("closing");
  expect(sum()).toBe("200,000.00");
  show("opening");
  expect(sum()).toBe("200,000.00");
  act(() => box.querySelector<HTMLButtonElement>("button")?.click());
  expect(sum()).toBe("0.00");
});
