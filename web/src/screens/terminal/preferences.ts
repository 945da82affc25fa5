/** What a patron prefers at a terminal, kept in this browser. */
import { effect, signal } from "@preact/signals";

export interface Preferences {
  /** Every chip is sent at once, without Confirm. */
  autoConfirm: boolean;
  /** Own stakes are shared: others may add to them. */
  share: boolean;
  /** At electronic tables the last card of the own side is turned slowly, for these eyes only. */
  squeeze: boolean;
  /** Minutes between words on time and result; 0: none. */
  remindMinutes: number;
  chip: number | null;
  /** An amount of one's own beside the chips, in cents. */
  amount: number | null;
}

const PLACE = "croupier.terminal";
const START: Preferences = { autoConfirm: false, share: false, squeeze: false, remindMinutes: 0, chip: null, amount: null };

function kept(): Preferences {
  try {
    return { ...START, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Preferences>) };
  } catch {
    return START;
  }
}

export const preferences = signal<Preferences>(kept());

export function prefer<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  preferences.value = { ...preferences.peek(), [name]: value };
}

effect(() => {
  try {
    localStorage.setItem(PLACE, JSON.stringify(preferences.value));
  } catch {
    // A browser that keeps nothing still plays.
  }
});
