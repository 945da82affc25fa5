import { afterEach, expect, test } from "vitest";
import { spoken } from "../src/i18n/catalogues";
import { approved, gameBySlug, gameTitle } from "../src/i18n/names";
import { titleOf } from "../src/screens/pit/floor";
import { set } from "../src/state/settings";

const TIGER = { game: "tiger", name: "Tiger Baccarat" };

afterEach(() => set("language", "en"));

test("a game that is known by its slug alone is called as approved", async () => {
  approved.value = { "fabulous-4s": "Fabulous 4's Baccarat", "super-6": "Super 6 No Commission Baccarat" };
  expect(["fabulous-4s", "super-6", "another"].map(gameBySlug)).toEqual(["Fabulous 4's Baccarat", "Super 6 No Commission Baccarat", "Another"]);
  set("language", "zh-Hans");
  await spoken();
  expect(gameBySlug("tiger")).toBe("老虎百家乐");
  approved.value = {};
});

test("a heading has a game as approved", () => {
  expect(gameTitle(TIGER)).toBe("Tiger Baccarat");
});

test("a heading in another language has the translation alone; where there is none, the approved name", async () => {
  set("language", "zh-Hans");
  await spoken();
  expect(gameTitle(TIGER)).toBe("老虎百家乐");
  expect(gameTitle({ game: "another", name: "Another Baccarat" })).toBe("Another Baccarat");
  expect(titleOf({ name: "tiger", number: null, title: "Tiger Baccarat", game: "tiger" })).toBe("老虎百家乐");
});
