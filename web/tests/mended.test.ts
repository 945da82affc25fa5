import { describe, expect, test } from "vitest";
import type { Heard } from "../src/api/topics";
import type { TableView } from "../src/api/types";
import { mendedBy, type Mended } from "../src/state/mended";
import { mendedWords } from "../src/screens/terminal/words";

const heard = (round: number | null, ...events: [string, object][]) => ({
  view: { round } as TableView,
  events: events.map(([name, facts]) => ({ name, facts }) as Heard),
});
const ORDER: [string, object] = [
  "cards_reconstructed",
  { before: [], after: [{ position: "P1", card: "4D" }, { position: "B1", card: "6D" }, { position: "P2", card: null }], set_aside: [], clause: "BAC8 5.7" },
];
const order = mendedBy(null, heard(7, ORDER)) as Mended;

describe("what was put right", () => {
  test("is the last such fact of the round, and says where the cards lie", () => {
    expect(order).toMatchObject({ round: 7, what: "order", clause: "BAC8 5.7" });
    expect(mendedWords(order)).toBe("Put right: the cards lie in the order in which they were drawn. Player Four of diamonds · Banker Six of diamonds");
    expect(mendedBy(order, heard(7, ["cards_set_aside", { count: 2, clause: null }]))).toMatchObject({ what: "aside", count: 2 });
    expect(mendedBy(order, heard(7, ["order_set", {}], ["device_reset", {}]))?.what).toBe("reset");
  });
  test("stays through other events until the next round", () => {
    expect(mendedBy(order, heard(7, ["hold_lifted", {}]))).toBe(order);
    expect(mendedBy(order, heard(8))).toBeNull();
    expect(mendedBy(order, heard(null))).toBeNull();
  });
  test("names both faces of a card that was read wrongly", () => {
    const face = mendedBy(null, heard(7, ["card_corrected", { position: "P1", before: "4D", after: "6D" }])) as Mended;
    expect(mendedWords(face)).toBe("Put right: a card was read as Four of diamonds and is Six of diamonds.");
  });
});
