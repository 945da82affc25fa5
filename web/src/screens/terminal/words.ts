/** The words of the terminal, and the names that its parts share. */
import en from "../../i18n/en/terminal.json";
import { say as common } from "../../i18n/common";
import { wagerName } from "../../i18n/names";
import { refusalLine } from "../../i18n/refusals";
import { oddsName, unbroken } from "../../i18n/rows";
import { words } from "../../i18n/words";
import { cardName } from "../../draw/cards";
import { drawLanguage } from "../../parts/Card";
import type { MendedShown, Problem, Side, TableView, WagerShown } from "../../api/types";
import { money } from "../../i18n/money";
import type { Notice, Why } from "./betting";
import { duration, play } from "./played";
import { told, type Winner } from "./model/outcome";
import type { Reason } from "./model/reasons";
import { joined, paysOf } from "./model/spots";
import type { Trouble } from "./model/slip";

export const say = words("terminal", en);

export const sideName = (side: Side | "tie"): string => common(side);

/** "Banker wins, 9 over 5"; "Tie on 6". */
export function resultWords(outcome: { player: number; banker: number; winner: Winner }): string {
  const { winner, high, low } = told(outcome);
  if (winner === "tie") return say("resultTie", { points: high });
  return say("resultWins", { side: sideName(winner), high, low });
}

/** "Banker 9 over 5", for a line of a list. */
export function shortResult(outcome: { player: number; banker: number; winner: Winner }): string {
  const { winner, high, low } = told(outcome);
  if (winner === "tie") return say("resultTie", { points: high });
  return say("shortWins", { side: sideName(winner), high, low });
}

export function reasonWords({ side, act, points, against }: Reason): string {
  const values = { side: sideName(side), points };
  if (act === "natural") return say("whyNatural", values);
  if (act === "barred") return say("whyBarred", values);
  if (against !== null) return say(act === "draws" ? "whyDrawsAgainst" : "whyStandsAgainst", { ...values, against });
  return say(act === "draws" ? "whyDraws" : "whyStands", values);
}

export const reasonNote = ({ act, points }: Reason): string =>
  act === "barred" ? "" : say(act === "natural" ? "noteNatural" : act === "draws" ? "noteDraws" : "noteStands", { points });

/** The odds of a spot in words; those of a Power hand apart. */
export function payWords(wager: WagerShown, power: boolean): { usual: string; better: string } {
  const pays = paysOf(wager, power);
  const written = (one: (typeof pays)[number]): string => {
    const odds = one.push ? say("push") : one.pays;
    if (one.when !== null) return say(`payWhen_${one.when.what}`, { a: one.when.a, b: one.when.b, pays: odds });
    return one.on === null ? odds : say("payOn", { total: one.on, pays: odds });
  };
  const usual = pays.filter((one) => !one.power);
  return {
    usual: unbroken(oddsName(joined(usual.map(written)))),
    better: unbroken(oddsName(joined(pays.filter((one) => one.power).map(written)))),
  };
}

/** What was put right, and where the cards lie now. */
export function mendedWords({ what, count, cards, before }: MendedShown): string {
  const faced = (face: string | undefined | null): string => (face == null ? "" : cardName(face, drawLanguage()));
  const sentence = say(`mended_${what}`, { count, before: faced(before), after: faced(cards[0]?.face) });
  if (what !== "order") return sentence;
  const held = (side: Side): string => cards.filter(({ place }) => place.startsWith(side === "player" ? "P" : "B")).map(({ face }) => faced(face)).join(", ");
  const hands = (["player", "banker"] as const).filter((side) => held(side) !== "").map((side) => `${sideName(side)} ${held(side)}`);
  return `${sentence} ${hands.join(" · ")}`.trim();
}

export function nameOf(view: TableView | undefined, slug: string | null): string {
  const wager = view?.rules?.wagers.find((one) => one.slug === slug);
  return wager === undefined ? (slug ?? "") : wagerName(wager.slug, wager.name);
}

export function troubleSentence(trouble: Trouble, view: TableView | undefined): string {
  const { code, cents, limit, main = null } = trouble;
  const values = { cents: money(cents), limit: money(limit), main: nameOf(view, main), wager: nameOf(view, trouble.wager) };
  return say(`trouble_${code}`, values);
}

const OWN_LIMITS: Record<string, "time" | "loss" | "stake"> = { own_time_limit: "time", own_loss_limit: "loss", own_stake_limit: "stake" };

/** Codes whose sentence we can say in every language, from the numbers at hand. */
function problemSentence(problem: Problem): string {
  if (problem.code === "not_enough_credit") return say("problemCredit");
  const own = OWN_LIMITS[problem.code];
  const limit = play.value?.limits.find((one) => one.limit === own);
  if (own !== undefined && limit?.value != null) {
    const written = (value: number): string => (own === "time" ? duration(value) : money(value));
    return say(`own_${own}`, { value: written(limit.value), used: written(limit.used ?? 0) });
  }
  return refusalLine(problem);
}

function reasonSentence({ trouble, problem }: Why, view: TableView | undefined): string {
  if (trouble !== null) return troubleSentence(trouble, view);
  return problem === null ? "" : problemSentence(problem);
}

function refusedTitle(notice: Notice, view: TableView | undefined): string {
  const names = [notice, ...notice.also].map((why) => nameOf(view, why.wager)).filter(Boolean);
  if (names.length === 0) return say("refusedPlain");
  return names.length === 1 ? say("refusedTitle", { wager: names[0] ?? "" }) : say("refusedSeveral", { wagers: names.join(", ") });
}

/** What was not accepted, and the sentence with its numbers. */
export function noticeWords(notice: Notice, view: TableView | undefined): { title: string; sentence: string; clause: string | null } {
  const { kind, trouble, problem } = notice;
  const wager = nameOf(view, notice.wager);
  const reasons = [notice, ...notice.also].map((why) => reasonSentence(why, view));
  const sentence = [...new Set(reasons)].join(" ");
  const clause = trouble?.clause ?? problem?.clause ?? null;
  switch (kind) {
    case "unsent":
      return { title: say("unsentTitle"), sentence: say("unsent", { cents: money(notice.cents) }), clause: null };
    case "unable":
      if (notice.unable === null) return { title: "", sentence: "", clause: null };
      return { title: say("unableTitle", { act: say(notice.unable.act) }), sentence: say(`unable_${notice.unable.why}`), clause: null };
    case "late":
      return { title: say("lateTitle", { wager }), sentence: say("late", { cents: money(notice.cents) }), clause: null };
    case "repeat":
    case "double":
      return { title: say(kind === "repeat" ? "repeatRefused" : "doubleRefused"), sentence: `${sentence} ${say("nothingChanged")}`, clause };
    case "chip":
      return { title: wager === "" ? say("refusedPlain") : say("chipTitle", { wager }), sentence, clause };
    case "refused":
      return { title: refusedTitle(notice, view), sentence, clause };
  }
}
