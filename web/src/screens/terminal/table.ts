/** What the parts of a terminal share about their table. */
import { type Signal, useSignal } from "@preact/signals";
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
  /** What was typed in the sheet, by field: a question that stands in its place loses nothing. */
  typed?: Map<string, Signal<unknown>>;
}

const Context = createContext<Here | null>(null);
export const HereProvider = Context.Provider;

export function useHere(): Here {
  const here = useContext(Context);
  if (here === null) throw new Error("A part of a terminal stands outside of one.");
  return here;
}

/** A signal of a sheet that is there again when the sheet is, as long as nobody closed it. */
export function useTyped<T>(field: string, start: T): Signal<T> {
  const { typed } = useHere();
  const own = useSignal(start);
  if (typed === undefined) return own;
  const before = typed.get(field);
  if (before === undefined) typed.set(field, own);
  return (before ?? own) as Signal<T>;
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

/** Staff, or the house, recorded that the own terminal is not connected. */
export const isDown = ({ lost_terminals: lost, own }: Pick<TableView, "lost_terminals" | "own">): boolean => own != null && own.seat !== null && (lost ?? []).includes(own.seat);

/** The clause by which nothing is taken from a terminal without connection, where the rulebook has one. */
export const downClause = ({ rules }: Pick<TableView, "rules">): string | null => (rules?.rulebook === "EB4" ? "EB4 5.10" : null);

/** Bets are open for whoever sits here, as far as was heard. */
export const betsOpen = (view: Pick<TableView, "phase" | "hold" | "own" | "lost_terminals">): boolean =>
  view.phase === "OPEN" && view.hold === null && view.own !== undefined && view.own.seat !== null && !isDown(view);

/** The cards of a round lie on the felt from the deal until the next call for bets. */
export const dealt = (view: TableView): boolean => view.hands.some((hand) => hand.cards.length > 0);
