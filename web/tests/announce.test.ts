import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../src/parts/announce";

const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

afterEach(() => void vi.restoreAllMocks());

test("what is said at one moment is heard together, and what is urgent apart", async () => {
  announce("Place your bets, please");
  announce("This table closes at 22:30.");
  announce("Round 7 is void.", true);
  await frame();
  expect(document.getElementById("announce")?.textContent).toBe("Place your bets, please This table closes at 22:30.");
  expect(document.getElementById("announce-now")?.textContent).toBe("Round 7 is void.");
  announce("No more bets");
  await frame();
  expect(document.getElementById("announce")?.textContent).toBe("No more bets");
});

test("of what was said while the tab was hidden, the last is heard on coming back", async () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  for (const text of ["Place your bets, please", "No more bets", "Banker wins, 8 over 7"]) announce(text);
  await frame();
  expect(document.getElementById("announce")?.textContent).toBe("Banker wins, 8 over 7");
});
