/** Own limits that are near or reached, as the house says it, and which of them were told. */
import type { SocketSchemas } from "../../../api/types";

export type Near = SocketSchemas["Near"];

/** A limit that was set otherwise, is reached, or holds for another day is told anew. */
export const nearKey = ({ limit, value, left, until }: Near): string => [limit, value, left === 0 ? "reached" : "near", until].join(" ");

/** A limit that is reached is said as long as it is; one that is near, until it was read. */
export function nearToSay(near: readonly Near[], read: readonly string[]): Near | null {
  const reached = near.find(({ limit, left }) => limit === "loss" && left === 0);
  // That the own time is over the house says of its own, wherever it bars a stake.
  return reached ?? near.find((one) => one.left > 0 && !read.includes(nearKey(one))) ?? null;
}
