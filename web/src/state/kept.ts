/** What this tab keeps, so that loading the page again does not lose it. */
import { somebody } from "../app/session";

/** A place of somebody's own: who signs in next in this tab does not find it. */
export const ownPlace = (what: string, table: string): string => `croupier.${what}.${somebody.peek()?.name ?? ""}.${table}`;

/** Keep something; null: nothing any more. */
export function keep(place: string, what: unknown): void {
  try {
    if (what === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(what));
  } catch {
    // A browser that keeps nothing still works until the page is loaded again.
  }
}

/** What is kept, as far as it can be read; null: nothing. */
export function kept(place: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}
