/** Shortcuts: single keys can be switched off, and are nobody's while something is typed. */
import { useEffect, useRef } from "preact/hooks";
import { settings } from "../state/settings";

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** By key, as KeyboardEvent has it; letters in lower case. A handler may return false: not taken. */
export type Keys = Record<string, (event: KeyboardEvent) => void | boolean>;

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const single = event.key.length === 1;
      if (single && (!settings.peek().keys || typing(event.target))) return;
      const handler = latest.current[name];
      if (handler === undefined || handler(event) === false) return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
