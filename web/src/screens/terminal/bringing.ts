/** Money that did not come to the table with its patron: the seat was taken, and the page is another by then. */
import { signal } from "@preact/signals";
import type { Problem } from "../../api/types";

/** Where, and why not; null once it is brought, or left. */
export const notBrought = signal<{ table: string; problem: Problem } | null>(null);
