/** Words for screen readers: two live regions that are there from the start. */
function region(urgent: boolean): HTMLElement {
  const id = urgent ? "announce-now" : "announce";
  const found = document.getElementById(id);
  if (found !== null) return found;
  const made = document.createElement("div");
  made.id = id;
  made.className = "sr";
  made.setAttribute("aria-live", urgent ? "assertive" : "polite");
  document.body.append(made);
  return made;
}

/** Say a sentence to screen readers; urgent ones interrupt. */
export function announce(text: string, urgent = false): void {
  const place = region(urgent);
  // The same words twice are heard twice only when they were gone in between.
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
