/** Amounts, numbers and moments as people read them. Money comes as integer cents. */
import { settings } from "../state/settings";

const figures = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const wholes = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 1,830.50; a true minus sign. */
export function money(cents: number): string {
  return figures.format(Math.abs(cents) / 100).replace(/^/, cents < 0 ? "−" : "");
}

/** Whole dollars without cents where there are none: 1,000; else 12.50. */
export function dollars(cents: number): string {
  return cents % 100 === 0 ? wholes.format(cents / 100).replace("-", "−") : money(cents);
}

/** +625.00, −25.00, 0.00. */
export function signed(cents: number): string {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** 25–1,000: the limits of a spot. */
export function range(minimum: number, maximum: number): string {
  return `${dollars(minimum)}–${dollars(maximum)}`;
}

export function count(n: number): string {
  return wholes.format(n);
}

/** What somebody typed, in cents; null: it is no amount. */
export function centsOf(text: string): number | null {
  const match = /^\s*(\d{1,12})(?:[.,](\d{1,2}))?\s*$/.exec(text.replaceAll(/[\s,](?=\d{3}\b)/g, ""));
  if (match === null) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0") || 0);
}

/** 21:47, in the zone of the house. */
export const zone = { name: undefined as string | undefined };

export function clock(time: number | string, seconds = false): string {
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" } : {}),
    ...(zone.name === undefined ? {} : { timeZone: zone.name }),
  }).format(typeof time === "string" ? Date.parse(time) : time);
}

/** 18 Dec 2026 21:47: a moment that may lie far from now; day and time stay on one line. */
export const moment = (time: number | string): string => `${day(time)} ${clock(time)}`.replaceAll(" ", "\u00a0");

export function day(time: number | string): string {
  return dated(time, { dateStyle: "medium" });
}

/** 18 Dec: where the year is plain. */
export function shortDay(time: number | string): string {
  return dated(time, { day: "numeric", month: "short" });
}

function dated(time: number | string, how: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(settings.value.language === "zh-Hans" ? "zh-CN" : "en-GB", {
    ...how,
    ...(zone.name === undefined ? {} : { timeZone: zone.name }),
  }).format(typeof time === "string" ? Date.parse(time) : time);
}
