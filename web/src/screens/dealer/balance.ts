/** Stakes on Player and Banker too far apart: patrons are asked first, then whoever decides takes wagers off. */
import type { TableView } from "../../api/types";
import type { ListedStep } from "../../parts/Checklist";
import { say as common } from "../../i18n/common";
import { money } from "../../i18n/money";
import type { Part } from "./course";
import { say } from "./say";

/** Whether the patrons of the heavier hand have been asked already. */
export const asked = (part: Pick<Part, "next">): boolean => part.next.command !== "ask_to_lower";

/** What ends this waiting, after the patrons were asked and before. */
export const balanceCommand = (part: Pick<Part, "next">): string => (asked(part) ? "take_off_wager" : "ask_to_lower");

/** The steps, with the one that is current. */
export function balanceSteps(view: Pick<TableView, "differential">, part: Pick<Part, "next">, who: string): ListedStep[] {
  const { heavier = null, cents = 0, limit_cents: limit = 0 } = view.differential ?? {};
  const side = heavier === null ? "" : common(heavier);
  const lighter = heavier === null ? "" : common(heavier === "player" ? "banker" : "player");
  const done = asked(part);
  return [
    { title: say("balanceAsk", { side }), note: say("balanceBy", { amount: money(Math.max(0, cents - (limit ?? 0))) }), state: done ? "done" : "now" },
    { title: say("balanceAnswer", { side, lighter }), state: done ? "now" : "later" },
    { title: say("balanceDecide"), ...(done && who !== "" ? { who } : {}), note: say("hereOrPit"), state: "later" },
  ];
}
