// @vitest-environment node
/// <reference types="node" />
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { card, cardBack, cardName, deckOf, parseCard } from "./cards.ts";
import { DENOMINATIONS, breakUp, chip, stack } from "./chips.ts";
import { die, shaker } from "./die.ts";
import { mark } from "./house.ts";
import { ICON_NAMES, icon } from "./icons.ts";
import { DESKTOP, PHONE, bandPlot, scaleOf, signed, type BandData } from "./plot.ts";
import { ring } from "./ring.ts";
import { askMarks, road } from "./roadmap.ts";
import { drawRoads, parseCoups } from "./roads.ts";
import { SIGN_NAMES, sign } from "./signs.ts";
import { squeeze } from "./squeeze.ts";
import { ELEMENTS, SUITS, pip } from "./suits.ts";
import { markup, type Drawing } from "./svg.ts";
import { barsOf, ticketBars } from "./ticket.ts";

// Read as a file: an import of a style sheet is empty in tests.
const css = readFileSync(new URL("./draw.css", import.meta.url), "utf8");

const plotted: BandData = {
  xs: [0, 1, 2],
  line: [0, -5, 12],
  expected: [0, 1, 2],
  half: [0, 8, 11],
  ticks: ["12:00", "13:00", "14:00", "15:00", "16:00"].map((text, i) => ({ x: i / 2, text })),
  notes: [{ x: 2, y: 12, text: "<now>", anchor: "end" }, { x: 1, y: -5, text: "seat 2", minor: true }],
  label: "Win by round",
};
const shoe = drawRoads(parseCoups("T B B+bp P T T P+pp B+6 B P P B P B B B P B"));
const cards = [...deckOf(52), ...deckOf(65)];

const everything: Drawing[] = [
  ...cards.flatMap((text) => [card(text), card(text, { detail: "compact" }), card(text, { across: true, fourColours: true })]),
  cardBack(52), cardBack(65), cardBack(52, { across: true }),
  ...(["short", "long", "corner"] as const).map((edge) => squeeze("9S", { edge, amount: 0.5 })),
  ...DENOMINATIONS.map((value) => chip(value)),
  stack(162_500),
  ...[...SUITS, ...ELEMENTS].map((suit) => pip(suit)),
  ...SIGN_NAMES.map((name) => sign(name)),
  ...ICON_NAMES.map(icon),
  ...([1, 2, 3, 4, 5, 6] as const).flatMap((shows) => [die(shows), shaker(shows)]),
  shaker("closed"), shaker("moving"), ring(22, 30), ring(4, 30), mark(), ticketBars("936019377010"),
  bandPlot(plotted, DESKTOP), bandPlot(plotted, PHONE),
  ...(["bead", "big", "big_eye", "small", "cockroach"] as const).map((kind) => road(shoe, kind)),
  road(shoe, "bead", { signs: true }),
  askMarks(shoe.ask.banker),
];

test("a ticket's bars are Code 128", () => {
  const read = (text: string): string => barsOf(text).map((width, place) => (place % 2 === 0 ? "1" : "0").repeat(width)).join("");
  // What another program writes for the same number.
  expect(read("936019377010")).toBe("11010011100101000111101110111101011001011100100011010001011000010011001000100100110010001100011101011");
  expect(read("A1").startsWith("11010010000")).toBe(true);
  expect(read("A1").length).toBe(11 * 4 + 13);
});

describe("every drawing", () => {
  test("closes its tags and has numbers where numbers belong", () => {
    for (const one of everything) {
      const open: string[] = [];
      for (const [, close, name = "", rest = ""] of markup(one).matchAll(/<(\/?)([a-zA-Z]+)([^>]*)>/g)) {
        if (close) expect(open.pop()).toBe(name);
        else if (!rest.endsWith("/")) open.push(name);
      }
      expect(open).toEqual([]);
      expect(one.body).not.toMatch(/NaN|undefined|null|Infinity/);
    }
  });
  test("has no inline style, no script, no handler, and nothing from elsewhere", () => {
    for (const one of everything) expect(one.body).not.toMatch(/\sstyle=|<style|<script|\son[a-z]+=|href|url\((?!#draw-)/);
  });
  test("wears only classes that draw.css has", () => {
    const known = new Set([...css.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, name]) => name));
    for (const one of everything) {
      const inside = [...one.body.matchAll(/class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" "));
      for (const name of inside) expect(known).toContain(name);
      expect(known).toContain(one.kind.split(" ")[0]);
    }
  });
  test("has ids that no other has", () => {
    const ids = everything.flatMap((one) => [...one.body.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
    expect(ids.length).toBe(12);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("cards", () => {
  test("are 117, each with its own face and its own name", () => {
    expect(cards.length).toBe(117);
    for (const detail of ["full", "compact"] as const) {
      expect(new Set(cards.map((text) => card(text, { detail }).body)).size).toBe(117);
    }
    for (const language of ["en", "zh", "ms", "ta"] as const) {
      expect(new Set(cards.map((text) => cardName(text, language))).size).toBe(117);
    }
  });
  test("have names in English and Chinese", () => {
    expect(["4-Gold", "KS", "TD", "Lu-Fire"].map((text) => cardName(text))).toEqual(["Four of Gold", "King of spades", "Ten of diamonds", "Lu of Fire"]);
    expect(["4-Gold", "KS", "TD", "Lu-Fire"].map((text) => cardName(text, "zh"))).toEqual(["金4", "黑桃K", "方块10", "火禄"]);
  });
  test("are read as the table writes them", () => {
    expect(parseCard("10D")).toEqual({ rank: "T", suit: "D" });
    expect(parseCard("L-Fire")).toEqual({ rank: "Lu", suit: "Fire" });
    expect(() => parseCard("1X")).toThrow('"1X" is not a card');
    expect(() => parseCard("K-Gold")).toThrow("is not a card");
  });
  test("show as many pips as their number", () => {
    for (const [text, pips] of [["2S", 2], ["7H", 7], ["TD", 10], ["9-Wood", 9]] as const) {
      const middle = card(text, { index: false }).body;
      expect(middle.split("fill-rule").length - 1).toBe(pips);
    }
  });
  test("lie across as third cards", () => {
    expect(card("9S", { across: true })).toMatchObject({ width: 350, height: 250, kind: "card across" });
  });
  test("change colour in a four-colour deck where two suits share one", () => {
    const changed = SUITS.filter((suit) => card(`9${suit}`).body !== card(`9${suit}`, { fourColours: true }).body);
    expect(changed).toEqual(["D", "C"]);
  });
  test("have a back for each deck", () => {
    expect(cardBack(52).body).not.toBe(cardBack(65).body);
  });
});

describe("the squeeze", () => {
  test("shows the back alone until an edge is lifted", () => {
    expect(squeeze("9S", { amount: 0 }).body).not.toContain("clip-path");
    expect(squeeze("9S", { amount: 0 }).body).toBe(squeeze("2H", { amount: 0 }).body);
  });
  test("leaves out the index and does not name the card", () => {
    const held = squeeze("9S", { amount: 0.4, id: "a" });
    expect(held.body).toContain(card("9S", { index: false }).body);
    expect(squeeze("9S", { amount: 0.4, id: "a", index: true }).body).toContain(card("9S").body);
    expect(held.label).not.toContain("Nine");
  });
  test("keeps to the card, however far it is asked to go", () => {
    expect(squeeze("9S", { amount: 7, id: "a" })).toEqual(squeeze("9S", { amount: 1, id: "a" }));
    expect(squeeze("9S", { amount: -1 })).toEqual(squeeze("9S", { amount: 0 }));
  });
  test("takes the back of the deck that the card is of", () => {
    expect(squeeze("4-Gold", { amount: 0 }).body).toContain(cardBack(65).body);
  });
});

describe("chips", () => {
  test("differ in colour and in value", () => {
    const colours = DENOMINATIONS.map((value) => chip(value).body.match(/fill="(#[0-9A-F]+)"/)?.[1]);
    expect(new Set(colours).size).toBe(13);
    expect(chip(100_000).label).toBe("Chip of 1,000");
    expect(chip(100_000, "zh").label).toBe("筹码 1,000");
  });
  test("make up a stake, highest first", () => {
    expect(breakUp(162_500)).toEqual([100_000, 50_000, 10_000, 2_500]);
    expect(breakUp(162_599)).toEqual(breakUp(162_500));
    expect(breakUp(99)).toEqual([]);
  });
  test("are at most five in a stack, the highest on top", () => {
    const body = stack(49_000).body;
    expect(body.split("translate(0 ").length - 1).toBe(5);
    expect(body.lastIndexOf("#22282B")).toBeGreaterThan(body.lastIndexOf("#2F6B4C"));
    expect(stack(99).body).toBe("");
  });
});

describe("the plot", () => {
  test("has two drawings, with less in the small one", () => {
    const [wide, narrow] = [bandPlot(plotted, DESKTOP).body, bandPlot(plotted, PHONE).body];
    expect(wide).toContain("13:00");
    expect(narrow).not.toContain("13:00");
    expect(wide).toContain("seat 2");
    expect(narrow).not.toContain("seat 2");
    expect(narrow).toContain("&lt;now&gt;");
  });
  test("fits its lines to its values", () => {
    expect(scaleOf([-39_000, 49_000])).toEqual({ min: -40_000, max: 60_000, step: 20_000 });
    expect(scaleOf([])).toEqual({ min: 0, max: 0.2, step: 0.2 });
    expect([45_000, -45_000, 0].map(signed)).toEqual(["+45,000", "−45,000", "0"]);
  });
  test("writes no words across its line", () => {
    // The line comes down to its end from above, comes up to it from below, and does both over the words.
    const shape = (line: number[], below: boolean): BandData => ({
      ...plotted,
      xs: line.map((_, i) => i),
      line,
      expected: line.map(() => 0),
      half: line.map(() => 0),
      ticks: [],
      notes: [{ x: line.length - 1, y: line.at(-1) ?? 0, text: "\u221215,135.50", anchor: "end", below }],
      scale: { min: -60_000, max: 60_000, step: 20_000 },
    });
    const words = (data: BandData, size = DESKTOP) => {
      const body = bandPlot(data, size).body;
      const [, x, letters] = /<text x="([\d.]+)" y="([\d.]+)"[^>]*>\u221215,135/.exec(body) ?? [];
      const line = /<path d="M([^"]+)" class="stroke-text"/.exec(body)?.[1] ?? "";
      const points = line.split("L").map((point) => point.split(" ").map(Number));
      return { right: Number(x), y: Number(letters), over: points.filter(([px = 0]) => px > Number(x) - 70).map(([, py = 0]) => py) };
    };
    const clear = ({ y, over }: ReturnType<typeof words>) => over.length > 0 && (Math.max(...over) < y - 8 || Math.min(...over) > y);
    const steps = Array.from({ length: 60 }, (_, i) => i);
    const from = (height: number) => steps.map((i) => (i < 58 ? height : -15_135));
    for (const size of [DESKTOP, PHONE])
      for (const data of [shape(from(-34_000), true), shape(from(20_000), false), shape(from(-34_000), false)]) expect(clear(words(data, size))).toBe(true);
    const both = steps.map((i) => (i === 56 ? 8_000 : i === 57 ? -34_000 : -15_135));
    for (const below of [true, false]) expect(clear(words(shape(both, below)))).toBe(true);
    // Where there is room on both sides, the side that was asked for.
    const level = (below: boolean) => words(shape(steps.map(() => -15_135), below)).y;
    expect(level(true)).toBeGreaterThan(level(false));
  });
  test("stands a day without rounds", () => {
    const empty = { ...plotted, xs: [], line: [], expected: [], half: [], notes: [], ticks: [] };
    expect(bandPlot(empty).body).not.toMatch(/NaN|undefined|Infinity/);
  });
});

test("the ring closes with its time and is wider from five seconds on", () => {
  expect(ring(6, 30).body).toContain('stroke-width="7" stroke-linecap');
  expect(ring(5, 30).body).toContain('stroke-width="10" stroke-linecap');
  expect(ring(0, 30).body).not.toContain("stroke-linecap");
  expect(ring(40, 30).body).toContain('stroke-dasharray="276.46 276.46"');
});
