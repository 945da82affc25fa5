/** A row that is wider than its box fades at the edge beyond which it goes on, and at no other. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export function useFades(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    const look = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = shown;
      shown.dataset["before"] = String(scrollLeft > 1);
      shown.dataset["after"] = String(scrollLeft + clientWidth < scrollWidth - 1);
    };
    look();
    shown.addEventListener("scroll", look, { passive: true });
    const sized = new ResizeObserver(look);
    for (const one of [shown, ...shown.children]) sized.observe(one);
    return () => {
      shown.removeEventListener("scroll", look);
      sized.disconnect();
    };
  }, [box]);
}
