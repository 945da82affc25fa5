/** Who is signed in, and the house: asked once when the page loads, and kept. */
import { batch, effect, signal } from "@preact/signals";
import { call, get, Refused, setCsrf } from "../api/http";
import { connect, disconnect, ended } from "../api/live";
import type { Actor, Schemas } from "../api/types";
import { zone } from "../i18n/money";

export type House = Schemas["HouseShown"];

export type Somebody = Actor & { csrf?: string | null };

/** undefined: not known yet; null: nobody. */
export const somebody = signal<Somebody | null | undefined>(undefined);
export const house = signal<House | null>(null);
/** Why a session ended that nobody ended here; shown by the sign-in. */
export const signedOutBecause = signal<string | null>(null);

function entered(actor: Somebody, csrf: string): void {
  setCsrf(csrf);
  batch(() => {
    somebody.value = actor;
    signedOutBecause.value = null;
  });
  connect();
}

/** Ask the house who it is and who we are. */
export async function begin(): Promise<void> {
  try {
    const found = await get<House>("/house");
    zone.name = found.zone;
    house.value = found;
  } catch {
    // The sign-in says that the house cannot be reached.
  }
  try {
    const actor = await get<Somebody>("/me");
    entered(actor, actor.csrf ?? "");
  } catch (error) {
    if (error instanceof Refused) somebody.value = null;
    else throw error;
  }
}

export async function signIn(name: string, password: string): Promise<Somebody> {
  const opened = await call<{ actor: Actor; csrf: string }>("POST", "/sessions", { name, password });
  entered(opened.actor, opened.csrf);
  return opened.actor;
}

export async function signOut(): Promise<void> {
  await call("DELETE", "/sessions/current").catch(() => undefined);
  disconnect();
  somebody.value = null;
}

effect(() => {
  if (ended.value === null) return;
  signedOutBecause.value = ended.value.detail;
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
    case "Technician":
      return "/audit";
    case "Pit Supervisor":
    case "Pit Manager":
    case "Assistant Casino Manager":
    case "Gaming Shift Manager":
      return "/pit";
    default:
      return "/lobby";
  }
}
