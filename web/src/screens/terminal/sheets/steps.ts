/** What happened in a round, event by event, in words; what nobody reads is left out. */
import type { Heard, Schemas } from "../../../api/types";
import { eventName } from "../../../i18n/events";
import { happenedWords } from "../../../i18n/holds";
import { money } from "../../../i18n/money";
import { cardName } from "../../../draw/cards";
import { drawLanguage } from "../../../parts/Card";
import { say, sideName } from "../words";

type Situation = Schemas["Situation"];
type Facts = Record<string, unknown>;
const LEFT_OUT = new Set(["closing_acknowledged", "card_drawn", "round_closed", "payment_confirmed", "totals_announced", "seat_taken", "credit_brought"]);

const side = (value: unknown): string => (value === "player" || value === "banker" || value === "tie" ? sideName(value) : String(value));

/** Sentences of an event, most often one. */
export function stepWords({ name, facts }: Heard, wager: (slug: string) => string): string[] {
  const known = facts as Facts;
  const cents = typeof known["cents"] === "number" ? money(known["cents"]) : "";
  switch (name) {
    case "bets_opened":
      return [say("openBets")];
    case "bets_closed":
      return [say("noMoreBets")];
    case "wager_placed":
      return [say("step_placed", { seat: String(known["position"] ?? known["seat"] ?? ""), wager: wager(String(known["wager"])), cents })];
    case "wager_raised":
      return [say("step_raised", { cents })];
    case "wager_lowered":
      return [say("step_lowered", { cents })];
    case "card_exposed":
      return [`${String(known["position"])}: ${cardName(String(known["card"]), drawLanguage())}`];
    case "die_announced":
      return [say("dieShows", { die: String(known["die"]) })];
    case "outcome_announced":
      return [`${sideName("player")} ${String(known["player"])} · ${sideName("banker")} ${String(known["banker"])}`];
    case "wagers_settled":
      return [say("roundSettled")];
    case "round_voided":
      return [say("roundVoid")];
    case "irregularity_reported":
      return [happenedWords(known["situation"] as Situation)];
    case "hold_placed":
      return [say("oneMoment")];
    case "hand_passed":
      return [say("step_hand", { side: side(known["side"]), seat: String(known["seat"]) })];
    case "wagers_withdrawn":
      return [say("step_withdrawn", { cents })];
    default:
      return LEFT_OUT.has(name) ? [] : [eventName(name)];
  }
}
