/** Settings of a table as a draft: what changed, what it was, and by which commands it is set. */
import type { Command, Open, Phase, SocketSchemas, TableView } from "../../api/types";
import { unread } from "../../parts/figures";
import { amounts, fieldOf, opening, values, within } from "../../state/may";

export type Limits = Required<SocketSchemas["Limits"]>;
export type Clocks = Required<SocketSchemas["Clocks"]>;
/** Settings are shown with every field of them. */
export type SettingsShown = Required<Omit<SocketSchemas["SettingsShown"], "limits" | "clocks">> & { limits: Record<string, Limits>; clocks: Clocks };
export const LIMITS = ["minimum_cents", "maximum_cents", "step_cents"] as const;
export type LimitPart = (typeof LIMITS)[number];

/** What may be changed here; limits of the wagers that are offered now. */
export interface Draft {
  limits: Record<string, Limits>;
  method: string | null;
  differential: number | null;
  cap: number | null;
  optional: readonly string[] | null;
  clocks: Clocks;
  dealtBy: string;
}

const EVERY = "*";
const FIRST = ["player", "banker"];

/** Wagers as they are told: Player, Banker, then the others in the order of the rulebook. */
export function inOrder<W extends { slug: string }>(wagers: readonly W[]): W[] {
  const rank = ({ slug }: W): number => (FIRST.includes(slug) ? FIRST.indexOf(slug) : FIRST.length);
  return wagers.toSorted((a, b) => rank(a) - rank(b));
}

/** The values of settings, for the wagers that a table offers; what the rulebook has counts where nothing is set. */
export function draftOf(settings: SettingsShown, slugs: readonly string[], usualCap: number | null = null): Draft {
  const limits: Record<string, Limits> = {};
  for (const slug of slugs) {
    const found = settings.limits[slug] ?? settings.limits[EVERY];
    if (found !== undefined) limits[slug] = found;
  }
  return {
    limits,
    method: settings.method,
    differential: settings.differential_cents,
    cap: settings.wagers_per_area ?? usualCap,
    optional: settings.optional,
    clocks: settings.clocks,
    dealtBy: settings.dealt_by,
  };
}

export type Changed = "limits" | "differential" | "method" | "cap" | "optional" | "clocks" | "dealtBy";

const COMMANDS: Record<Changed, string> = {
  limits: "set_limits",
  differential: "set_differential",
  method: "set_method",
  cap: "set_area_cap",
  optional: "offer_wagers",
  clocks: "set_clocks",
  dealtBy: "set_dealt_by",
};

export const openFor = (may: readonly Open[], changed: Changed): Open | undefined => opening(may, COMMANDS[changed]);

export interface Change {
  what: Changed;
  command: Command;
  open: Open;
}

/** What is no figure is written as null, and yet differs from there being none. */
const written = (_: string, value: unknown): unknown => (Number.isNaN(value) ? "NaN" : value);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a, written) === JSON.stringify(b, written);

/** Limits are set all at once: those that nobody changed go with those that somebody did. */
function wholeLimits(settings: SettingsShown, base: Draft, draft: Draft): Record<string, Limits> {
  const limits: Record<string, Limits> = { ...settings.limits };
  for (const [slug, limit] of Object.entries(draft.limits)) if (!same(limit, base.limits[slug])) limits[slug] = limit;
  return limits;
}

function commandOf(what: Changed, settings: SettingsShown, base: Draft, draft: Draft): Command {
  const type = COMMANDS[what];
  switch (what) {
    case "limits":
      return { type, limits: wholeLimits(settings, base, draft) };
    case "differential":
      return { type, cents: draft.differential };
    case "method":
      return { type, method: draft.method };
    case "cap":
      return { type, wagers: draft.cap };
    case "optional":
      return { type, optional: draft.optional ?? [] };
    case "clocks":
      return { type, clocks: draft.clocks };
    case "dealtBy":
      return { type, dealt_by: draft.dealtBy };
  }
}

/** The commands that make a draft of what is set, as far as this position may give them. */
export function changesOf(settings: SettingsShown, draft: Draft, may: readonly Open[], usualCap: number | null = null): Change[] {
  const base = draftOf(settings, Object.keys(draft.limits), usualCap);
  return (Object.keys(COMMANDS) as Changed[]).flatMap((what) => {
    const open = openFor(may, what);
    if (open === undefined || same(base[what], draft[what])) return [];
    return [{ what, open, command: commandOf(what, settings, base, draft) }];
  });
}

/** How many values differ: each limit counts by itself. */
export function countOf(base: Draft, draft: Draft): number {
  let n = 0;
  for (const [slug, limit] of Object.entries(draft.limits)) n += LIMITS.filter((part) => limit[part] !== base.limits[slug]?.[part]).length;
  const clocks = Object.keys(draft.clocks) as (keyof Clocks)[];
  n += clocks.filter((name) => draft.clocks[name] !== base.clocks[name]).length;
  for (const what of ["method", "differential", "cap", "optional", "dealtBy"] as const) if (!same(base[what], draft[what])) n += 1;
  return n;
}

/** A value that somebody edits and that was set to something else meanwhile. */
export interface Clash {
  what: Changed;
  /** The wager or the clock, where there are several. */
  of: string;
  part: LimitPart | null;
}

/**
 * What somebody edits, carried over to what is set now: a value that was not touched is the one
 * that is set, one that was edited stays. Of those, which were set to something else meanwhile,
 * other than by what one `sent` oneself.
 */
export function carried(before: Draft, mine: Draft, now: Draft, sent: Draft | null): { draft: Draft; clashes: Clash[] } {
  const clashes: Clash[] = [];
  const kept = <T>(values: (draft: Draft) => T, what: Changed, of = "", part: LimitPart | null = null): T => {
    const [was, own, set] = [values(before), values(mine), values(now)];
    if (own === undefined || same(was, own)) return set;
    const other = !same(was, set) && !same(own, set) && (sent === null || !same(values(sent), set));
    if (other) clashes.push({ what, of, part });
    return own;
  };
  const limits = Object.entries(now.limits).map(([slug, limit]) => {
    const parts = LIMITS.map((part) => [part, kept((draft) => draft.limits[slug]?.[part], "limits", slug, part)]);
    return [slug, { ...limit, ...Object.fromEntries(parts) }];
  });
  const clocks = (Object.keys(now.clocks) as (keyof Clocks)[]).map((name) => [name, kept((draft) => draft.clocks[name], "clocks", name)]);
  const draft: Draft = {
    limits: Object.fromEntries(limits) as Draft["limits"],
    clocks: Object.fromEntries(clocks) as Clocks,
    method: kept(({ method }) => method, "method"),
    differential: kept(({ differential }) => differential, "differential"),
    cap: kept(({ cap }) => cap, "cap"),
    optional: kept(({ optional }) => optional, "optional"),
    dealtBy: kept(({ dealtBy }) => dealtBy, "dealtBy"),
  };
  return { draft, clashes };
}

/** Whether what somebody else set is still edited to something else. */
export function stands({ what, of, part }: Clash, base: Draft, draft: Draft): boolean {
  if (what === "limits" && part !== null) return base.limits[of]?.[part] !== draft.limits[of]?.[part];
  if (what === "clocks") return base.clocks[of as keyof Clocks] !== draft.clocks[of as keyof Clocks];
  return !same(base[what], draft[what]);
}

/** Phases in which no round is played: the number that a view has is that of the last one. */
const BETWEEN: readonly Phase[] = ["UNOPENED", "IDLE", "VOID"];

/** The round that is played now, which new settings do not touch; null: none is. */
export const roundPlayed = ({ phase, round }: Pick<TableView, "phase" | "round">): number | null => (BETWEEN.includes(phase) ? null : round);

export type LimitFault = "unread" | "step" | "multiple" | "order";

/** What is wrong with the limits of a wager; null: nothing is. */
export function faultOf(limit: Limits, open: Open | undefined, slug: string): LimitFault | null {
  const { minimum_cents: minimum, maximum_cents: maximum, step_cents: step } = limit;
  if (unread(limit)) return "unread";
  const range = amounts(open, `limits.${slug}`) ?? rangeIn(open, slug);
  if (step <= 0 || (range !== null && !within(range, step))) return "step";
  if (minimum <= 0 || minimum % step !== 0 || maximum % step !== 0) return "multiple";
  return minimum > maximum ? "order" : null;
}

/** The ways of limits name wagers that are no fields of their own. */
function rangeIn(open: Open | undefined, slug: string): { minimum: number; maximum: number; step: number } | null {
  for (const list of open?.ways ?? []) {
    for (const way of list) {
      const found = way[`limits.${slug}`];
      if (found !== undefined && !Array.isArray(found)) return { step: 1, ...(found as { minimum: number; maximum: number }) };
    }
  }
  return null;
}

/** The optional wagers of the game, and whether each is offered. */
export function optionalOf(may: readonly Open[], draft: Draft): { slug: string; on: boolean }[] {
  const field = fieldOf(openFor(may, "optional"), "optional");
  const all = Array.isArray(field?.allowed) ? field.allowed.map(String) : [];
  return all.map((slug) => ({ slug, on: draft.optional === null || draft.optional.includes(slug) }));
}

export function toggled(all: readonly { slug: string; on: boolean }[], slug: string): string[] {
  return all.filter((one) => (one.slug === slug ? !one.on : one.on)).map((one) => one.slug);
}

/** Methods that a table knows: those this position may set, and the one in force. */
export function methodsOf(view: TableView, may: readonly Open[]): { method: string; may: boolean }[] {
  if (view.rules?.method == null) return [];
  const allowed = values(openFor(may, "method"), "method").map(String);
  return ["A", "B", "C"].map((method) => ({ method, may: allowed.includes(method) }));
}
