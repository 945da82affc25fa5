/** Where somebody is: the path of the address, and going elsewhere without loading a page. */
import { computed, signal } from "@preact/signals";

const path = signal(location.pathname);
addEventListener("popstate", () => {
  path.value = location.pathname;
});

export function go(to: string, replace = false): void {
  if (to === location.pathname) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  path.value = to;
  scrollTo(0, 0);
}

export interface Route {
  screen: string;
  /** A table's name, where the screen is about one. */
  name: string | null;
  /** What follows the name: a part of the screen, such as a sheet. */
  part: string | null;
  /** What follows the part: one of many, such as the number of a round. */
  item: string | null;
}

/** A part of an address as it is meant; one that is not written as addresses are stands for itself. */
function meant(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `/table/tiger/history` is the screen `table` of `tiger`, with its sheet `history`. */
export function routeOf(pathname: string): Route {
  const [screen = "", name, part, item] = pathname.split("/").filter(Boolean).map(meant);
  return { screen: screen || "start", name: name ?? null, part: part ?? null, item: item ?? null };
}

export const route = computed(() => routeOf(path.value));
