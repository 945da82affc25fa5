import { afterEach, expect, test } from "vitest";
import { spoken } from "../src/i18n/catalogues";
import { gameTitle } from "../src/i18n/names";
import { titleOf } from "../src/screens/pit/floor";
import { set } from "../src/state/settings";

const TIGER = { game: "tiger", name: "Tiger Baccarat" };

afterEach(() => set("language", "en"));

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
