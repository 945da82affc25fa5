/** What the window is called while a page is shown: the page, then the house's program. */
import { useEffect } from "preact/hooks";

const PROGRAM = "Croupier";

export function useTitle(page: string | null): void {
  useEffect(() => {
    if (page === null) return undefined;
    document.title = `${page} · ${PROGRAM}`;
    // Whoever leaves takes the name along; the next page gives its own.
    return () => void (document.title = PROGRAM);
  }, [page]);
}
