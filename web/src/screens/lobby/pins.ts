/** Which tables somebody plays at once: up to four, remembered by this browser. */
export const PINS_MAX = 4;
const PLACE = "croupier.pinned";

/** The names that a browser kept, as far as they can be any. */
export function read(text: string | null): string[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(found)) return [];
    return [...new Set(found.filter((name): name is string => typeof name === "string"))].slice(0, PINS_MAX);
  } catch {
    return [];
  }
}

export const kept = (): string[] => read(localStorage.getItem(PLACE));

export function keep(names: readonly string[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(names));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Pin a table, or take it away; a fifth is not taken. */
export function toggled(names: readonly string[], name: string): string[] {
  if (names.includes(name)) return names.filter((one) => one !== name);
  return names.length < PINS_MAX ? [...names, name] : [...names];
}

/** With nothing pinned: the tables where somebody sits. */
export const started = (names: readonly string[], seated: readonly string[]): string[] =>
  names.length > 0 ? [...names] : seated.slice(0, PINS_MAX);

/** Tables that need an answer come first; all others keep their places. */
export const byNeed = (names: readonly string[], needs: (name: string) => boolean): string[] => [
  ...names.filter(needs),
  ...names.filter((name) => !needs(name)),
];

/** The table in hand: the one chosen, while it is pinned. */
export const inHand = (names: readonly string[], chosen: string | null): string | null =>
  chosen !== null && names.includes(chosen) ? chosen : (names[0] ?? null);
