/** Giving a command from a button: sending, done, or why not; a second person where one is needed. */
import { give, Refused, type Done } from "../api/http";
import { away } from "../api/live";
import type { Command, Problem } from "../api/types";
import { useSending } from "./sending";

export interface Acting {
  sending: boolean;
  /** Nothing can be given now: the house cannot be reached. */
  away: boolean;
  problem: Problem | null;
  act: (command: Command, more?: Record<string, unknown>) => Promise<Done | null>;
  clear: () => void;
}

/** Give commands to `where` (a table, "cage" or "accounts"), one at a time. */
export function useActing(where: string): Acting {
  const { sending, problem, send } = useSending();
  const act = async (command: Command, more: Record<string, unknown> = {}): Promise<Done | null> => {
    let done: Done | null = null;
    await send(async () => (done = await give(where, command, more)));
    return done;
  };
  return {
    get sending() {
      return sending.value;
    },
    get away() {
      return away.value;
    },
    get problem() {
      return problem.value;
    },
    act,
    clear: () => void (problem.value = null),
  };
}

/** Ask without the cookie of this page, so that an answer does not touch who is signed in. */
async function aside<T>(method: string, path: string, token: string | null, body?: unknown): Promise<T> {
  const response = await fetch(`/api/v1${path}`, {
    method,
    credentials: "omit",
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Refused((await response.json()) as Problem);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** How long an approval holds: the session that gave it must last as long. */
const APPROVAL_MS = 120_000;

/**
 * A second person approves exactly one command with its faces, here, by name and password; whoever is signed in
 * stays so. An approval is void with the session that gave it, so this session is closed once the
 * approval was used, or is too old.
 */
export async function approvedBy(
  name: string,
  password: string,
  table: string,
  command: Command,
  forName: string,
  use?: (approval: string) => unknown,
  cards: readonly string[] = [],
): Promise<string> {
  const { token } = await aside<{ token: string }>("POST", "/sessions", null, { name, password });
  const close = (): void => void aside("DELETE", "/sessions/current", token).catch(() => undefined);
  try {
    const wanted = { table, command, for: forName, ...(cards.length === 0 ? {} : { cards }) };
    const { approval } = await aside<{ approval: string }>("POST", "/approvals", token, wanted);
    if (use === undefined) setTimeout(close, APPROVAL_MS);
    else await Promise.resolve(use(approval)).finally(close);
    return approval;
  } catch (error) {
    close();
    throw error;
  }
}
