/** Undo, Clear, Repeat and Double: whether each can be done now, and what a press does, or says. */
import { connection } from "../../api/live";
import type { SlipAct, Unable } from "./betting";
import { announce } from "../../parts/announce";
import { type Answer, repeated, same, sum, type TroubleCode } from "./model/slip";
import { isDown, useHere, type Here } from "./table";
import { barredWords } from "../../i18n/barred";
import { say } from "./words";

/** Why nothing at all can be changed now; null: bets are open. */
function stopOf({ betting, view }: Here): Unable | null {
  if (connection.value !== "live") return "lost";
  if (isDown(view)) return "down";
  if (view.hold !== null) return "held";
  return betting.open.value ? null : "closed";
}

export function unableOf(act: SlipAct, here: Here): Unable | null {
  const { betting } = here;
  const there = {
    undo: betting.undoable.value,
    clear: sum(betting.wanted.value) > 0,
    repeat: sum(betting.last.value) > 0,
    double: sum(betting.wanted.value) > 0,
  };
  return stopOf(here) ?? (there[act] ? (act === "repeat" && unchanged(here) ? "same" : null) : act);
}

const again = ({ betting, own, view }: Here): Answer => repeated(betting.last.value, view.rules?.wagers ?? [], { ...own, left: betting.left.value });

/** Repeat would change nothing: what was staked last lies there, or waits for Confirm. */
function unchanged(here: Here): boolean {
  const answer = again(here);
  return "targets" in answer && same(answer.targets, here.betting.wanted.value);
}

/** What was staked last is more than there is, or than one's own limits leave: its numbers are said when it is pressed. */
function tooMuch(here: Here): boolean {
  const answer = again(here);
  return "trouble" in answer && TOO_MUCH.includes(answer.trouble.code);
}

const TOO_MUCH: readonly TroubleCode[] = ["not_enough_credit", "own_stake", "own_loss"];
/** What puts stakes down: whom the house takes none of is told why, in the message line. */
const PUTS_DOWN: readonly SlipAct[] = ["repeat", "double"];

export const stateId = (table: string): string => `state-${table}`;
export const messageId = (table: string): string => `message-${table}`;

/** Where it stands why no stake can be put down: in the state of the table, or while bets are open in the message line. */
export const stopId = ({ name, betting, view }: Here): string | undefined =>
  betting.able.value ? undefined : betting.open.value || isDown(view) ? messageId(name) : stateId(name);

export interface Press {
  /** Whether it looks as if it could be done; a press always answers. */
  able: boolean;
  /** Why it could not. */
  why: string | null;
  press: () => void;
}

export function useSlipActs(): Record<SlipAct, Press> {
  const here = useHere();
  const one = (act: SlipAct): Press => {
    const why = unableOf(act, here);
    if (why !== null) return { able: false, why: say(`unable_${why}`), press: () => here.betting.cannot(act, why) };
    const barred = here.betting.barred.value;
    if (barred !== null && PUTS_DOWN.includes(act)) return { able: false, why: barredWords(barred), press: () => announce(barredWords(barred)) };
    const more = act === "repeat" && tooMuch(here);
    return { able: !more, why: more ? say("unable_more") : null, press: here.betting[act] };
  };
  return { undo: one("undo"), clear: one("clear"), repeat: one("repeat"), double: one("double") };
}
