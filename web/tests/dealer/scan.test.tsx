import { useSignal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { faceIn, outOfTurn, queued, scanned, struck, useScanner, useTaker, waiting } from "../../src/screens/dealer/scan";
import { Scanned } from "../../src/screens/dealer/Scanned";
import { set } from "../../src/state/settings";

test.each([
  ["4S", "4S"],
  ["4s", "4S"],
  ["s4", "4S"],
  ["td", "TD"],
  ["10D", "TD"],
  ["d0", "TD"],
  ["ah", "AH"],
  ["ha", "AH"],
])("of 52 the keys %s are %s", (keys, face) => expect(faceIn(52, keys)).toBe(face));

test.each([
  ["4-Gold", "4-Gold"],
  ["shou-fire", "Shou-Fire"],
  ["g4", "4-Gold"],
  ["ff", "Fu-Fire"],
  ["10-Water", "T-Water"],
])("of 65 the keys %s are %s", (keys, face) => expect(faceIn(65, keys)).toBe(face));

test.each([["4"], ["s"], ["44"], ["s4s4"], ["as well"], ["4-Gold"], [""]])("%j is no card of 52", (keys) => expect(faceIn(52, keys)).toBeNull());

test("keys belong together while nobody could type so fast", () => {
  const burst = [..."4S"].reduce<ReturnType<typeof struck> | null>((before, key, i) => struck(before, key, 100 + 20 * i), null);
  expect(burst).toEqual({ text: "4S", last: 120 });
  expect(struck(burst, "h", 300)).toEqual({ text: "h", last: 300 });
});

let box: HTMLElement;
const taken: string[] = [];
let takes: boolean | "next" = true;
const clicked = vi.fn();

/** A page with a field, a button, and somebody who takes cards or does not. */
function Page() {
  const words = useSignal("abc");
  useScanner(52);
  useTaker({
    take: (face) => {
      if (takes === true) taken.push(face);
      return takes;
    },
    mark: () => () => undefined,
  });
  return (
    <form onSubmit={(event) => { event.preventDefault(); clicked(); }}>
      <input value={words.value} onInput={(e) => void (words.value = e.currentTarget.value)} />
      <output>{words.value}</output>
      <button type="button" onClick={clicked}>do</button>
      <Scanned />
    </form>
  );
}

beforeEach(() => {
  set("language", "en");
  takes = true;
  taken.length = 0;
  clicked.mockReset();
  waiting.value = [];
  box = document.body.appendChild(document.createElement("div"));
  act(() => render(<Page />, box));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

/** Press keys as a browser does: a field takes each, Enter presses what has the focus. */
function typedInto(selector: string, keys: string[]): void {
  const target = box.querySelector<HTMLInputElement>(selector) as HTMLInputElement;
  for (const key of keys) {
    act(() => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      if (!target.dispatchEvent(event)) return;
      if (key === "Enter") target.click();
      else if (target instanceof HTMLInputElement) {
        target.value += key;
        target.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
  }
}

test("a card that is scanned into a field is a card, and the field is as it was", () => {
  typedInto("input", ["4", "S", "Enter"]);
  expect(taken).toEqual(["4S"]);
  expect(box.querySelector("input")?.value).toBe("abc");
  expect(box.querySelector("output")?.textContent).toBe("abc");
});

test("the Enter of a scanner presses no button", () => {
  typedInto("button", ["h", "9", "Enter"]);
  expect(taken).toEqual(["9H"]);
  expect(clicked).not.toHaveBeenCalled();
  typedInto("button", ["Enter"]);
  expect(clicked).toHaveBeenCalledTimes(1);
});

test("what is no card stays what was typed", () => {
  typedInto("input", ["x", "y", "Enter"]);
  expect(taken).toEqual([]);
  expect(box.querySelector("output")?.textContent).toBe("abcxy");
});

test("what nobody takes waits in order, is said, and is dismissed one by one", () => {
  takes = false;
  act(() => scanned("4S"));
  typedInto("button", ["7", "H", "Enter"]);
  expect(waiting.value.map(({ face }) => face)).toEqual(["4S", "7H"]);
  expect(box.textContent).toContain("Not entered yet");
  act(() => box.querySelector<HTMLButtonElement>("[aria-label='Take Four of spades out']")?.click());
  expect(waiting.value).toEqual([{ face: "7H", next: false }]);
});

test("what comes in its turn while another card is on its way is marked so", () => {
  takes = "next";
  typedInto("button", ["7", "H", "Enter"]);
  expect(waiting.value).toEqual([{ face: "7H", next: true }]);
});

test("a card keyed in while the last is on its way comes in its turn, and behind one that is looked at it waits", () => {
  waiting.value = [];
  queued("4S");
  queued("4S");
  expect(waiting.value).toEqual([{ face: "4S", next: true }, { face: "4S", next: true }]);
  outOfTurn();
  queued("7H");
  expect(waiting.value.map(({ next }) => next)).toEqual([false, false, false]);
  waiting.value = [];
});
