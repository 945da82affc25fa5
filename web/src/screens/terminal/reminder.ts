/** Words on time and result that a patron asked for, in the message line from time to time. */
import { signal } from "@preact/signals";

export const reminder = signal<string | null>(null);
