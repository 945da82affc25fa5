import { expect, test } from "vitest";
import { card } from "./cards.ts";
import { icon } from "./icons.ts";
import { Svg } from "./Svg.tsx";

test("a drawing is an image with a name", () => {
  const { type, props } = Svg({ of: card("4-Gold") });
  expect(type).toBe("svg");
  expect(props).toMatchObject({ role: "img", "aria-label": "Four of Gold", viewBox: "0 0 250 350", class: "card" });
});

test("decoration is passed over, and a caller may give it a name", () => {
  expect(Svg({ of: icon("lock"), class: "small" }).props).toMatchObject({ "aria-hidden": "true", class: "icon small" });
  expect(Svg({ of: icon("lock") }).props).not.toHaveProperty("role");
  expect(Svg({ of: icon("lock"), label: "Locked" }).props).toMatchObject({ role: "img", "aria-label": "Locked" });
});
