import { beforeEach, expect, test } from "vitest";
import { keeps } from "../../src/screens/dealer/ShoeHolder";
import { set } from "../../src/state/settings";

beforeEach(() => set("language", "en"));

test("since which round the shoe is held is told where it is known", () => {
  const until = "Keeps it until giving it up or losing a wager.";
  expect(keeps({ shoe_control: { patron: "ann", since: 57, clause: "BAC8 3.11.8" } })).toBe(`Since round 57. ${until}`);
  expect(keeps({ shoe_control: { patron: "ann", since: null, clause: "BAC8 3.11.8" } })).toBe(until);
});
