/// <reference types="vite/client" />
import { describe, expect, test } from "vitest";
import { DERIVED, drawRoads, parseCoups, type Roads } from "./roads.ts";
import { askMarks, cropped, road, summary } from "./roadmap.ts";
import text from "./roads.golden.json?raw";

type Marked = "bead" | "big" | "big_eye" | "small" | "cockroach";

interface Golden {
  fields: Record<Marked, string[]>;
  shoes: (Record<Marked, unknown[][]> & Pick<Roads, "leading_ties" | "ask"> & { outcomes: string })[];
}

const golden = JSON.parse(text) as Golden;

/** The roads document of the server, with every mark as an object again. */
function documentOf({ outcomes: _, ...shoe }: Golden["shoes"][number]): unknown {
  const marks = Object.entries(golden.fields).map(([road, names]) => [
    road,
    shoe[road as Marked].map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]]))),
  ]);
  return { ...shoe, ...Object.fromEntries(marks) };
}

describe("roads are those of the server", () => {
  test("there are many shoes, with dragons among them", () => {
    expect(golden.shoes.length).toBeGreaterThanOrEqual(60);
    const dragons = golden.shoes.filter((shoe) => {
      const { big } = drawRoads(parseCoups(shoe.outcomes));
      return big.some((stone, i) => stone.row === 5 && big[i + 1]?.row === 5);
    });
    expect(dragons.length).toBeGreaterThan(5);
  });
  test.each(golden.shoes.map((shoe, i) => [i, shoe] as const))("shoe %i", (_, shoe) => {
    expect(drawRoads(parseCoups(shoe.outcomes))).toEqual(documentOf(shoe));
  });
});

test("what is asked for Banker and for Player is opposite, or nothing", () => {
  for (const shoe of golden.shoes) {
    const { ask } = drawRoads(parseCoups(shoe.outcomes));
    for (const kind of DERIVED) {
      const answers = [ask.banker[kind], ask.player[kind]].sort();
      expect([["blue", "red"], [null, null]]).toContainEqual(answers);
    }
  }
});

test("asking tells the mark that comes", () => {
  for (const shoe of golden.shoes) {
    const coups = parseCoups(shoe.outcomes);
    const { ask } = drawRoads(coups);
    for (const side of ["banker", "player"] as const) {
      const after = drawRoads([...coups, { winner: side }]);
      for (const kind of DERIVED) {
        const added = after[kind].length > drawRoads(coups)[kind].length;
        expect(ask[side][kind]).toBe(added ? after[kind].at(-1)?.colour : null);
      }
    }
  }
});

describe("pictures of roads", () => {
  const dragon = drawRoads(parseCoups("B ".repeat(12) + "P T T B+6 P"));
  const count = (body: string, part: string) => body.split(part).length - 1;

  test("are cropped by whole columns from the left, derived roads by two", () => {
    expect(cropped([{ col: 20 }], 20, 1)).toBe(1);
    expect(cropped([{ col: 20 }], 20, 2)).toBe(2);
    expect(cropped([{ col: 19 }], 20, 2)).toBe(0);
    expect(cropped([], 20, 1)).toBe(0);
    const beads = drawRoads(parseCoups("B ".repeat(13)));
    expect(count(road(beads, "bead", { columns: 2 }).body, ">B<")).toBe(7);
  });
  test("have letters from 18 on, below that blue carries a cut", () => {
    const one = drawRoads(parseCoups("P"));
    expect(road(one, "big", { cell: 18 }).body).toContain(">P<");
    expect(road(one, "big", { cell: 17 }).body).not.toContain(">P<");
    expect(road(one, "big", { cell: 17 }).body).toContain("stroke-road-ground");
    expect(road(drawRoads(parseCoups("B")), "big", { cell: 17 }).body).not.toContain("stroke-road-ground");
  });
  test("cut every blue mark and no red one", () => {
    const shoe = drawRoads(parseCoups(golden.shoes[20]?.outcomes ?? ""));
    for (const kind of ["big_eye", "small"] as const) {
      const blue = shoe[kind].filter((mark) => mark.colour === "blue").length;
      expect(blue).toBeGreaterThan(0);
      expect(count(road(shoe, kind, { columns: 90 }).body, "stroke-road-ground")).toBe(blue);
    }
  });
  test("strike ties through, with the number from two on", () => {
    expect(count(road(dragon, "big").body, "stroke-tie-mark")).toBe(1);
    expect(road(dragon, "big").body).toContain(">2<");
    expect(road(drawRoads(parseCoups("B T")), "big").body).not.toContain(">1<");
    expect(road(drawRoads(parseCoups("T T T")), "big").body).toContain(">3<");
  });
  test("show pairs and badges", () => {
    expect(road(dragon, "big").body).toContain(">6<");
    expect(road(dragon, "big", { cell: 14 }).body).not.toContain(">6<");
    expect(road(drawRoads(parseCoups("T+bp")), "bead").body).toContain("fill-banker-mark");
    expect(road(drawRoads(parseCoups("T+bp")), "big").body).not.toContain("fill-banker-mark");
    expect(road(drawRoads([{ winner: "banker", badges: ["natural 9", "98"] }]), "bead").body).toContain(">98<");
  });
  test("blink what was asked and nothing else", () => {
    const coups = parseCoups("B B P P B P");
    const asked = drawRoads([...coups, { winner: "banker" }]);
    expect(count(road(drawRoads(coups), "big", { asked }).body, 'class="asked"')).toBe(1);
    expect(road(asked, "big").body).not.toContain("asked");
  });
  test("say in words what they show", () => {
    expect(road(dragon, "big").label).toBe("Big road. 17 rounds: Banker 13, Player 2, Tie 2. Player 1 in a row.");
    expect(summary("bead", drawRoads([]))).toBe("Bead plate. 0 rounds: Banker 0, Player 0, Tie 0.");
    expect(summary("big", dragon, "zh")).toBe("大路。共 17 局：庄 13，闲 2，和 2。闲连续 1 局。");
    expect(askMarks(dragon.ask.banker).label).toMatch(/^Big eye boy (red|blue), Small road (red|blue), Cockroach pig (red|blue|none)$/);
    expect(askMarks(drawRoads([]).ask.player).label).toBe("Big eye boy none, Small road none, Cockroach pig none");
  });
  test("refuse what is no outcome", () => {
    expect(() => parseCoups("B X")).toThrow('"X" is not an outcome');
  });
});
