/** Calls over HTTP: JSON in and out, a problem as a value, and a retry with the same key. */
import { newKey } from "./keys";
import type { Command, Heard, Problem } from "./types";

const BASE = "/api/v1";

/** The server, or the way to it, said no; `problem` says why in one sentence. */
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    /** After how many seconds it may be tried again, if the server said so. */
    readonly retrySeconds: number | null = null,
  ) {
    super(problem.detail);
  }
}

/** What the cookie of this page is guarded by; set when somebody signs in. */
let csrf = "";
export function setCsrf(value: string): void {
  csrf = value;
}

const UNREACHED: Problem = {
  type: "about:blank",
  title: "No connection",
  status: 0,
  detail: "The house cannot be reached.",
  code: "unreached",
  clause: null,
};

async function problemOf(response: Response): Promise<Problem> {
  const given: unknown = await response.json().catch(() => null);
  if (given !== null && typeof given === "object" && "code" in given) return given as Problem;
  return { ...UNREACHED, status: response.status, title: response.statusText };
}

/** Call the server; what it answers, or Refused. */
export async function call<T>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const sent: Record<string, string> = { Accept: "application/json", ...headers };
  if (method !== "GET") sent["X-CSRF-Token"] = csrf;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers: sent,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused(UNREACHED);
  }
  if (!response.ok) throw new Refused(await problemOf(response), Number(response.headers.get("Retry-After")) || null);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>("POST", path, body);

export interface Done {
  sequence: number;
  accepted: true;
  events: Heard[];
  ticket?: string;
  validation?: string;
}

const AGAIN = new Set([0, 502, 503, 504]);
/** Whether the same, asked again in a moment, may well be answered. */
export const passes = ({ status }: Problem): boolean => AGAIN.has(status);

/**
 * Give a command to a table, the cage or the accounts. The key is the same in every try, so a
 * command whose answer was lost is done once.
 */
export async function give(where: string, command: Command, more: Record<string, unknown> = {}): Promise<Done> {
  const path = where === "cage" || where === "accounts" ? `/${where}/commands` : `/tables/${where}/commands`;
  const key = newKey();
  for (let tries = 0; ; tries++) {
    try {
      return await call<Done>("POST", path, { command, ...more }, { "Idempotency-Key": key });
    } catch (error) {
      const again = error instanceof Refused && passes(error.problem) && tries < 4;
      if (!again) throw error;
      await new Promise((done) => setTimeout(done, 250 * 2 ** tries));
    }
  }
}
