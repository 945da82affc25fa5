/** Who is signed in, and the house: asked once when the page loads, and kept. */
import { batch, effect, signal } from "@preact/signals";
import { call, get, Refused, setCsrf } from "../api/http";
import { connect, disconnect, ended, known } from "../api/live";
import type { Actor, Problem, Schemas, SocketSchemas, Wallet } from "../api/types";
import { zone } from "../i18n/money";
import { heardTime } from "../state/clock";

export type DemoLogin = Schemas["DemoLogin"];
export type House = Schemas["HouseShown"];

export type Somebody = Actor & { csrf?: string | null };

/** undefined: not known yet; null: nobody. */
export const somebody = signal<Somebody | null | undefined>(undefined);
export const house = signal<House | null>(null);

/** The house's sign for money, such as S$; empty until the house is known. */
export const currency = (): string => house.value?.currency.symbol ?? "";
/** A session that ended and that nobody ended here: why, whose it was, and what was known of it. */
export interface SignedOut {
  why: Schemas["Ended"] | null;
  name: string | null;
  wallet: Wallet | null;
}
export const signedOut = signal<SignedOut | null>(null);

function entered(actor: Somebody, csrf: string): void {
  setCsrf(csrf);
  batch(() => {
    somebody.value = actor;
    signedOut.value = null;
  });
  connect();
}

/** Ask the house who it is and who we are. */
export async function begin(): Promise<void> {
  try {
    const found = await get<House>("/house");
    zone.name = found.zone;
    heardTime(found.time);
    house.value = found;
  } catch {
    // The sign-in says that the house cannot be reached.
  }
  try {
    const { me, ended: why } = await get<Schemas["CurrentSession"]>("/sessions/current");
    if (me !== null) return entered(me, me.csrf ?? "");
    if (why !== null && why !== "signed_out") signedOut.value = { why, name: null, wallet: null };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  somebody.value = null;
}

export async function signIn(name: string, password: string): Promise<Somebody> {
  const opened = await call<{ actor: Actor; csrf: string }>("POST", "/sessions", { name, password });
  entered(opened.actor, opened.csrf);
  return opened.actor;
}

const UNAUTHORIZED = 401;

/** End the session; where the house did not end it, why: whoever loads the page anew is still signed in. */
export async function signOut(): Promise<Problem | null> {
  try {
    await call("DELETE", "/sessions/current");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.problem.status !== UNAUTHORIZED) return error.problem;
  }
  disconnect();
  somebody.value = null;
  return null;
}

effect(() => {
  if (ended.value === null) return;
  const wallet = known<SocketSchemas["Mine"]>("me")?.wallet ?? null;
  signedOut.value = { why: ended.value.ended ?? null, name: somebody.peek()?.name ?? null, wallet };
  somebody.value = null;
});

/** Where somebody of this kind and position begins. */
export function homeOf(actor: Actor): string {
  if (actor.kind === "patron") return "/lobby";
  if (actor.kind === "auditor") return "/audit";
  switch (actor.position) {
    case "Dealer":
      return "/dealer";
    case "Cashier":
    case "Cage Supervisor":
      return "/cage";
    case "Surveillance":
    case "Auditor":
      return "/audit";
    case "Pit Supervisor":
    case "Pit Manager":
    case "Assistant Casino Manager":
    case "Gaming Shift Manager":
      return "/pit";
    case "Administrator":
    case "Technician":
      return "/house";
    default:
      return "/lobby";
  }
}
