/**
 * A scanner that types: the keys of a card and Enter, faster than anybody can. Such a burst is a
 * card wherever the focus is: no field keeps its keys, and its Enter presses no button.
 */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Deck, deckOf, parseCard } from "../../draw/cards";
import { EMPTY, type Entry, entered, typed } from "./entry";

/** How soon after another a key belongs to the same burst. */
const GAP_MS = 60;

interface Burst {
  text: string;
  last: number;
}

/** A burst with one key more; a key that comes later begins another. */
export const struck = (burst: Burst | null, key: string, at: number): Burst =>
  burst !== null && at - burst.last <= GAP_MS ? { text: burst.text + key, last: at } : { text: key, last: at };

/** The card that keys are: its notation in any case, or the two keys of the keypad; null: none. */
export function faceIn(deck: Deck, text: string): string | null {
  const wanted = text.toLowerCase().replace(/^(10|0)(?=.)/, "t");
  const written = deckOf(deck).find((face) => face.toLowerCase() === wanted);
  if (written !== undefined) return written;
  const [colour = "", rank = "", ...rest] = text.toLowerCase();
  const first = typed(deck, EMPTY, colour);
  const both = first === null || rest.length > 0 ? null : typed(deck, first, rank);
  return both === null ? null : entered(both);
}

export const entryOf = (face: string): Entry => {
  const { rank, suit } = parseCard(face);
  return { colour: suit, rank };
};

// Who takes a card

export interface Taker {
  /** Take a card; false: not now, and not by itself; "next": by itself, as soon as it can be. */
  take: (face: string) => boolean | "next";
  /** Remember what keys may change; the answer puts it back as it was. */
  mark: () => () => void;
}

const takers: { current: Taker }[] = [];

export interface Waiting {
  face: string;
  /** It came in its turn, and is entered without being asked for. */
  next: boolean;
}

/** Cards that were scanned while nobody could take them, in order. */
export const waiting = signal<readonly Waiting[]>([]);

/** Take scanned cards while this is on the screen; what came last is asked first. */
export function useTaker(taker: Taker): void {
  const latest = useRef(taker);
  latest.current = taker;
  useEffect(() => {
    takers.push(latest);
    return () => void takers.splice(takers.indexOf(latest), 1);
  }, []);
}

export function scanned(face: string): void {
  let next = false;
  for (const { current } of takers.toReversed()) {
    const taken = current.take(face);
    if (taken === true) return;
    next ||= taken === "next";
  }
  waiting.value = [...waiting.peek(), { face, next }];
}

/** Keep a card that was keyed in while the last one is on its way; behind one that the Dealer looks at, it waits too. */
export const queued = (face: string): void =>
  void (waiting.value = [...waiting.peek(), { face, next: waiting.peek().every(({ next }) => next) }]);

/** Nothing takes a card now: those that came in their turn have lost it, and the Dealer looks at each. */
export function outOfTurn(): void {
  if (waiting.peek().some(({ next }) => next)) waiting.value = waiting.peek().map(({ face }) => ({ face, next: false }));
}

export const dismiss = (at: number): void => void (waiting.value = waiting.peek().filter((_, i) => i !== at));

// The keyboard

type TextField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What a field holds before keys come to it; the answer puts it back. */
function marked(target: EventTarget | null): () => void {
  if (!(target instanceof HTMLElement) || !("value" in target) || target instanceof HTMLButtonElement) return () => undefined;
  const field = target as TextField;
  const { value } = field;
  return () => {
    if (field.value === value) return;
    field.value = value;
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  };
}

/** Listen for a scanner before anything else hears its keys. */
export function useScanner(deck: Deck): void {
  useEffect(() => {
    let burst: Burst | null = null;
    let undo: (() => void)[] = [];
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.key === "Shift") return;
      const before = burst;
      if (event.key.length === 1) {
        burst = struck(before, event.key, event.timeStamp);
        if (burst.text.length === 1) undo = [marked(event.target), ...takers.map(({ current }) => current.mark())];
        return;
      }
      burst = null;
      if (event.key !== "Enter" || before === null || event.timeStamp - before.last > GAP_MS) return;
      const face = faceIn(deck, before.text);
      if (face === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      for (const back of undo) back();
      scanned(face);
    };
    addEventListener("keydown", pressed, { capture: true });
    return () => {
      removeEventListener("keydown", pressed, { capture: true });
      waiting.value = [];
    };
  }, [deck]);
}
