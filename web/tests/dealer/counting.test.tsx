import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test } from "vitest";
import type { Field, Open, TableView } from "../../src/api/types";
import type { Desk } from "../../src/screens/dealer/context";
import { concluded, fullCounts } from "../../src/screens/dealer/counting";
import { CountsField } from "../../src/screens/dealer/Counts";
import { set } from "../../src/state/settings";

const full = fullCounts(52, 8, ["4S", "KD"]);
const less = (...faces: string[]) => faces.reduce((counts, face) => ({ ...counts, [face]: (counts[face] ?? 0) - 1 }), full);

afterEach(() => set("language", "en"));

test("counts fit when just the cards are short that are reserved or were taken", () => {
  expect(concluded(less("2H", "3H", "KS", "KS"), full, 2, 2)).toEqual({ kind: "countsFit", short: 4, due: 4, over: null });
  expect(concluded(less("2H", "3H"), full, 2, 2)).toMatchObject({ kind: "countsDiffer", short: 2 });
  expect(concluded(less("2H", "3H", "4H", "5H", "6H"), full, 2, 2)).toMatchObject({ kind: "countsDiffer", short: 5 });
  expect(concluded({ ...less("2H", "3H", "KS", "KS", "QC"), "4S": 8 }, full, 2, 2)).toMatchObject({ kind: "countsOver", over: "4S" });
});

test("the conclusion stands below the counts, in words", () => {
  const box = document.createElement("div");
  const cards = [{ face: "4S" }, { face: null }, { face: "KD" }, { face: null }];
  const view = { rules: { game: "baccarat", decks: 8 }, hands: [{ side: "player", cards }], waiting: 2 } as unknown as TableView;
  const desk = { view, part: { hold: { clause: "BAC8 5.11.2.1" } } } as unknown as Desk;
  const show = (counts: Record<string, number>): string => {
    const field = { name: "counts", kind: "counts" } as Field;
    act(() => render(<CountsField desk={desk} open={{} as Open} field={field} draft={{ counts }} onHeld={() => undefined} />, box));
    return box.querySelector("[role=status]")?.textContent ?? "";
  };
  expect(show(full)).toBe("The counts do not fit: 0 cards are short, and 4 must be: 2 are reserved and 2 were taken. BAC8 5.11.2.1");
  expect(show(less("2H", "3H", "KS", "KS"))).toBe("The counts fit: 4 cards are short, 2 are reserved and 2 were taken. Which are gone is told when the counts are entered. BAC8 5.11.2.1");
  expect(box.querySelector("p")?.textContent).toBe("410 counted · 2 in play · 2 reserved · 2 gone");
});
