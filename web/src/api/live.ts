/**
 * The one socket of this page: topics that resume where they were, commands that are done once.
 * Whoever subscribes gets a signal; a lost connection comes back by itself.
 */
import { computed, type Signal, signal } from "@preact/signals";
import { heardTime } from "../state/clock";
import { call, type Done, Refused } from "./http";
import { newKey } from "./keys";
import { type Change, folded, type Snapshot, type Topic } from "./topics";
import type { Command, Problem, SocketSchemas } from "./types";

type Answered = SocketSchemas["Answered"];
type Bye = SocketSchemas["Bye"];
type Message =
  | Snapshot
  | Change
  | Answered
  | Bye
  | { type: "error"; problem: Problem }
  | { type: "pong"; n: number; time: string };

export type Connection = "none" | "connecting" | "live" | "lost";

interface Followed {
  topic: Signal<Topic<object> | null>;
  followers: number;
}

interface Asked {
  message: string;
  done: (answer: Done) => void;
  failed: (error: Refused) => void;
}

const PING_MS = 5_000;
const DEAD_MS = 9_000;
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** More than the sentence of a refusal: why the server closed the socket for good. */
export const ended = signal<Bye | null>(null);
export const connection = signal<Connection>("none");
/** When something was heard last, by this machine's clock. */
export const heardAt = signal(0);
/** The house cannot be reached: what is shown is old, and nothing can be done. */
export const away = computed(() => connection.value === "lost");
/** What the server said of a message of ours, such as a topic that is not there. */
export const troubled = signal<Problem | null>(null);

const topics = new Map<string, Followed>();
const asked = new Map<string, Asked>();
let socket: WebSocket | null = null;
let wanted = false;
let tries = 0;
let pings = 0;
let watch: ReturnType<typeof setInterval> | undefined;
let again: ReturnType<typeof setTimeout> | undefined;

function send(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function subscribe(name: string, followed: Followed): void {
  const known = followed.topic.peek();
  const resumes = name.startsWith("table:") && known !== null;
  send({ type: "subscribe", topic: name, ...(resumes ? { after: known.sequence } : {}) });
}

/** Follow a topic; call the second value when it is of no interest any more. */
export function follow<View extends object>(name: string): [Signal<Topic<View> | null>, () => void] {
  let followed = topics.get(name);
  if (followed === undefined) {
    followed = { topic: signal(null), followers: 0 };
    topics.set(name, followed);
    // What was said of another topic does not hold for this one.
    troubled.value = null;
    subscribe(name, followed);
  }
  const mine = followed;
  mine.followers += 1;
  const leave = (): void => {
    mine.followers -= 1;
    if (mine.followers > 0 || topics.get(name) !== mine) return;
    topics.delete(name);
    send({ type: "unsubscribe", topic: name });
  };
  return [mine.topic as Signal<Topic<View> | null>, leave];
}

/** What is known of a topic that somebody follows, without following it. */
export const known = <View extends object>(name: string): View | null =>
  (topics.get(name)?.topic.peek()?.view as View | undefined) ?? null;

function answered(message: Answered): void {
  const waiting = asked.get(message.id);
  if (waiting === undefined) return;
  asked.delete(message.id);
  if (message.accepted) {
    waiting.done({ ...message, events: message.events ?? [], accepted: true, sequence: message.sequence ?? 0 });
  } else if (message.problem !== undefined) {
    waiting.failed(new Refused({ ...message.problem, sequence: message.sequence }));
  }
}

function heard(text: string): void {
  heardAt.value = Date.now();
  const message = JSON.parse(text) as Message;
  if (message.type === "snapshot" || message.type === "change") {
    heardTime(message.time);
    const followed = topics.get(message.topic);
    if (followed !== undefined) followed.topic.value = folded(followed.topic.peek(), message);
  } else if (message.type === "answer") answered(message);
  else if (message.type === "pong") heardTime(message.time);
  else if (message.type === "error") troubled.value = message.problem;
  else if (message.type === "bye" && message.code === "signed_out") finish(message);
}

/** The session is over: nothing comes back by itself. */
function finish(bye: Bye): void {
  ended.value = bye;
  disconnect();
}

function opened(): void {
  tries = 0;
  connection.value = "live";
  heardAt.value = Date.now();
  for (const [name, followed] of topics) subscribe(name, followed);
  for (const { message } of asked.values()) socket?.send(message);
  clearInterval(watch);
  watch = setInterval(() => {
    if (Date.now() - heardAt.peek() > DEAD_MS) dropped();
    else send({ type: "ping", n: ++pings });
  }, PING_MS);
}

function lost(): void {
  clearInterval(watch);
  socket = null;
  if (!wanted) return;
  connection.value = "lost";
  const pause = PAUSES_MS[Math.min(tries++, PAUSES_MS.length - 1)] ?? 8_000;
  clearTimeout(again);
  // Not all at once after a power failure.
  again = setTimeout(() => void dial(), pause * (0.7 + 0.6 * Math.random()));
}

/** Nothing is heard any more: a closing handshake would wait for an answer that does not come. */
function dropped(): void {
  const gone = socket;
  if (gone === null) return;
  gone.onclose = null;
  gone.onmessage = null;
  gone.close();
  lost();
}
addEventListener("offline", dropped);

async function dial(): Promise<void> {
  if (!wanted || socket !== null) return;
  if (connection.peek() === "none") connection.value = "connecting";
  let ticket: string;
  try {
    ({ ticket } = await call<{ ticket: string }>("POST", "/tickets"));
  } catch (error) {
    const problem = error instanceof Refused ? error.problem : null;
    if (problem?.status === 401) {
      const why = problem.ended ?? undefined;
      finish({ type: "bye", code: "signed_out", detail: problem.detail, ...(why === undefined ? {} : { ended: why }) });
    } else lost();
    return;
  }
  if (!wanted || socket !== null) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/api/v1/live?ticket=${ticket}`);
  socket.onopen = opened;
  socket.onmessage = (event: MessageEvent<string>) => heard(event.data);
  socket.onclose = lost;
}

/** Open the socket, and keep it. */
export function connect(): void {
  if (wanted) return;
  wanted = true;
  ended.value = null;
  void dial();
}

/** Close the socket; whoever waits is told that nobody knows. */
export function disconnect(): void {
  wanted = false;
  clearTimeout(again);
  clearInterval(watch);
  const closing = socket;
  socket = null;
  if (closing !== null) {
    closing.onclose = null;
    closing.close();
  }
  connection.value = "none";
  for (const followed of topics.values()) followed.topic.value = null;
  for (const { failed } of asked.values()) {
    failed(new Refused({ type: "about:blank", title: "Signed out", status: 401, code: "signed_out", clause: null, detail: "You were signed out." }));
  }
  asked.clear();
}

export interface Conditions {
  round?: number;
  hold?: number;
  approval?: string;
  cards?: string[];
  die?: number;
}

/** Give a command by the socket; after a lost connection the same key is sent again. */
export function command(table: string, content: Command, conditions: Conditions = {}): Promise<Done> {
  const id = newKey();
  const message = JSON.stringify({ type: "command", id, table, command: content, ...conditions });
  return new Promise((done, failed) => {
    asked.set(id, { message, done, failed });
    if (socket?.readyState === WebSocket.OPEN) socket.send(message);
  });
}

/** Tell the house that this terminal displayed the closing (EB4 5.10). */
export function shown(table: string, round: number): void {
  send({ type: "shown", table, round });
}
