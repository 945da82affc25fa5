import { expect, test } from "vitest";
import { saidOf } from "../src/screens/pit/reported";

test("what a report says is told field by field, what it leaves out is not", () => {
  expect(saidOf({ situation: "wrong_order", laid: ["B1", "P1"] })).toEqual([["laid", ["B1", "P1"]]]);
  expect(saidOf({ situation: "drawn_together", count: 2, order_known: false, patron: null, laid: [] })).toEqual([
    ["count", [2]],
    ["order_known", [false]],
  ]);
});
