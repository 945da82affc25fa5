import { describe, expect, test } from "vitest";
import type { ResultShown } from "../../src/api/types";
import { ownOf } from "../../src/screens/terminal/model/counts";
import { countsOf } from "../../src/state/counts";
import { coupsOf } from "../../src/state/coups";
import golden from "./counts.golden.json";

interface Game {
  wagers: string[];
  counts: Record<string, number>;
  results: unknown[][];
  badges: string[][];
}

const games = Object.entries(golden.games as unknown as Record<string, Game>);
const resultsOf = ({ results }: Game): ResultShown[] =>
  results.map((values) => Object.fromEntries(golden.fields.map((field, i) => [field, values[i]])) as unknown as ResultShown);

const OWN: Record<string, readonly [string, readonly string[]]> = {
  "fa-fa-fabulous-4": ["fours", ["P4", "B4"]],
  "fabulous-4s": ["fours", ["P4", "B4"]],
  "fortune-six-tournament": ["sixes", ["6"]],
  "fortune-six": ["sixes", ["6"]],
  "super-six": ["sixes", ["6"]],
  "super-6": ["sixes", ["6"]],
  tiger: ["tigers", ["small tiger", "big tiger"]],
  "tiger-no-commission": ["tigers", ["small tiger", "big tiger"]],
  "power-98": ["powers", ["98"]],
};

test("every game is there", () => expect(games).toHaveLength(11));

describe.each(games)("%s", (slug, game) => {
  const results = resultsOf(game);
  const wagers = game.wagers.map((one) => ({ slug: one }));
  const voided = { ...(results[0] as ResultShown), void: true, winner: null, natural: true };

  test("results, pairs and naturals are as the rules count them", () => {
    const { banker, player, tie, natural: naturals, "player pair": playerPairs = 0, "banker pair": bankerPairs = 0 } = game.counts;
    const rounds = results.filter((result) => !result.void).length;
    expect(countsOf([...results, voided])).toEqual({ banker, player, tie, playerPairs, bankerPairs, naturals, rounds });
  });

  test("roads show the badges that the command prints", () => {
    expect(coupsOf(results, game.wagers).map(({ badges }) => badges)).toEqual(game.badges);
  });

  test("what the game has of its own is counted beside naturals", () => {
    const [name, badges]: readonly [string | null, readonly string[]] = OWN[slug] ?? [null, []];
    const count = game.badges.filter((shown) => shown.some((badge) => badges.includes(badge))).length;
    expect(ownOf([...results, voided], wagers)).toEqual(name === null ? null : { name, count });
  });
});
