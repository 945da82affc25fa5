/** Results of a table as its roads see them: void rounds left out, with the badges of its game. */
import type { ResultShown } from "../api/types";
import type { Coup } from "../draw/roads";

const SIX = new Set(["fortune-six", "super-six", "super-6", "tiger"]);
const FOUR = new Set(["player-fabulous-4", "banker-fabulous-4"]);
const DRAGON = new Set(["player-dragon-bonus", "banker-dragon-bonus"]);
const DRAGON_MARGIN_MIN = 4;

/** How many cards the Banker has, by the number of cards and who drew third ones. */
function bankerCards(result: ResultShown): number {
  const { cards } = result;
  if (cards.length <= 4) return 2;
  if (cards.length === 6) return 3;
  // Of five cards the fifth is the Player's unless the Player stood on 6 or 7.
  return playerStood(cards) ? 3 : 2;
}

const POINTS: Record<string, number> = { A: 1, T: 0, J: 0, Q: 0, K: 0, Shou: 0, Lu: 0, Fu: 0, S: 0, L: 0, F: 0 };
const points = (card: string): number => {
  const rank = card.includes("-") ? card.slice(0, card.indexOf("-")) : card.slice(0, -1);
  return POINTS[rank] ?? Number(rank) % 10;
};
function playerStood(cards: readonly string[]): boolean {
  const [first = "", , second = ""] = cards;
  return (points(first) + points(second)) % 10 >= 6;
}

/** The events that the roads of a game show beside a result; as `croupier roads` names them. */
function badges(result: ResultShown, wagers: ReadonlySet<string>): string[] {
  const { player, banker, winner } = result;
  if (player === null || banker === null) return [];
  const has = (names: ReadonlySet<string>): boolean => [...names].some((name) => wagers.has(name));
  const points = winner === "banker" ? banker : player;
  const found: string[] = [];
  if (result.power) found.push("98");
  if (has(SIX) && winner === "banker" && points === 6) {
    const size = bankerCards(result) === 2 ? "small" : "big";
    found.push(wagers.has("tiger") ? `${size} tiger` : "6");
  }
  if (wagers.has("tiger-tie") && winner === "tie" && points === 6) found.push("tiger tie");
  if (has(FOUR) && winner !== "tie" && points === 4) found.push(winner === "player" ? "P4" : "B4");
  const margin = points - (winner === "banker" ? player : banker);
  if (result.natural) found.push(`natural ${points}`);
  else if (has(DRAGON) && winner !== "tie" && margin >= DRAGON_MARGIN_MIN) found.push(`dragon ${margin}`);
  return found;
}

export function coupsOf(results: readonly ResultShown[], wagers: readonly string[]): Coup[] {
  const offered = new Set(wagers);
  return results.flatMap((result) =>
    result.void || result.winner === null
      ? []
      : [
          {
            winner: result.winner,
            player_pair: result.player_pair,
            banker_pair: result.banker_pair,
            badges: badges(result, offered),
          },
        ],
  );
}
