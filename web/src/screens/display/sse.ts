/** Reading server-sent events from bytes, and a stream that comes back by itself. */
import type { Change, Snapshot } from "../../api/topics";

export interface Event {
  kind: string;
  id: string;
  data: string;
}

/** Take the whole events from the front of a text; the rest waits for more. */
export function eventsOf(text: string): { events: Event[]; rest: string } {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.flatMap((block): Event[] => {
    const event: Event = { kind: "message", id: "", data: "" };
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === "event") event.kind = value;
      else if (name === "id") event.id = value;
      else if (name === "data") event.data += event.data === "" ? value : `\n${value}`;
    }
    return event.data === "" ? [] : [event];
  });
  return { events, rest };
}

export interface Listening {
  onMessage: (message: Snapshot | Change) => void;
  /** Whether the house is heard, and when it was last; false comes when it is silent, and before each try to come back. */
  onHeard: (heard: boolean, at: number) => void;
  /** The house knows nothing of the topic; asked again all the same. */
  onUnknown: () => void;
}

/** The house says something at least every 2 s, if only that it is there; what is shown is old after this. */
const QUIET_MS = 5_000;
/** A line that is silent for so long is given up, and dialled again. */
const SILENT_MS = 12_000;
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];

/** Follow a topic until the function that is returned is called. */
export function listen(topic: string, { onMessage, onHeard, onUnknown }: Listening): () => void {
  let over = false;
  let last = "";
  let tries = 0;
  let stop = new AbortController();
  let at = 0;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const hush = (): void => {
    clearTimeout(quiet);
    clearTimeout(silence);
  };
  const alive = (): void => {
    hush();
    quiet = setTimeout(() => onHeard(false, at), QUIET_MS);
    silence = setTimeout(() => stop.abort(), SILENT_MS);
  };
  const read = async (): Promise<void> => {
    const headers: Record<string, string> = { Accept: "text/event-stream", ...(last === "" ? {} : { "Last-Event-ID": last }) };
    const answer = await fetch(`/api/v1/events?topic=${encodeURIComponent(topic)}`, { headers, signal: stop.signal, credentials: "omit" });
    if (answer.status === 404) onUnknown();
    if (!answer.ok || answer.body === null) throw new Error(answer.statusText);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      alive();
      tries = 0;
      at = Date.now();
      onHeard(true, at);
      const { events, rest } = eventsOf(waiting + value);
      waiting = rest;
      for (const event of events) {
        last = event.id;
        onMessage(JSON.parse(event.data) as Snapshot | Change);
      }
    }
  };
  const dial = (): void => {
    stop = new AbortController();
    alive();
    void read()
      .catch(() => undefined)
      .then(() => {
        hush();
        if (over) return;
        onHeard(false, at);
        again = setTimeout(dial, PAUSES_MS[Math.min(tries++, PAUSES_MS.length - 1)]);
      });
  };
  dial();
  return () => {
    over = true;
    clearTimeout(again);
    hush();
    stop.abort();
  };
}
