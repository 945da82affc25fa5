/**
 * Somebody else acts at this console, once: a Pit Supervisor confirms here, a Pit Manager opens
 * the table here. They sign in beside whoever works at the console, whose session is not touched,
 * and are signed out as soon as it is done.
 */
import { Refused } from "../../api/http";
import { newKey } from "../../api/keys";
import type { Actor, Command, Heard, Open, PitPart, Problem, TableView } from "../../api/types";
import { approvedBy } from "../../parts/acting";

export interface Other {
  token: string;
  actor: Actor;
  may: readonly Open[];
  /** The pit's part of the table, for who has one: its settings are what a change begins with. */
  pit?: PitPart | undefined;
}

async function ask<T>(method: string, path: string, token: string | null, body?: unknown): Promise<T> {
  const response = await fetch(`/api/v1${path}`, {
    method,
    credentials: "omit",
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(path.endsWith("/commands") ? { "Idempotency-Key": newKey() } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Refused((await response.json()) as Problem);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const leave = (other: Other): void => void ask("DELETE", "/sessions/current", other.token).catch(() => undefined);

/** What somebody who signed in here may do at a table now. */
export async function mayOf(token: string, table: string): Promise<Pick<Other, "may" | "pit">> {
  const may = await ask<Open[] | { may: Open[] }>("GET", `/tables/${table}/may`, token);
  const { view } = await ask<{ view: TableView }>("GET", `/tables/${table}`, token);
  return { may: Array.isArray(may) ? may : may.may, pit: view.pit };
}

/** Sign somebody in for one act at a table, and see what they may do there. */
export async function enter(name: string, password: string, table: string): Promise<Other> {
  const { token, actor } = await ask<{ token: string; actor: Actor }>("POST", "/sessions", null, { name, password });
  const other = { token, actor, may: [] };
  try {
    return { ...other, ...(await mayOf(token, table)) };
  } catch (error) {
    leave(other);
    throw error;
  }
}

/** Give one command as that person. */
export async function giveAs(other: Other, table: string, command: Command, more: Record<string, unknown>): Promise<void> {
  await ask("POST", `/tables/${table}/commands`, other.token, { command, ...more });
}

/**
 * A count of chips is recorded at the cage by a Cashier, with a second person: both sign in here,
 * for this count alone. Returns by how much it differs from what the ledger expects.
 */
export async function countBy(
  cashier: { name: string; password: string },
  second: { name: string; password: string },
  command: Command,
): Promise<number> {
  const first = await ask<{ token: string; actor: Actor }>("POST", "/sessions", null, cashier);
  const other = { ...first, may: [] };
  try {
    let events: Heard[] = [];
    await approvedBy(second.name, second.password, "cage", command, first.actor.name, async (approval) => {
      ({ events } = await ask<{ events: Heard[] }>("POST", "/cage/commands", other.token, { command, approval }));
    });
    const facts = events.find(({ name }) => name === "difference_found")?.facts;
    return facts === undefined ? 0 : Number(facts["counted_cents"]) - Number(facts["expected_cents"]);
  } finally {
    leave(other);
  }
}
