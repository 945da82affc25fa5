import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { spoken } from "../src/i18n/catalogues";
import { Tables } from "../src/screens/house/House";
import { set } from "../src/state/settings";

const TABLES = { t9: { name: "t9", game: "tiger", title: "Tiger Baccarat", room: "Main floor" }, t10: { name: "t10", game: null, title: null, room: null } };
vi.mock("../src/state/table", () => ({ useTables: () => ({ value: { view: TABLES } }) }));

afterEach(() => set("language", "en"));

test("the house names its games as approved, with the translation before it", async () => {
  set("language", "zh-Hans");
  await spoken();
  const box = document.createElement("div");
  act(() => render(<Tables />, box));
  expect(box.textContent).toContain("老虎百家乐 Tiger Baccarat");
});
