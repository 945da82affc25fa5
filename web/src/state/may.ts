/**
 * What somebody may do now, as the table says it (`may`): screens offer nothing else. Of every
 * list of ways one way must fit; a field that a way does not name is free.
 */
import type { Field, Open, SocketSchemas } from "../api/types";

type Amounts = SocketSchemas["Amounts"];
type Value = string | number | boolean | null;
type Way = NonNullable<Open["ways"]>[number][number];

/** All openings of a command: one stands more than once where clauses or fields differ. */
export const openings = (may: readonly Open[] | undefined, command: string): Open[] =>
  (may ?? []).filter((open) => open.command === command);

export const opening = (may: readonly Open[] | undefined, command: string): Open | undefined =>
  openings(may, command)[0];

export const fieldOf = (open: Open | undefined, name: string): Field | undefined =>
  open?.fields?.find((field) => field.name === name);

const isAmounts = (allowed: unknown): allowed is Amounts =>
  typeof allowed === "object" && allowed !== null && !Array.isArray(allowed);

/** Amounts go in steps from the minimum on. */
export const within = ({ minimum, maximum, step = 1 }: Amounts, value: number): boolean =>
  value >= minimum && value <= maximum && (value - minimum) % step === 0;

function holds(allowed: Way[string] | undefined, value: Value | undefined): boolean {
  if (allowed === undefined || value === undefined) return true;
  if (isAmounts(allowed)) return typeof value === "number" && within(allowed, value);
  return allowed.includes(value);
}

const fits = (way: Way, chosen: Record<string, Value>): boolean =>
  Object.entries(way).every(([name, allowed]) => holds(allowed, chosen[name]));

/** Tell whether values that were chosen so far can still become an accepted command. */
export function possible(open: Open | undefined, chosen: Record<string, Value>): boolean {
  if (open === undefined) return false;
  const fieldsHold = (open.fields ?? []).every((field) => holds(field.allowed ?? undefined, chosen[field.name]));
  return fieldsHold && (open.ways ?? []).every((list) => list.some((way) => fits(way, chosen)));
}

/** What a field may hold beside what was chosen: values of a list. */
export function values(open: Open | undefined, name: string, chosen: Record<string, Value> = {}): Value[] {
  const field = fieldOf(open, name);
  const lists = (open?.ways ?? []).map((list) => list.filter((way) => fits(way, { ...chosen, [name]: undefined as never })));
  const named = lists.flatMap((list) => list.flatMap((way) => (Array.isArray(way[name]) ? (way[name] as Value[]) : [])));
  const all = Array.isArray(field?.allowed) ? [...(field.allowed as Value[]), ...named] : named;
  return [...new Set(all)].filter((value) => possible(open, { ...chosen, [name]: value }));
}

/** Which amounts a field may hold beside what was chosen; null: none, or no amounts. */
export function amounts(open: Open | undefined, name: string, chosen: Record<string, Value> = {}): Amounts | null {
  const field = fieldOf(open, name);
  let found: Amounts | null = isAmounts(field?.allowed) ? field.allowed : null;
  for (const list of open?.ways ?? []) {
    const ranges = list
      .filter((way) => fits(way, chosen))
      .map((way) => way[name])
      .filter(isAmounts);
    if (ranges.length === 0) continue;
    const widest = ranges.reduce((a, b) => ({
      minimum: Math.min(a.minimum, b.minimum),
      maximum: Math.max(a.maximum, b.maximum),
      step: Math.min(a.step ?? 1, b.step ?? 1),
    }));
    found = found === null ? widest : narrowed(found, widest);
  }
  return found;
}

const narrowed = (a: Amounts, b: Amounts): Amounts => ({
  minimum: Math.max(a.minimum, b.minimum),
  maximum: Math.min(a.maximum, b.maximum),
  step: Math.max(a.step ?? 1, b.step ?? 1),
});
