/** What the sign-in decides without a page: who may tap which login, and where somebody goes. */
import type { Actor } from "../../api/types";
import { type DemoLogin, homeOf } from "../../app/session";

export interface Logins {
  patrons: DemoLogin[];
  /** More patrons than are shown at once. */
  morePatrons: DemoLogin[];
  /** Staff of tables and cage. */
  staff: DemoLogin[];
  /** Those who watch over the house: auditor, administrator. */
  others: DemoLogin[];
}

const PATRONS_SHOWN = 2;

/** The logins of a demo by kind; patrons are many, so that two stand for all. */
export function grouped(logins: readonly DemoLogin[] | undefined): Logins {
  const all = logins ?? [];
  const patrons = all.filter(({ kind }) => kind === "patron");
  return {
    patrons: patrons.slice(0, PATRONS_SHOWN),
    morePatrons: patrons.slice(PATRONS_SHOWN),
    staff: all.filter(({ kind }) => kind === "staff"),
    others: all.filter(({ kind }) => kind !== "patron" && kind !== "staff"),
  };
}

const FOR_PATRONS = new Set(["lobby", "tables", "table"]);
const DOORS = new Set(["start", "signin", "setup", "password"]);

/** Where somebody goes who signed in at an address; null: it stays, as it is theirs. */
export function afterSignIn(screen: string, actor: Actor): string | null {
  if (DOORS.has(screen)) return homeOf(actor);
  if (actor.kind === "patron" && !FOR_PATRONS.has(screen)) return homeOf(actor);
  return null;
}

/** The secret of a one-time link is behind its `#`: no server and no log sees it there. */
export const secretOf = (hash: string): string => decodeURIComponent(hash.replace(/^#/, ""));

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;

export type Strength = 0 | 1 | 2 | 3 | 4;

/** How hard a password is to guess: 0 is too short to be one; length counts most. */
export function strength(password: string): Strength {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) return 0;
  const different = new Set(password).size;
  if (different < 5) return 1;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length;
  const points = (password.length >= 16 ? 1 : 0) + (password.length >= 22 ? 1 : 0) + (kinds >= 2 ? 1 : 0) + (different >= 10 ? 1 : 0);
  return Math.min(4, 1 + points) as Strength;
}

/** Why a new password is not taken; null: it may be tried. */
export function unsuitable(password: string, name: string): "short" | "long" | "name" | null {
  if (password.length < PASSWORD_MIN) return "short";
  if (password.length > PASSWORD_MAX) return "long";
  return password.toLowerCase() === name.toLowerCase() ? "name" : null;
}
