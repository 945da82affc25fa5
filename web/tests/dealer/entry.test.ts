import { expect, test } from "vitest";
import { EMPTY, entered, keyOf, type Entry, typed } from "../../src/screens/dealer/entry";

/** Press keys one after the other; a key that means nothing leaves the entry. */
const pressed = (deck: 52 | 65, keys: string): Entry =>
  [...keys].reduce<Entry>((entry, key) => typed(deck, entry, key) ?? entry, EMPTY);

test("two keys make a card of 52: suit, then rank", () => {
  expect(entered(pressed(52, "d4"))).toBe("4D");
  expect(entered(pressed(52, "s0"))).toBe("TS");
  expect(entered(pressed(52, "ca"))).toBe("AC");
  expect(entered(pressed(52, "hk"))).toBe("KH");
});

test("of 65 a key is an element first and a rank then", () => {
  expect(entered(pressed(65, "aa"))).toBe("A-Water");
  expect(entered(pressed(65, "ff"))).toBe("Fu-Fire");
  expect(entered(pressed(65, "gs"))).toBe("Shou-Gold");
  expect(entered(pressed(65, "e0"))).toBe("T-Earth");
});

test("a rank alone is no card, and keys of the other deck mean nothing", () => {
  expect(entered(pressed(52, "4"))).toBeNull();
  expect(typed(52, EMPTY, "g")).toBeNull();
  expect(typed(52, EMPTY, "1")).toBeNull();
  expect(typed(65, EMPTY, "k")).toBeNull();
});

test("another suit begins anew, another rank replaces the first", () => {
  expect(entered(pressed(52, "sh7"))).toBe("7H");
  expect(entered(pressed(52, "s47"))).toBe("7S");
  expect(entered(pressed(52, "s4h"))).toBeNull();
});

test("the keypad prints the key of each suit and rank", () => {
  expect(keyOf(65, "Water")).toBe("A");
  expect(keyOf(52, "T")).toBe("0");
});
