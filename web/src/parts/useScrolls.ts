/** Whether a box holds more than it shows: only then keys must be able to scroll it, and Tab stops there. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function useScrolls(content: unknown): [RefObject<HTMLDivElement | null>, boolean] {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, found] = useState(false);
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    const look = () => found(shown.scrollWidth > shown.clientWidth || shown.scrollHeight > shown.clientHeight);
    look();
    const sized = new ResizeObserver(look);
    for (const one of [shown, ...shown.children]) sized.observe(one);
    return () => sized.disconnect();
  }, [content]);
  return [box, scrolls];
}
