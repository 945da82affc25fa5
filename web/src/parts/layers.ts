/**
 * The dialogs that are open, the topmost last. It owns the keyboard wherever the focus is: a click
 * on its words, or a button that is not there any more, leaves the focus on the page behind it.
 */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

type Box = RefObject<HTMLElement | null>;

interface Layer {
  box: Box;
  /** What a key does that was pressed where the dialog is not. */
  pressed: (event: KeyboardEvent) => void;
}

const open: Layer[] = [];

/** Whether keys belong to a dialog, and to nothing behind it. */
export const dialogOpen = (): boolean => open.length > 0;

/** Heard before anything else: what is behind a dialog never sees a key. */
function first(event: KeyboardEvent): void {
  const top = open.at(-1);
  // What is in the dialog hears its keys itself, and the dialog after it.
  if (top === undefined || (event.target instanceof Node && top.box.current?.contains(event.target))) return;
  event.stopPropagation();
  top.pressed(event);
}

/** Lie over the screen while this is shown. */
export function useLayer(box: Box, pressed: (event: KeyboardEvent) => void): void {
  const latest = useRef(pressed);
  latest.current = pressed;
  // Before the page is drawn: no key comes between.
  useLayoutEffect(() => {
    const layer: Layer = { box, pressed: (event) => latest.current(event) };
    if (open.length === 0) addEventListener("keydown", first, { capture: true });
    open.push(layer);
    return () => {
      open.splice(open.indexOf(layer), 1);
      if (open.length === 0) removeEventListener("keydown", first, { capture: true });
    };
  }, []);
}

const focusable = (one: HTMLElement | null): one is HTMLElement => one !== null && one.isConnected && !one.matches(":disabled");

/**
 * What had the focus in a box and was disabled or taken away leaves it to the box, and has it back
 * when it can be pressed again: a button that sends does not send the focus to the page.
 */
export function useHeldFocus(box: Box): void {
  useEffect(() => {
    const around = box.current;
    if (around === null) return undefined;
    let last: HTMLElement | null = null;
    let kept = false;
    const went = ({ target }: FocusEvent): void => {
      if (target === around || !(target instanceof HTMLElement)) return;
      last = target;
      kept = false;
    };
    const left = ({ relatedTarget }: FocusEvent): void => {
      // Whoever goes elsewhere goes to something; a button that is disabled is left for nothing.
      if (relatedTarget instanceof Node && relatedTarget !== around) last = null;
    };
    const changed = (): void => {
      if (last === null) return;
      const at = document.activeElement;
      if (focusable(last)) {
        if (kept && at === around) last.focus({ preventScroll: true });
      } else if (at === null || at === document.body || at === last) {
        kept = true;
        around.focus({ preventScroll: true });
      }
    };
    around.addEventListener("focusin", went);
    around.addEventListener("focusout", left);
    const watch = new MutationObserver(changed);
    watch.observe(around, { attributes: true, attributeFilter: ["disabled"], childList: true, subtree: true });
    return () => {
      watch.disconnect();
      around.removeEventListener("focusin", went);
      around.removeEventListener("focusout", left);
    };
  }, []);
}
