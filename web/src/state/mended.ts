/**
 * What was put right in the round that is shown: cards laid in their order, a face corrected,
 * cards set aside. The last such fact that was heard stays until the next round.
 */
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Heard, Topic } from "../api/topics";
import type { TableView } from "../api/types";
import { keep, kept } from "./kept";

export interface Laid {
  position: string;
  card: string | null;
}

export interface Mended {
  round: number;
  what: "order" | "face" | "aside" | "fixed" | "reset";
  clause: string | null;
  /** How many cards were set aside. */
  count: number;
  /** Where cards lie now, as far as they are exposed. */
  cards: readonly Laid[];
  /** The face that was read wrongly. */
  before: string | null;
}

type Facts = { clause?: string | null; count?: number; position?: string; before?: unknown; after?: unknown; set_aside?: readonly number[] };
type Fact = Omit<Mended, "round">;

const NOTHING: Fact = { what: "order", clause: null, count: 0, cards: [], before: null };

/** A fact by which cards were put right; null: the event is another. */
function factOf({ name, facts }: Heard): Fact | null {
  const { clause = null, count = 0, position = "", before, after, set_aside = [] } = facts as Facts;
  switch (name) {
    case "cards_reconstructed":
      return { ...NOTHING, clause, count: set_aside.length, cards: (after as readonly Laid[]).filter((laid) => laid.card !== null) };
    case "card_corrected":
      return { ...NOTHING, what: "face", cards: [{ position, card: String(after) }], before: String(before) };
    case "cards_set_aside":
      return { ...NOTHING, what: "aside", clause, count };
    case "order_set":
      return { ...NOTHING, what: "fixed", clause };
    case "device_reset":
      return { ...NOTHING, what: "reset", clause };
    default:
      return null;
  }
}

/** What was put right last, after one more message. */
export function mendedBy(before: Mended | null, { view, events }: Pick<Topic<TableView>, "view" | "events">): Mended | null {
  if (view.round === null) return null;
  const fact = events.map(factOf).findLast((one) => one !== null) ?? null;
  if (fact !== null) return { round: view.round, ...fact };
  return before?.round === view.round ? before : null;
}

const place = (table: string): string => `croupier.mended.${table}`;

/** Of a table that is followed; a page that is loaded again still knows it. */
export function useMended(table: string, topic: ReadonlySignal<Topic<TableView> | null>): Mended | null {
  const found = useMemo(() => signal(kept(place(table)) as Mended | null), [table]);
  useEffect(
    () =>
      effect(() => {
        if (topic.value === null) return;
        const next = mendedBy(found.peek(), topic.value);
        if (next === found.peek()) return;
        found.value = next;
        keep(place(table), next);
      }),
    [found, topic],
  );
  return found.value;
}
