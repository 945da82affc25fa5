/** What the parts of a terminal share about their table. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { go } from "../../app/router";
import { connection } from "../../api/live";
import type { OwnPart, OwnRound, TableView } from "../../api/types";
import type { Betting } from "./betting";
import { lastOf } from "./model/outcome";

export interface Here {
  name: string;
  view: TableView;
  own: OwnPart;
  betting: Betting;
  /** Finished rounds of the patron at all tables, newest first; null: not known yet. */
  rounds: (OwnRound & { table: string })[] | null;
  sheet: string | null;
}

const Context = createContext<Here | null>(null);
export const HereProvider = Context.Provider;

export function useHere(): Here {
  const here = useContext(Context);
  if (here === null) throw new Error("A part of a terminal stands outside of one.");
  return here;
}

export const openSheet = (name: string, sheet: string | null): void =>
  go(sheet === null ? `/table/${encodeURIComponent(name)}` : `/table/${encodeURIComponent(name)}/${sheet}`);

/** From so many seconds on the last bets are called for. */
export const LAST_BETS = 5;

export type State = "reconnecting" | "oneMoment" | "notOpen" | "openBets" | "noMoreBets" | "roundSettled" | "roundVoid" | "nextRound";

/** The state line: the exact calls while bets are open and closed. */
export function stateOf(view: TableView): State {
  if (connection.value !== "live") return "reconnecting";
  if (view.hold !== null) return "oneMoment";
  switch (view.phase) {
    case "UNOPENED":
      return "notOpen";
    case "OPEN":
      return "openBets";
    case "SETTLED":
      return "roundSettled";
    case "VOID":
      return "roundVoid";
    case "IDLE":
      return view.outcome !== null && lastOf(view.results) !== undefined ? "roundSettled" : "nextRound";
    default:
      return "noMoreBets";
  }
}

/** Bets are open for whoever sits here, as far as was heard. */
export const betsOpen = ({ phase, hold, own }: Pick<TableView, "phase" | "hold" | "own">): boolean => phase === "OPEN" && hold === null && own !== undefined && own.seat !== null;

/** The cards of a round lie on the felt from the deal until the next call for bets. */
export const dealt = (view: TableView): boolean => view.hands.some((hand) => hand.cards.length > 0);
