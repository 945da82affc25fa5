import { expect, test } from "vitest";
import { followArrows } from "../src/parts/radios";

test("arrows choose the next radio of a group, and pass over those that cannot be chosen", () => {
  document.body.innerHTML = `<div role="radiogroup">
    <button role="radio" id="a" aria-checked="true"></button><button role="radio" id="b" disabled></button>
    <button role="radio" id="c" aria-checked="false"></button></div>`;
  const pressed: string[] = [];
  for (const button of document.querySelectorAll("button")) button.addEventListener("click", () => pressed.push(button.id));
  followArrows(document);
  const press = (key: string) => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  document.getElementById("a")?.focus();
  press("ArrowRight");
  expect([document.activeElement?.id, pressed]).toEqual(["c", ["c"]]);
  press("ArrowDown");
  expect([document.activeElement?.id, pressed]).toEqual(["a", ["c"]]);
  press("x");
  expect(document.activeElement?.id).toBe("a");
});
