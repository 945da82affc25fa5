/** The house's clock: countdowns go by server time, whatever this machine's clock says. */
import { computed, signal } from "@preact/signals";

/** Milliseconds to add to this machine's clock. */
const ahead = signal(0);
const machine = signal(Date.now());

/** Learn from a message how late it is in the house; the quickest message tells best. */
let best = -Infinity;
let bestAt = 0;
export function heardTime(time: string): void {
  const now = Date.now();
  const offset = Date.parse(time) - now;
  // A message is delayed, never early: of recent ones the largest offset is nearest the truth.
  if (offset >= best || now - bestAt > 30_000) {
    best = offset;
    bestAt = now;
    ahead.value = offset;
  }
}

/** The moment in the house, in milliseconds; it steps a few times a second. */
export const now = computed(() => machine.value + ahead.value);
/** What this machine's clock said, as a moment in the house. */
export const inHouse = (machineMs: number): number => machineMs + ahead.value;
export const moment = (): number => Date.now() + ahead.peek();

setInterval(() => {
  machine.value = Date.now();
}, 250);

/** Whole seconds until a moment, at least 0; null: no moment. */
export function secondsUntil(until: string | null | undefined): number | null {
  if (!until) return null;
  return Math.max(0, Math.ceil((Date.parse(until) - now.value) / 1000));
}
