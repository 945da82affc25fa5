/** Undo, Clear, Repeat and Double: whether each can be done now, and what a press does, or says. */
import { connection } from "../../api/live";
import type { SlipAct, Unable } from "./betting";
import { announce } from "../../parts/announce";
import { repeated, sum, type TroubleCode } from "./model/slip";
import { useHere, type Here } from "./table";
import { barredWords } from "../../i18n/barred";

/** Why nothing at all can be changed now; null: bets are open. */
function stopOf({ betting, view }: Here): Unable | null {
  if (connection.value !== "live") return "lost";
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
  return stopOf(here) ?? (there[act] ? null : act);
}

/** What was staked last is more than there is, or than one's own limits leave: its numbers are said when it is pressed. */
function tooMuch({ betting, own, view }: Here): boolean {
  const answer = repeated(betting.last.value, view.rules?.wagers ?? [], { ...own, left: betting.left.value });
  return "trouble" in answer && TOO_MUCH.includes(answer.trouble.code);
}

const TOO_MUCH: readonly TroubleCode[] = ["not_enough_credit", "own_stake", "own_loss"];
/** What puts stakes down: whom the house takes none of is told why, in the message line. */
const PUTS_DOWN: readonly SlipAct[] = ["repeat", "double"];

export interface Press {
  /** Whether it looks as if it could be done; a press always answers. */
  able: boolean;
  press: () => void;
}

export function useSlipActs(): Record<SlipAct, Press> {
  const here = useHere();
  const one = (act: SlipAct): Press => {
    const why = unableOf(act, here);
    if (why !== null) return { able: false, press: () => here.betting.cannot(act, why) };
    const barred = here.betting.barred.value;
    if (barred !== null && PUTS_DOWN.includes(act)) return { able: false, press: () => announce(barredWords(barred)) };
    return { able: act !== "repeat" || !tooMuch(here), press: here.betting[act] };
  };
  return { undo: one("undo"), clear: one("clear"), repeat: one("repeat"), double: one("double") };
}
