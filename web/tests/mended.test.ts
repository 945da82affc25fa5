import { describe, expect, test } from "vitest";
import type { MendedShown } from "../src/api/types";
import { mendedWords } from "../src/screens/terminal/words";

const mended = (more: Partial<MendedShown>): MendedShown => ({ what: "order", clause: null, count: 0, cards: [], before: null, ...more });

describe("what was put right", () => {
  test("says where the cards lie that are open", () => {
    const cards = [{ place: "P1" as const, face: "4D" }, { place: "B1" as const, face: "6D" }];
    expect(mendedWords(mended({ cards }))).toBe("Put right: the cards lie in the order in which they were drawn. Player Four of diamonds · Banker Six of diamonds");
  });
  test("names both faces of a card that was read wrongly", () => {
    const face = mended({ what: "face", before: "4D", cards: [{ place: "P1", face: "6D" }] });
    expect(mendedWords(face)).toBe("Put right: a card was read as Four of diamonds and is Six of diamonds.");
  });
  test("counts the cards that were set aside", () => {
    expect(mendedWords(mended({ what: "aside", count: 2 }))).toBe("Put right: 2 cards that no hand takes were set aside.");
  });
});
