/** Arrows choose within a group of radios, as everywhere on a screen; Tab moves on as it did. */
const WAYS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A dialog keeps its keys for itself, and so moves its radios by itself. */
export function moved(event: KeyboardEvent): void {
  const by = WAYS[event.key];
  if (by === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const radio = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=radio]") : null;
  const group = radio?.closest("[role=radiogroup]");
  if (radio === null || !group) return;
  const all = [...group.querySelectorAll<HTMLElement>("[role=radio]:not(:disabled):not([aria-disabled=true])")];
  const next = all[(all.indexOf(radio) + by + all.length) % all.length];
  if (next === undefined || next === radio) return;
  event.preventDefault();
  next.focus();
  // Pressed again, a choice that may be none would be taken back.
  if (next.getAttribute("aria-checked") !== "true") next.click();
}

export const followArrows = (page: Document): void => page.addEventListener("keydown", moved);
