/**
 * Shortcuts: single keys can be switched off, and are nobody's while something is typed. Whoever
 * binds a key says what it does; the list of keys is what is bound, and so cannot say anything else.
 */
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { settings } from "../state/settings";
import { dialogOpen } from "./layers";

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** It may return false: not taken. */
type Handler = (event: KeyboardEvent) => void | boolean;

/** A key that stands in the list; without `press` the part that has the focus hears it itself. */
export interface Told {
  does: string;
  press?: Handler;
}

/** By key, as KeyboardEvent has it; letters in lower case. */
export type Keys = Record<string, Handler | Told>;

const bound = signal<readonly RefObject<Keys>[]>([]);
const single = (name: string): boolean => name.length === 1;

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      // An open dialog owns the keyboard: nothing behind it is done by a key.
      if (dialogOpen() || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const name = single(event.key) ? event.key.toLowerCase() : event.key;
      if (single(name) && (!settings.peek().keys || typing(event.target))) return;
      const taken = latest.current[name];
      const handler = typeof taken === "function" ? taken : taken?.press;
      if (handler === undefined || handler(event) === false) return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    bound.value = [...bound.peek(), latest];
    return () => {
      removeEventListener("keydown", pressed);
      bound.value = bound.peek().filter((one) => one !== latest);
    };
  }, []);
}

// The list of keys

export interface Listed {
  keys: readonly string[];
  does: string;
}

/** As keys are written on a keyboard, where that is no letter. */
const SIGNS: Record<string, string> = { ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", ArrowRight: "→", Delete: "Del", Escape: "Esc" };
const signOf = (name: string): string => SIGNS[name] ?? (single(name) ? name.toUpperCase() : name);

/** Figures in a row are one sign: "1–9". */
function signsOf(names: readonly string[]): string[] {
  const figures = names.filter((name) => /^\d$/.test(name));
  const others = names.filter((name) => !figures.includes(name)).map(signOf);
  return figures.length < 2 ? [...figures, ...others] : [`${figures[0]}–${figures.at(-1)}`, ...others];
}

/** What keys do on this screen now; those that do the same stand together. */
export function listed(): Listed[] {
  const rows = new Map<string, string[]>();
  for (const { current } of bound.value) {
    for (const [name, taken] of Object.entries(current ?? {})) {
      if (typeof taken === "function" || (single(name) && !settings.value.keys)) continue;
      rows.set(taken.does, [...(rows.get(taken.does) ?? []), name]);
    }
  }
  return [...rows].map(([does, names]) => ({ does, keys: signsOf([...new Set(names)]) }));
}

/** Keys that move between things by their places. */
export const arrows = (does: string): Keys =>
  Object.fromEntries(["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"].map((name) => [name, { does }]));
