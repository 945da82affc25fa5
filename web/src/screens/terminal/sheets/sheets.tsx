/** Which sheet stands beside the felt. */
import type { ComponentChild } from "preact";
import type { Here } from "../table";

export function sheetOf(_: Here): ComponentChild | null {
  return null;
}
