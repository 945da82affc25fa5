/** Reading figures that were typed. */
import { centsOf, dollars } from "../i18n/money";

const matched = (form: RegExp, text: string): number | null => (form.test(text.trim()) ? Number(text.trim().replace(",", ".")) : null);

function milliseconds(text: string): number | null {
  const seconds = matched(/^\d{1,6}(?:[.,]\d{1,3})?$/, text);
  return seconds === null ? null : Math.round(seconds * 1000);
}

export const KINDS = {
  cents: { read: centsOf, show: dollars, keys: "decimal", wrong: "noAmount" },
  whole: { read: (text: string) => matched(/^\d{1,6}$/, text), show: String, keys: "numeric", wrong: "noNumber" },
  seconds: { read: milliseconds, show: (ms: number) => String(ms / 1000), keys: "decimal", wrong: "noNumber" },
} as const;

/** Tell whether text that is no figure stands anywhere in what was put together. */
export function unread(held: unknown): boolean {
  if (typeof held === "object" && held !== null) return Object.values(held).some(unread);
  return Number.isNaN(held);
}
