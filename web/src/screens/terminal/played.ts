/** Time played, result and own limits of the gaming day, as the house counts them. */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../../api/http";
import type { Schemas } from "../../api/types";
import { now } from "../../state/clock";
import { say } from "./words";

export type Played = Schemas["OwnPlay"];

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

/** Time played in words, asked once a minute and when a round is over; null: the house does not say. */
export function usePlayed(over: string): string | null {
  const at = minute.value;
  useEffect(() => void askPlay(), [at, over]);
  return play.value === null ? null : duration(play.value.day.seconds / 60);
}
