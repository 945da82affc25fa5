/**
 * Cash-out tickets of this page. A ticket's validation is told once, so it stays in the memory of
 * the page until its patron puts it away; and a cash-out whose answer did not come is asked again
 * under its own key, after an outage or a reload too, until there is an answer.
 */
import { computed, effect, signal } from "@preact/signals";
import { call, type Done, passes, Refused } from "../../api/http";
import { newKey } from "../../api/keys";
import { connection } from "../../api/live";
import type { Problem } from "../../api/types";
import { somebody } from "../../app/session";
import { keep, kept, ownPlace } from "../../state/kept";

/** A ticket that was made here; without a validation the house had told it before, and nobody heard it. */
export interface Printed {
  number: string;
  cents: number;
  validation: string | null;
}

/** A cash-out without an answer; `late`: the first try brought none. */
export interface Awaited {
  key: string;
  cents: number;
  late: boolean;
}

/** Of whom it is: another patron in this tab sees nothing of it. */
type Owned<T> = T & { owner: string };

const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];
/** Nobody is signed in, too much was asked, or the house failed: nothing is said of the cash-out. */
const NO_ANSWER = new Set([401, 408, 425, 429, 500]);
const isAnswer = (problem: Problem): boolean => !passes(problem) && !NO_ANSWER.has(problem.status);

const name = computed(() => somebody.value?.name ?? "");
const tickets = signal<readonly Owned<Printed>[]>([]);
const waits = signal<Owned<Awaited> | null>(null);
const refusal = signal<Owned<{ problem: Problem }> | null>(null);
const mine = <T extends object>(one: Owned<T> | null): T | null => (one?.owner === name.value ? one : null);

/** Tickets of whoever is signed in that were not put away, the newest first. */
export const printed = computed<readonly Printed[]>(() => tickets.value.filter(({ owner }) => owner === name.value));
export const awaited = computed<Awaited | null>(() => mine(waits.value));
/** Why the last cash-out was refused. */
export const refused = computed<Problem | null>(() => mine(refusal.value)?.problem ?? null);

/** The patron has noted the number: it is shown no more. */
export function putAway(number: string): void {
  tickets.value = tickets.peek().filter((one) => one.number !== number);
}

/** Another amount is written: what was refused before is said no more. */
export const forgetRefusal = (): void => void (refusal.value = null);

const place = (): string => ownPlace("cashout", "");
let again: ReturnType<typeof setTimeout> | undefined;
let asking = false;

function made({ owner, cents }: Owned<Awaited>, { ticket, validation }: Done): void {
  if (ticket === undefined) return;
  const one = { number: String(ticket), cents, validation: validation ?? null, owner };
  tickets.value = [one, ...tickets.peek().filter(({ number }) => number !== one.number)];
}

/** Ask once what came of a cash-out; true: the house has said it. */
async function answered(one: Owned<Awaited>): Promise<boolean> {
  try {
    made(one, await call<Done>("POST", "/cage/commands", { command: { type: "cash_out", cents: one.cents } }, { "Idempotency-Key": one.key }));
    return true;
  } catch (error) {
    // An answer that broke off is none, either.
    if (!(error instanceof Refused) || !isAnswer(error.problem)) return false;
    refusal.value = { problem: error.problem, owner: one.owner };
    return true;
  }
}

/** Ask until there is an answer, or somebody else is here; the key is always the same, so it is done once. */
async function ask(one: Owned<Awaited>, at: string, tries = 0): Promise<void> {
  clearTimeout(again);
  if (asking || name.peek() !== one.owner) return;
  asking = true;
  const done = await answered(one).finally(() => void (asking = false));
  if (done) {
    waits.value = null;
    keep(at, null);
    return;
  }
  waits.value = { ...one, late: true };
  again = setTimeout(() => void ask(one, at, tries + 1), PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
}

/** Take cents out of the wallet on a ticket; it is `printed`, `refused` or, for now, `awaited`. */
export async function cashOut(cents: number): Promise<void> {
  if (awaited.peek() !== null) return;
  const one = { key: newKey(), cents, late: false, owner: name.peek() };
  refusal.value = null;
  keep(place(), { key: one.key, cents });
  waits.value = one;
  await ask(one, place());
}

/** Go on with what this tab kept of whoever is here. */
export function goOn(): void {
  const found = kept(place()) as Partial<Awaited> | null;
  if (name.peek() === "" || typeof found?.key !== "string" || !Number.isSafeInteger(found.cents)) return;
  const one = { key: found.key, cents: found.cents ?? 0, late: true, owner: name.peek() };
  waits.value = one;
  void ask(one, place());
}

// Whoever is back, by signing in, by loading the page or with the connection, hears at once.
effect(() => {
  if (name.value !== "" && connection.value === "live") goOn();
});
