/** Why something cannot be done now: the table is asked, and answers with its refusal. */
import { post, Refused } from "../../api/http";
import type { Command, Previewed, Problem, Situation } from "../../api/types";
import { Refusal } from "../../parts/Trouble";
import type { Desk } from "./context";
import { type Key, say } from "./say";
import { leastOf } from "./situations";

/** What the table answers, or our own sentence. */
export type Reason = Problem | string;

/** What cannot be done, and why not. */
export function WhyNoAct({ what, why }: { what: string; why: Reason }) {
  return (
    <>
      <b>{what}</b> {typeof why === "string" ? why : <Refusal problem={why} />}
    </>
  );
}

/** The refusal of a command; one that says nothing of now is replaced. */
export async function refusalOf(table: string, command: Command): Promise<Reason> {
  try {
    await post<Previewed>(`/tables/${encodeURIComponent(table)}/preview`, { command });
  } catch (error) {
    if (error instanceof Refused && error.problem.code !== "not_readable") return error.problem;
  }
  return say("notHere");
}

/** What a table must have for a situation that belongs to other tables. */
function elsewhere(situation: Situation): Key {
  if (situation === "terminal_failure") return "only.terminals";
  return situation.endsWith("_in_movement") ? "only.methodC" : "only.handled";
}

/** Why a situation cannot be reported, as the table says it. */
export async function whyNoReport(desk: Pick<Desk, "part" | "table">, situation: Situation): Promise<Reason> {
  if (desk.part.not_here.includes(situation)) return say("otherTables", { why: say(elsewhere(situation)) });
  return refusalOf(desk.table, leastOf(situation));
}
