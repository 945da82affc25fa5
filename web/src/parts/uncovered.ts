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
  const below = barOver(one, left + width / 2, bottom - 2);
  if (below !== null) return bottom - below.top + SPACE;
  const above = barOver(one, left + width / 2, top + 2);
  return above === null ? 0 : top - above.bottom - SPACE;
}

function uncover(one: Element): void {
  const by = one.matches(":focus-visible") ? coveredBy(one) : 0;
  if (by !== 0) scrollerOf(one)?.scrollBy({ top: by, behavior: "instant" });
}

/** The browser scrolls to what gets the focus first, and knows nothing of bars. */
export const keepUncovered = (page: Document): void =>
  page.addEventListener("focusin", ({ target }) => void requestAnimationFrame(() => target instanceof Element && uncover(target)));
