/** What a verification comes to in words: how far it is, and what it covered. */
import type { Schemas } from "../../api/types";

export type Verification = Schemas["VerificationShown"];
export type StreamShown = Schemas["StreamShown"];

/** Of how many hundredths a verification is done; 100 only when it is over. */
export function percent(verification: Verification): number {
  const { decisions_done: done = 0, decisions: all = 0, state } = verification;
  if (state === "done") return 100;
  return all === 0 ? 0 : Math.min(99, Math.floor((100 * done) / all));
}

export function seconds(verification: Verification): number {
  if (verification.ended == null) return 0;
  return Math.max(0, Math.round((Date.parse(verification.ended) - Date.parse(verification.began)) / 1000));
}

/** The newest verification that came to its end. */
export const finished = (all: readonly Verification[]): Verification | undefined =>
  all.filter((one) => one.state === "done").toSorted((a, b) => b.number - a.number)[0];

export const running = (all: readonly Verification[]): Verification | undefined => all.find((one) => (one.state ?? "running") === "running");

/** How well a stream is known: all of it verified, part of it, or its chain alone. */
export function coverage(stream: StreamShown): "verified" | "partly" | "chain" {
  if (stream.verified == null) return "chain";
  return stream.verified >= stream.decisions ? "verified" : "partly";
}

/**
 * Streams as the newest verification found them: they are asked less often than verifications, and
 * must not say less than the headline above them.
 */
export function asVerified(streams: readonly StreamShown[], newest: Verification | undefined): readonly StreamShown[] {
  if (newest?.result == null) return streams;
  const { holds, heads } = newest.result;
  return streams.map((stream) => ({ ...stream, verified: holds ? (heads[stream.name] ?? null) : null }));
}

/** The stream whose chain is shown: the one with most records after the checkpoint, then the longest. */
export const chained = (streams: readonly StreamShown[]): StreamShown | undefined =>
  streams.toSorted((a, b) => b.decisions - b.signed - (a.decisions - a.signed) || b.decisions - a.decisions)[0];

/** So many records of it are shown, so many of them after the checkpoint. */
const LINKS = 4;
const TAIL = 2;

/** Which records are shown, as a page of the stream: the checkpoint is among them. */
export const linksOf = ({ decisions, signed }: Pick<StreamShown, "decisions" | "signed">): { before: number; limit: number } => ({
  before: Math.min(decisions, signed + TAIL) + 1,
  limit: LINKS,
});

/** A digest as people compare it: its beginning and its end. */
export const short = (digest: string): string => (digest.length <= 12 ? digest : `${digest.slice(0, 4)}…${digest.slice(-4)}`);

/** The table that a stream is of; null: it is the cage's or the accounts'. */
export const tableOf = (stream: string): string | null => (stream.startsWith("table:") ? stream.slice("table:".length) : null);
