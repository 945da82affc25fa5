/** Quiet tones at the calls, the last seconds and the result, for who switched sound on; made here, nothing is loaded. */
import { computed } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { secondsUntil } from "../../state/clock";
import { settings } from "../../state/settings";
import { netOf } from "./model/outcome";
import { LAST_BETS, stateOf, useHere } from "./table";

const LOUDNESS = 0.05;
const NOTE_S = 0.16;
const OPEN_HZ = [523, 659];
const LAST_HZ = [659, 659];
const CLOSED_HZ = [392];
const RESULT_HZ = [440];
const WIN_HZ = [523, 659, 784];

let audio: AudioContext | null = null;

function play(notes: readonly number[]): void {
  if (!settings.peek().sound) return;
  audio ??= new AudioContext();
  const gain = audio.createGain();
  gain.gain.value = LOUDNESS;
  gain.connect(audio.destination);
  for (const [place, frequency] of notes.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(gain);
    tone.start(audio.currentTime + place * NOTE_S);
    tone.stop(audio.currentTime + (place + 1) * NOTE_S);
  }
}

const isLast = (left: number | null): boolean => left !== null && left > 0 && left <= LAST_BETS;

/** A result is heard once: higher for who won, plain for whoever else had a stake. */
export function resultTone(settled: boolean, lines: number, net: number): readonly number[] | null {
  if (!settled || lines === 0) return null;
  return net > 0 ? WIN_HZ : RESULT_HZ;
}

export function useSounds(): void {
  const { view, own } = useHere();
  const state = stateOf(view);
  // Computed, so that the page is not drawn anew with every step of the clock.
  const ending = useMemo(() => computed(() => isLast(secondsUntil(view.closes_at))), [view.closes_at]);
  const last = ending.value && state === "openBets";
  useEffect(() => {
    if (state === "openBets") play(OPEN_HZ);
    if (state === "noMoreBets") play(CLOSED_HZ);
  }, [state]);
  useEffect(() => {
    if (last) play(LAST_HZ);
  }, [last]);
  const tone = resultTone(state === "roundSettled", own.lines.length, netOf(own.lines));
  useEffect(() => {
    if (tone !== null) play(tone);
  }, [tone]);
}
