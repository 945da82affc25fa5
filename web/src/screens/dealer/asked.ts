/** To which round and which hold a form belongs: begun in one, it must not land in another. */
import type { Conditions } from "../../api/live";
import type { TableView } from "../../api/types";
import { between, type Part } from "./course";
import { answersHold, ofRound } from "./groups";
import { say } from "./say";

export interface Asked {
  round: number | null;
  hold: number | null;
}

/** What any of these commands would be about now; null: about no round, or no hold. */
export function askedOf(view: Pick<TableView, "phase" | "round" | "hold">, part: Pick<Part, "next">, commands: readonly string[]): Asked {
  return {
    round: commands.some(ofRound) && !between(view, part) ? view.round : null,
    hold: commands.some(answersHold) ? (view.hold?.since ?? null) : null,
  };
}

/** With these the house takes a command only for what it was begun for. */
export const conditionsOf = ({ round, hold }: Asked): Pick<Conditions, "round" | "hold"> => ({ ...(round === null ? {} : { round }), ...(hold === null ? {} : { hold }) });

/** Why a form stands for nothing any more; null: it still does. */
export function goneWhy(begun: Asked, now: Asked, open: boolean): string | null {
  if (begun.round !== null && begun.round !== now.round) return say("formOfRound", { n: begun.round });
  return open && begun.hold === now.hold && begun.round === now.round ? null : say("formGone");
}
