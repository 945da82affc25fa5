import { expect, test } from "vitest";
import { announce } from "../src/parts/announce";

const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

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
