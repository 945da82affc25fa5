/** Words on time and result that a patron asked for, in the message line from time to time. */
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { money, signed } from "../../i18n/money";
import { askPlay, duration, play } from "./played";
import { preferences } from "./preferences";
import { say } from "./words";

export const reminder = signal<string | null>(null);

const SHOWN_MS = 20_000;

/** Say it every so many minutes, for a while. */
export function useReminder(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    let end: ReturnType<typeof setTimeout> | undefined;
    const tell = async (): Promise<void> => {
      await askPlay();
      const day = play.peek()?.day;
      if (day === undefined) return;
      reminder.value = say("reminder", { time: duration(day.seconds / 60), result: signed(day.result_cents), staked: money(day.turnover_cents) });
      end = setTimeout(() => void (reminder.value = null), SHOWN_MS);
    };
    const stop = effect(() => {
      clearInterval(timer);
      const minutes = preferences.value.remindMinutes;
      if (minutes > 0) timer = setInterval(() => void tell(), minutes * 60_000);
    });
    return () => {
      stop();
      clearInterval(timer);
      clearTimeout(end);
      reminder.value = null;
    };
  }, []);
}
