import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ShoeKnown } from "../../src/api/types";
import { type Sight, rememberRoot, sightOf } from "../../src/screens/terminal/model/seen";
import { ShoeChoice, Verdict } from "../../src/screens/terminal/sheets/Verify";
import { set } from "../../src/state/settings";

const SEALED = "2020-11-18T10:00:00Z";
const shoe = (change: Partial<ShoeKnown> = {}): ShoeKnown => ({
  table: "tiger", shoe: "1", seal: "1/ab", cards: 416, source: "virtual", root: "aa", in_play: true, lost: false, sealed_by: 4, sealed: SEALED, openings: [], rest: [], ...change,
});
const over = (change: Partial<ShoeKnown> = {}): ShoeKnown => shoe({ in_play: false, ...change });

let box: HTMLElement;
beforeEach(() => {
  localStorage.clear();
  set("language", "en");
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

test("a root seen while the shoe was in play is known afterwards, and since when", () => {
  expect(sightOf(over())).toEqual({ kind: "none" });
  rememberRoot(shoe());
  const first = sightOf(over());
  expect(first.kind).toBe("same");
  rememberRoot(shoe());
  expect(sightOf(over())).toEqual(first);
});

test("another root for the same shoe is found, in play and afterwards", () => {
  rememberRoot(shoe());
  expect(sightOf(over({ root: "bb" })).kind).toBe("other");
  const changed = shoe({ root: "bb" });
  rememberRoot(changed);
  expect(sightOf(changed).kind).toBe("other");
});

test("what is shown once the cards are known promises nothing", () => {
  rememberRoot(over());
  expect(sightOf(over())).toEqual({ kind: "none" });
  rememberRoot(shoe({ root: null }));
  expect(sightOf(over({ root: null }))).toEqual({ kind: "none" });
});

test("other tables, other shoes, and a shoe sealed later under the same name are not mixed up", () => {
  rememberRoot(shoe());
  for (const change of [{ table: "baccarat" }, { shoe: "2" }, { root: "bb", sealed: "2999-01-01T00:00:00Z" }]) {
    expect(sightOf(over(change)), JSON.stringify(change)).toEqual({ kind: "none" });
  }
});

test("so many are kept, the newest", () => {
  for (let n = 0; n < 205; n++) rememberRoot(shoe({ shoe: String(n) }));
  expect(sightOf(over({ shoe: "4" })).kind).toBe("none");
  expect(sightOf(over({ shoe: "5" })).kind).toBe("same");
});

const verdict = (of: ShoeKnown, sight: Sight, result: { matches: boolean } | null): string => {
  const done = { at: 0, result: result && { cards: 416, wrong: [], root: of.root, ...result } };
  act(() => render(<Verdict shoe={of} sight={sight} done={done} />, box));
  return box.textContent ?? "";
};

test("another root is said before all else, also where the cards lead to the new one", () => {
  expect(verdict(over(), { kind: "same", at: 0 }, { matches: true })).toContain("All 416 cards are as they were sealed");
  for (const of of [over(), shoe()]) {
    expect(verdict(of, { kind: "other", at: 0 }, { matches: true })).toMatch(/^This is not the shoe that was promised/);
    expect(box.querySelector("[role=alert]")).not.toBeNull();
  }
});

test("a check that cannot be done says so", () => {
  expect(verdict(over(), { kind: "none" }, null)).toMatch(/^This browser could not check the shoe/);
});

test("all shoes can be chosen, however many there are", () => {
  const shoes = Array.from({ length: 7 }, (_, n) => String(7 - n));
  const chosen: string[] = [];
  act(() => render(<ShoeChoice shoes={shoes} value="7" playing="7" onChoose={(one) => void chosen.push(one)} />, box));
  expect(Array.from(box.querySelectorAll("option"), (one) => one.textContent)).toEqual(["Shoe 7, in play", ...shoes.slice(1).map((one) => `Shoe ${one}, ended`)]);
  const select = box.querySelector("select");
  if (select === null) throw new Error("no list");
  select.value = "2";
  act(() => void select.dispatchEvent(new Event("change", { bubbles: true })));
  expect(chosen).toEqual(["2"]);
});
