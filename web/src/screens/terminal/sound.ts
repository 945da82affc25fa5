/** Quiet tones at the calls and a win, for who switched sound on; made here, nothing is loaded. */
import { useEffect } from "preact/hooks";
import { settings } from "../../state/settings";
import { netOf } from "./model/outcome";
import { stateOf, useHere } from "./table";

const LOUDNESS = 0.05;
const NOTE_S = 0.16;
const OPEN_HZ = [523, 659];
const CLOSED_HZ = [392];
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

export function useSounds(): void {
  const { view, own } = useHere();
  const state = stateOf(view);
  const won = netOf(own.lines) > 0;
  useEffect(() => {
    if (state === "openBets") play(OPEN_HZ);
    if (state === "noMoreBets") play(CLOSED_HZ);
  }, [state]);
  useEffect(() => {
    if (won) play(WIN_HZ);
  }, [won]);
}
