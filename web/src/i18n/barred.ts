/** Why somebody may not play, since when, and until when. */
import type { SocketSchemas } from "../api/types";
import en from "./en/barred.json";
import { told } from "./lists";
import { moment } from "./money";
import { words } from "./words";

export const say = words("barred", en);

export function barredWords({ code, since, until }: SocketSchemas["Barred"]): string {
  const times = { since: since === null ? "" : moment(since), time: until === null ? "" : moment(until) };
  if (code === "excluded") return told(say(until === null ? "excluded" : "excluded_until", times), say("meaning"));
  return code === "own_time_limit" ? say("own_time_limit", times) : say("disabled");
}
