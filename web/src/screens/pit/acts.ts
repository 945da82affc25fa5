/** What somebody of the pit may do at a table, in the groups in which it is looked for. */
import type { Open } from "../../api/types";

/** What has a page of its own. */
const SETTINGS: readonly string[] = ["set_limits", "set_differential", "set_method", "set_area_cap", "offer_wagers", "set_clocks", "set_dealt_by"];
const ELSEWHERE: readonly string[] = [...SETTINGS, "decide_referral"];

const GROUPS = {
  table: ["open_table", "close_table", "announce_closure", "sign_in", "sign_out"],
  decisions: [
    "confirm_report", "dismiss_report", "set_order", "end_option", "offer_withdrawal", "decide_replacement", "decide_terminal",
    "take_off_wager", "reset_device", "correct_card", "correct_display", "reserve_cards", "record_sorting", "substitute",
  ],
  hands: ["permit_squeeze", "name_handler", "pass_hand", "choose_first_hand", "allow_shoe", "end_control", "attest_draws", "expose_card"],
  shoe: ["load_shoe", "end_shoe", "declare_shoe_lost", "remove_cards", "show_cut_card"],
  patrons: ["take_seat", "leave_seat", "bring_credit", "take_credit", "pass_over", "lose_terminal", "restore_terminal", "acknowledge_closing"],
} as const satisfies Record<string, readonly string[]>;

export type ActGroup = keyof typeof GROUPS | "report" | "dealing";

export interface Act {
  command: string;
  opens: Open[];
}

const groupOf = (command: string): ActGroup => {
  if (command === "report") return "report";
  const found = Object.entries(GROUPS).find(([, commands]) => (commands as readonly string[]).includes(command));
  return (found?.[0] as ActGroup | undefined) ?? "dealing";
};

const ORDER: readonly ActGroup[] = ["decisions", "hands", "table", "report", "patrons", "shoe", "dealing"];

/** Acts by group; a command that stands more than once is one act. */
export function actsOf(may: readonly Open[]): [ActGroup, Act[]][] {
  const acts = new Map<string, Open[]>();
  for (const open of may) if (!ELSEWHERE.includes(open.command)) acts.set(open.command, [...(acts.get(open.command) ?? []), open]);
  return ORDER.flatMap((group) => {
    const here = [...acts].filter(([command]) => groupOf(command) === group).map(([command, opens]) => ({ command, opens }));
    return here.length === 0 ? [] : [[group, here] as [ActGroup, Act[]]];
  });
}

/** An act that needs no words and nobody else is done at once. */
export const atOnce = ({ opens }: Act): boolean => opens.length === 1 && (opens[0]?.fields ?? []).length === 0 && !opens[0]?.approver;

export const settable = (may: readonly Open[]): boolean => may.some(({ command }) => SETTINGS.includes(command));
