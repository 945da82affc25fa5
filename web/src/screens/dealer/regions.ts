/** F6 moves between the regions of the console, in reading order. */
export const REGIONS = ".dealer > header, .dealer > main, .dealer > section, .dealer > footer";

/** The region after the one that has the focus; the first one where none has. */
export function nextRegion(regions: readonly Element[], focused: Element | null, back: boolean): Element | undefined {
  const at = regions.findIndex((region) => focused !== null && region.contains(focused));
  if (at < 0) return regions[0];
  return regions[(at + (back ? regions.length - 1 : 1)) % regions.length];
}

export function moveRegion(event: KeyboardEvent): void {
  const region = nextRegion([...document.querySelectorAll(REGIONS)], document.activeElement, event.shiftKey);
  if (!(region instanceof HTMLElement)) return;
  if (region.tabIndex < 0) region.tabIndex = -1;
  region.focus();
}
