/** A form out of what is open: values by field, what is still missing, and the command they make. */
import type { Field, Open } from "../../api/types";
import type { Conditions } from "../../api/live";
import { unread } from "../../parts/figures";
import { amounts, possible, values, within } from "../../state/may";

export type Single = string | number | boolean | null;
export type Held = Single | readonly Single[] | Record<string, unknown>;
export type Draft = Readonly<Record<string, Held | undefined>>;

const isList = (held: Held | undefined): held is readonly Single[] => Array.isArray(held);
const isSingle = (held: Held | undefined): held is Single => held === null || ["string", "number", "boolean"].includes(typeof held);

/** The values by which `ways` are narrowed: those of single fields. */
export function chosen(draft: Draft, without?: string): Record<string, Single> {
  const found: Record<string, Single> = {};
  for (const [name, held] of Object.entries(draft)) if (name !== without && isSingle(held)) found[name] = held;
  return found;
}

/** What may be chosen for a field beside all else that was. */
export const choicesOf = (open: Open, draft: Draft, field: Field): Single[] =>
  values(open, field.name, chosen(draft, field.name)).filter((value) => !(field.other_than ?? []).includes(value));

export const amountsOf = (open: Open, draft: Draft, field: Field) => amounts(open, field.name, chosen(draft, field.name));

/** The start of a form: a field that must hold its only value holds it. */
export function blank(open: Open): Draft {
  const draft: Record<string, Held> = {};
  for (const field of open.fields ?? []) {
    if (field.kind === "all" && Array.isArray(field.allowed)) draft[field.name] = field.allowed;
    if (field.kind !== "choice" && field.kind !== "flag") continue;
    const only = values(open, field.name, {});
    if (field.required && only.length === 1 && only[0] !== undefined) draft[field.name] = only[0];
  }
  return draft;
}

function sameSet(held: readonly Single[], allowed: readonly unknown[]): boolean {
  return held.length === allowed.length && allowed.every((value) => held.includes(value as Single));
}

/** Tell whether a list is one that the field takes. */
function listFits(field: Field, held: readonly Single[]): boolean {
  const { allowed } = field;
  if (field.kind === "cards") {
    const range = allowed && !Array.isArray(allowed) ? allowed : null;
    const others = held.every((face) => !(field.other_than ?? []).includes(face));
    return others && (range === null || within(range, held.length));
  }
  if (!Array.isArray(allowed)) return !field.required || held.length > 0;
  if (field.kind === "each") return sameSet(held, allowed);
  return held.every((value) => (allowed as unknown[]).includes(value));
}

function textFits(field: Field, held: string): boolean {
  const words = held.trim();
  if (words === "") return !field.required;
  return !(field.other_than ?? []).includes(words);
}

/** Tell whether a field holds what it may. */
export function fits(open: Open, draft: Draft, field: Field): boolean {
  const held = draft[field.name];
  if (held === undefined || held === "") return !field.required;
  if (field.kind === "text") return typeof held === "string" && textFits(field, held);
  if (isList(held)) return listFits(field, held);
  if (field.kind === "cents" || field.kind === "number" || field.kind === "die") {
    const range = amountsOf(open, draft, field);
    return typeof held === "number" && (range === null || within(range, held));
  }
  return !unread(held);
}

/** The names of fields that keep the command from being given. */
export function missing(open: Open, draft: Draft): string[] {
  const wrong = (open.fields ?? []).filter((field) => !fits(open, draft, field)).map(({ name }) => name);
  if (wrong.length > 0) return wrong;
  return possible(open, chosen(draft)) ? [] : (open.fields ?? []).map(({ name }) => name);
}

export interface Given {
  command: { type: string } & Record<string, unknown>;
  more: Pick<Conditions, "cards" | "die">;
}

/** Put a value where its name leads: a point leads into an inner object. */
function put(into: Record<string, unknown>, name: string, value: unknown): void {
  const [head = "", ...rest] = name.split(".");
  if (rest.length === 0) into[head] = value;
  else put((into[head] ??= {}) as Record<string, unknown>, rest.join("."), value);
}

const given = (held: Held | undefined): boolean => held !== undefined && held !== "" && !(isList(held) && held.length === 0);

/** The command that a draft makes; what only the house fills comes beside it. */
export function commandOf(open: Open, draft: Draft): Given {
  const command: Given["command"] = { type: open.command };
  const more: Given["more"] = {};
  for (const field of open.fields ?? []) {
    const held = draft[field.name];
    if (!given(held) && !(field.required && isList(held))) continue;
    if (field.house && field.kind === "cards") more.cards = [...(held as string[])];
    else if (field.house && field.kind === "die") more.die = held as number;
    else if (isList(held)) put(command, field.name, [...held, ...(field.then ?? [])]);
    else put(command, field.name, typeof held === "string" ? held.trim() : held);
  }
  return { command, more };
}
