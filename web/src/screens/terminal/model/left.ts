/** What exclusions and own limits leave a patron, as the house says it: what its door refuses is not offered. */
import type { OwnPart, SocketSchemas } from "../../../api/types";

export type Left = SocketSchemas["Left"];
export type Barred = SocketSchemas["Barred"];

/** Why no stake may be put down here; a round with a stake of one's own is played on when the own time is over. */
export function barredHere(left: Left | null, stakes: OwnPart["stakes"]): Barred | null {
  const barred = left?.barred ?? null;
  return barred?.code === "own_time_limit" && stakes.length > 0 ? null : barred;
}

/** Why no seat may be taken and no credit brought; the own time bars stakes alone. */
export const barredFromEntering = (left: Left | null): Barred | null => (left?.barred?.code === "own_time_limit" ? null : (left?.barred ?? null));
