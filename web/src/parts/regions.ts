/** F6 goes from region to region of a screen: those marked `data-region`, in reading order. */
export function nextRegion(which = "[data-region]"): void {
  const regions = [...document.querySelectorAll<HTMLElement>(which)].filter((one) => one.offsetParent !== null);
  const at = regions.findIndex((one) => one.contains(document.activeElement));
  const next = regions[(at + 1) % regions.length];
  if (next === undefined) return;
  next.tabIndex = -1;
  next.focus();
}
