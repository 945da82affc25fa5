/** Words about tables that the lobby, several tables and the display share. */
import type { ResultShown, TableSummary } from "../api/types";
import { numberOf } from "../state/tables";
import { say as common } from "./common";
import en from "./en/tables.json";
import { words } from "./words";

export const say = words("tables", en);

/** "Table 08"; a table without a number by its name. */
export function tableWords(name: string, given: number | null = null): string {
  const number = numberOf({ name, number: given });
  return number === null ? name : say("tableN", { number });
}

/** What sets an electronic game apart from the others; a live table says how it is dealt. */
function aboutGame(game: string | null): string {
  const key = `about_${game}`;
  return key in en ? say(key as keyof typeof en) : "";
}

/** Live or electronic, the method, and who deals; of electronic games what is special about them. */
export function sourceWords(table: Pick<TableSummary, "kind" | "method" | "dealt_by"> & Partial<Pick<TableSummary, "game">>): string {
  if (table.kind === null) return "";
  const dealt = { dealer: say("byDealer"), house: say("byHouse"), system: "" }[table.dealt_by ?? ""] ?? "";
  const method = table.method === null ? "" : say("method", { method: table.method });
  const about = table.kind === "electronic" ? aboutGame(table.game ?? null) : "";
  return [say(table.kind), method, dealt, about].filter(Boolean).join(" · ");
}

type Ended = Pick<ResultShown, "winner" | "player" | "banker" | "natural">;

/** "Player 7 over 4", "Banker 9, natural", "Tie on 6". */
export function resultWords(result: Ended): string {
  const { winner, player, banker } = result;
  if (winner === null || player === null || banker === null) return "";
  if (winner === "tie") return say("tieOn", { points: player });
  const [won, lost] = winner === "player" ? [player, banker] : [banker, player];
  return say(result.natural && won >= 8 ? "natural" : "over", { side: common(winner), won, lost });
}
