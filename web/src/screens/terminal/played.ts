/** Time played and net result of the gaming day, as the house counts them. */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../../api/http";
import { now } from "../../state/clock";
import { say } from "./words";

/** What the house knows of the day of whoever asks. */
export interface Played {
  [field: string]: unknown;
}

export const play = signal<Played | null>(null);

export async function askPlay(): Promise<void> {
  try {
    play.value = await get<Played>("/me/play");
  } catch {
    // Without an answer nothing is claimed.
  }
}

export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.floor(minutes % 60)];
  return hours > 0 ? say("hours", { hours, minutes: rest }) : say("minutes", { minutes: rest });
}

const minute = computed(() => Math.floor(now.value / 60_000));

/** Time played in words; null: the house does not say. */
export function usePlayed(): string | null {
  const at = minute.value;
  useEffect(() => void askPlay(), [at]);
  const minutes = play.value?.["played_minutes"];
  return typeof minutes === "number" ? duration(minutes) : null;
}
