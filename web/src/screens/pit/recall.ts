/** What a step of a round is called and shown by. */
import type { Heard, RoundStep } from "../../api/types";
import { resultWords } from "../../i18n/tables";
import { count, money } from "../../i18n/money";
import type { IconName } from "../../parts/Icon";
import { wagerBySlug } from "../../i18n/names";
import { named } from "./say";
import { placed } from "./texts";

/** Events that only go along with another one. */
const BESIDE: readonly string[] = ["decision_recorded", "step_taken", "totals_announced", "round_closed", "hold_placed", "hold_lifted", "hold_suspended", "hold_resumed"];

/** The event by which a step is called; null: by its command, since nothing else tells it. */
export function titleEvent(step: RoundStep): Heard | null {
  const weighty = step.events.filter(({ name }) => !BESIDE.includes(name));
  const shown = weighty.find(({ name }) => name === "card_exposed") ?? weighty[0];
  return shown ?? null;
}

const ICONS: Record<string, IconName> = {
  bets_opened: "chip",
  bets_reopened: "chip",
  bets_closed: "lock",
  wager_placed: "cash",
  wager_raised: "cash",
  wager_lowered: "cash",
  wagers_withdrawn: "cash",
  wagers_kept: "users",
  card_drawn: "cards",
  card_exposed: "cards",
  cards_reconstructed: "cards",
  card_corrected: "cards",
  hand_passed: "hand",
  irregularity_reported: "pause",
  hold_placed: "pause",
  order_set: "gear",
  referral_decided: "shield",
  settings_scheduled: "gear",
  die_shaken: "dice",
  die_announced: "dice",
  round_voided: "clear",
  seat_taken: "seat",
  seat_left: "seat",
  terminal_lost: "signal",
  terminal_restored: "signal",
};

export function iconOf(step: RoundStep): IconName {
  if (!step.accepted) return "clear";
  return ICONS[titleEvent(step)?.name ?? ""] ?? "check";
}

const winnerOf = (value: unknown): "player" | "banker" | "tie" => (value === "player" || value === "banker" ? value : "tie");

/** What a step was about in few words: an amount, a place and its card, points. */
export function detailOf(step: RoundStep): string {
  if (!step.accepted) return step.refusal?.sentence ?? "";
  const event = titleEvent(step);
  if (event === null) return "";
  const facts = event.facts as Record<string, unknown>;
  if (event.name === "card_exposed") return placed(String(facts["position"]), String(facts["card"]));
  if (event.name === "card_drawn") return placed(String(facts["position"]));
  if (event.name === "irregularity_reported") return named("situation", String(facts["situation"]));
  if (event.name === "referral_decided") return [named("decision", String(facts["decision"])), typeof facts["reason"] === "string" ? facts["reason"] : ""].filter(Boolean).join(": ");
  if (event.name === "outcome_announced") return resultWords({ winner: winnerOf(facts["winner"]), player: Number(facts["player"]), banker: Number(facts["banker"]), natural: false });
  if (typeof facts["cents"] === "number") return [typeof facts["wager"] === "string" ? wagerBySlug(facts["wager"]) : "", money(facts["cents"])].filter(Boolean).join(" ");
  return "";
}

/** The record of a step and the ends of its hash: "348 · 9be1…07f2". */
export const recordOf = ({ sequence, hash }: Pick<RoundStep, "sequence" | "hash">): string =>
  [count(sequence), hash === null ? "" : `${hash.slice(0, 4)}…${hash.slice(-4)}`].filter(Boolean).join(" · ");
