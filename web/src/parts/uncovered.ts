/** What has the focus is never under a bar that stays at an edge of the window (WCAG 2.4.11). */
const SPACE = 8;
const STAYS = ["sticky", "fixed"];

/** The bar that lies over a point of something; null: it can be seen there. */
function barOver(one: Element, x: number, y: number): DOMRect | null {
  for (let hit = document.elementFromPoint(x, y); hit !== null && !hit.contains(one); hit = hit.parentElement) {
    if (one.contains(hit)) return null;
    if (STAYS.includes(getComputedStyle(hit).position)) return hit.getBoundingClientRect();
  }
  return null;
}

function scrollerOf(one: Element): Element | null {
  for (let at = one.parentElement; at !== null; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement;
}

/** How far the page must go so that a bar at its foot, or at its head, covers nothing. */
function coveredBy(one: Element): number {
  const { left, top, width, bottom } = one.getBoundingClientRect();
  const bar = barOver(one, left + width / 2, bottom - 2) ?? barOver(one, left + width / 2, top + 2);
  if (bar === null) return 0;
  return bar.top < innerHeight / 2 ? top - bar.bottom - SPACE : bottom - bar.top + SPACE;
}

/** Bars stand on each other: what is clear of one may be under the next. */
const BARS_MOST = 3;

function uncover(one: Element): void {
  if (!one.matches(":focus-visible")) return;
  for (let bar = 0; bar < BARS_MOST; bar++) {
    const by = coveredBy(one);
    if (by === 0) return;
    scrollerOf(one)?.scrollBy({ top: by, behavior: "instant" });
  }
}

/** The browser scrolls to what gets the focus first, and knows nothing of bars. */
export const keepUncovered = (page: Document): void =>
  page.addEventListener("focusin", ({ target }) => void requestAnimationFrame(() => target instanceof Element && uncover(target)));
