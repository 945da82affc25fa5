import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test, vi } from "vitest";
import { Overview } from "../src/screens/audit/Overview";

const acts = ["as agreed", ""].map((reason, i) => ({ moment: "2026-11-18T01:00:00Z", table: null, command: "pay_out", by: "kim", position: null, second: "ravi", clause: null, reason, sequence: i }));
vi.mock("../src/state/loaded", () => ({
  useLoaded: (path: string) => [{ value: { value: path.startsWith("/performance/discretions") ? { acts } : null, problem: null, loading: false, at: 0 } }, () => undefined],
}));

const box = document.createElement("div");
act(() => render(<Overview />, box));

test("a reason that nobody gave is none: a phone shows no label without a value", () => {
  const cells = [...box.querySelectorAll("[aria-labelledby=audit-second] td:last-child")];
  expect(cells.map((cell) => [cell.textContent, cell.classList.contains("nil")])).toEqual([["as agreed", false], ["–", true]]);
});

test("both ways of taking the journal along look alike", () => {
  expect([...box.querySelectorAll("a[download]")].map((one) => one.querySelector("svg") !== null)).toEqual([true, true]);
});
