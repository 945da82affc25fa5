import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TableView } from "../src/api/types";
import { bothDays } from "../src/screens/display/both";
import { Result } from "../src/screens/display/Play";
import { Limits } from "../src/screens/display/SidePart";

let box: HTMLElement;
beforeEach(() => void (box = document.body.appendChild(document.createElement("div"))));
afterEach(() => {
  act(() => render(null, box));
  box.remove();
});

test("a result has its round in both languages", () => {
  const view = { phase: "SETTLED", results: [] } as unknown as TableView;
  act(() => render(<Result view={view} ending={{ winner: "player", player: 7, banker: 4, natural: false, round: 12 }} />, box));
  expect(box.textContent).toContain("Round 12");
  expect(box.querySelector(".dimmed [lang=zh-Hans]")?.textContent).toBe("第 12 局");
});

test("what a wager pays stands with its totals, and a push in both languages", () => {
  const rows = [["Banker wins on 4", "Push"], ["Banker wins on 1", "2 to 1"], ["Banker wins on any other total", "1 to 1"], ["Tie", "Push"]].map(([label, pays]) => ({ label, pays }));
  const view = { rules: { wagers: [{ slug: "banker", name: "Banker", minimum_cents: 1_000, maximum_cents: 5_000, rows }] } } as unknown as TableView;
  act(() => render(<Limits view={view} />, box));
  expect(box.querySelector(".odds")?.textContent?.replaceAll("\u00a0", " ")).toBe("1 to 1 · on 4, push 退回 · on 1, 2 to 1");
});

test("the day stands in both languages, as it is in the house", () => {
  const late = Date.parse("2026-11-18T23:30:00Z");
  expect(bothDays(late, "UTC")).toEqual([expect.stringMatching(/^Wed,? 18 Nov$/), "11月18日周三"]);
  expect(bothDays(late, "Asia/Singapore")[1]).toBe("11月19日周四");
});
