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

/** What is to be said with the next frame, by region: what comes together is heard together. */
const waiting = new Map<HTMLElement, string[]>();

/** Say a sentence to screen readers; urgent ones interrupt. */
export function announce(text: string, urgent = false): void {
  const place = region(urgent);
  const others = waiting.get(place);
  if (others !== undefined) {
    // A tab that nobody sees draws no frame: whoever comes back hears the last thing, not all of them.
    if (document.hidden) others.length = 0;
    others.push(text);
    return;
  }
  waiting.set(place, [text]);
  // The same words twice are heard twice only when they were gone in between.
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = (waiting.get(place) ?? []).join(" ");
    waiting.delete(place);
  });
}
