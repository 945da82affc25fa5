/** The floor as tiles: zones, the state of a table in a word, figures that fit. */
import type { Phase, Schemas, TableSummary } from "../../api/types";
import { dollars } from "../../i18n/money";
import { gameTitle } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { numberOf } from "../../state/tables";

export type PitFloor = Schemas["PitFloor"];
export type PitTable = Schemas["PitTable"];

export interface Zone {
  /** The room; null: tables that are not open, of which no room is known. */
  room: string | null;
  electronic: boolean;
  open: number;
  tables: PitTable[];
}

/** The floor with what was heard of its tables since the figures were counted. */
export function freshened(floor: PitFloor, heard: Record<string, TableSummary> | null): PitTable[] {
  return floor.tables.map((table) => {
    const summary = heard?.[table.summary.name];
    return summary === undefined || summary.sequence < table.summary.sequence ? table : { ...table, summary };
  });
}

/** Tables by their room, electronic ones apart, closed ones last. */
export function zonesOf(tables: readonly PitTable[]): Zone[] {
  const zones = new Map<string, Zone>();
  for (const table of tables) {
    const { room, kind, game } = table.summary;
    const electronic = kind === "electronic";
    const key = `${electronic}/${room}`;
    const zone = zones.get(key) ?? { room, electronic, open: 0, tables: [] };
    zone.tables.push(table);
    if (game !== null) zone.open += 1;
    zones.set(key, zone);
  }
  const all = [...zones.values()];
  return [...all.filter(({ room }) => room !== null), ...all.filter(({ room }) => room === null)];
}

const plain = (text: string): string => text.toLocaleLowerCase();

/** Tables whose name, game, room or Dealer has the words. */
export function found(tables: readonly PitTable[], words: string): PitTable[] {
  const wanted = plain(words.trim());
  if (wanted === "") return [...tables];
  return tables.filter(({ summary, dealer }) =>
    [summary.name, numberOf(summary), summary.title, summary.room, dealer].some((text) => text != null && plain(text).includes(wanted)),
  );
}

export type StateWord =
  | "state.closed"
  | "state.hold"
  | "state.open"
  | "state.idle"
  | "state.stopped"
  | "state.shake"
  | "state.dealing"
  | "state.result"
  | "state.settling"
  | "state.void";

const PHASES: Record<Phase, StateWord> = {
  UNOPENED: "state.closed",
  IDLE: "state.idle",
  OPEN: "state.open",
  CLOSED: "state.stopped",
  SHAKE: "state.shake",
  DEALING: "state.dealing",
  RESULT: "state.result",
  SETTLED: "state.settling",
  VOID: "state.void",
};

/** The state of a table in a word. */
export function stateOf(table: { phase: Phase; hold?: unknown }): StateWord {
  return table.hold != null && table.phase !== "UNOPENED" ? "state.hold" : PHASES[table.phase];
}

/** The number of a table and its game; without a number its own name, where that says more. */
export function titleOf({ name, number, title, game }: Pick<TableSummary, "name" | "number" | "title" | "game">): string {
  const played = title === null ? name : gameTitle({ game, name: title });
  if (number !== null) return [tableWords(name, number), played].join(" · ");
  return title === null || name === game ? played : `${played} · ${name}`;
}

const THOUSAND = 100_000;
const thousands = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** An amount that fits a tile: 9,410, 14.50, 142 k, 12.3 m; with a true minus sign. */
export function short(cents: number): string {
  const size = Math.abs(cents);
  const sign = cents < 0 ? "−" : "";
  if (size >= 10_000 * THOUSAND) return `${sign}${millions.format(size / (1000 * THOUSAND))} m`;
  if (size >= 10 * THOUSAND) return `${sign}${thousands.format(size / THOUSAND)} k`;
  return sign + dollars(size);
}

export const shortSigned = (cents: number): string => (cents > 0 ? `+${short(cents)}` : short(cents));

/** 0:42, 12:05, 1:02:09. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
