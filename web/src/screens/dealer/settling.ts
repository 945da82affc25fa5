/** The settings with which a table opens: what people choose, and what the table is told. */
export interface GameListed {
  game: string;
  name: string;
  rulebook: string;
  version: number;
  deck: number;
  decks: { min: number; max: number };
  wagers: string[];
}

export type DeviceChoice = "virtual" | "reading" | "hand";

export interface Choices {
  game: string;
  decks: number;
  positions: number;
  method: "A" | "B" | "C" | null;
  room: string;
  device: DeviceChoice;
  house: boolean;
  mainMinimum: number;
  mainMaximum: number;
  sideMinimum: number;
  sideMaximum: number;
  step: number;
  differential: number | null;
}

/** Games that are dealt by a Dealer, and of them those with dealing methods. */
const ELECTRONIC = "EB4";
const METHODS = new Set(["BAC8", "FF3"]);
const MOST_POSITIONS: Record<string, number> = { FF3: 5 };

export const hasMethods = (game: GameListed | undefined): boolean => game !== undefined && METHODS.has(game.rulebook);

/** Steps of 20.00 pay whole cents at 0.95 to 1 and at one half. */
export function usual(game: GameListed): Choices {
  const electronic = game.rulebook === ELECTRONIC;
  return {
    game: game.game,
    decks: 8,
    positions: electronic ? 20 : (MOST_POSITIONS[game.rulebook] ?? 7),
    method: METHODS.has(game.rulebook) ? "B" : null,
    room: "Main floor",
    device: "virtual",
    house: false,
    mainMinimum: 10_000,
    mainMaximum: 2_000_000,
    sideMinimum: 2_000,
    sideMaximum: 200_000,
    step: 2_000,
    differential: METHODS.has(game.rulebook) ? 500_000 : null,
  };
}

const DEVICES = {
  virtual: { electronic: true, reads_cards: true, physical: false },
  reading: { electronic: true, reads_cards: true, physical: true },
  hand: { electronic: false, reads_cards: false, physical: true },
} as const;

const MAIN = new Set(["player", "banker"]);

/** What `open_table` says. */
export function settingsOf(game: GameListed, chosen: Choices): Record<string, unknown> {
  const limit = (minimum_cents: number, maximum_cents: number) => ({ minimum_cents, maximum_cents, step_cents: chosen.step });
  const limits = Object.fromEntries(
    game.wagers.map((wager) => [
      wager,
      MAIN.has(wager) ? limit(chosen.mainMinimum, chosen.mainMaximum) : limit(chosen.sideMinimum, chosen.sideMaximum),
    ]),
  );
  return {
    rulebook: game.rulebook,
    game: game.game,
    decks: chosen.decks,
    positions: chosen.positions,
    limits,
    room: chosen.room,
    device: DEVICES[chosen.device],
    ...(chosen.method === null ? {} : { method: chosen.method }),
    ...(chosen.differential === null ? {} : { differential_cents: chosen.differential }),
    ...(chosen.house ? { dealt_by: "house" } : {}),
  };
}
