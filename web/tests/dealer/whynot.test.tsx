import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WhyNot, type Instead } from "../../src/screens/dealer/WhyNot";
import { set } from "../../src/state/settings";

let box: HTMLElement;
beforeEach(() => {
  set("language", "en");
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

const shown = (instead: Instead | null): string | null => {
  act(() => render(<WhyNot instead={instead} />, box));
  return box.textContent;
};

test("it is said why the other ruling does not apply, and what it would do", () => {
  expect(shown({ clause: "BAC8 5.17.2", condition: "established", steps: ["conclude"] })).toBe(
    "Why not 5.17.2: no wager on offer is won or lost for certain by the cards that are known. If one were: The round is played to its end. BAC8 5.17.2",
  );
  expect(shown({ clause: "EB4 5.9.1", condition: "not_established", steps: ["void"] })).toBe(
    "Why not 5.9.1: a wager on offer is won or lost for certain by the cards that are known. If none were: The round is void. EB4 5.9.1",
  );
  expect(shown(null)).toBe("");
});
