/** Commands in the groups in which a Dealer looks for them. */
export interface ActGroup {
  name: string;
  commands: readonly string[];
}

export const ACT_GROUPS: readonly ActGroup[] = [
  {
    name: "round",
    commands: ["call_bets", "close_bets", "draw_card", "expose_card", "announce_outcome", "settle", "confirm_payment"],
  },
  {
    name: "wagers",
    commands: ["place_wager", "raise_wager", "lower_wager", "remove_wager", "find_stake", "ask_to_lower", "take_off_wager", "withdraw", "keep_wagers", "end_option", "offer_withdrawal"],
  },
  {
    name: "hands",
    commands: ["pass_hand", "refuse_hand", "choose_first_hand", "name_handler", "permit_squeeze", "correct_card"],
  },
  { name: "die", commands: ["shake_die", "pass_shaker", "refuse_shaker", "confirm_shake", "open_shaker", "announce_die", "call_shake_invalid"] },
  {
    name: "shoe",
    commands: ["load_shoe", "end_shoe", "show_cut_card", "remove_cards", "take_shoe", "refuse_shoe", "relinquish_shoe", "allow_shoe", "end_control", "attest_draws", "declare_shoe_lost", "decide_replacement"],
  },
  {
    name: "irregular",
    commands: ["report", "confirm_report", "dismiss_report", "set_order", "reset_device", "reserve_cards", "record_sorting", "substitute", "decide_referral", "decide_terminal", "correct_display"],
  },
  { name: "patrons", commands: ["take_seat", "leave_seat", "bring_credit", "take_credit", "pass_over", "lose_terminal", "restore_terminal", "acknowledge_closing"] },
  {
    name: "table",
    commands: ["sign_in", "sign_out", "open_table", "close_table", "announce_closure", "set_method", "set_area_cap", "set_limits", "set_differential", "offer_wagers", "set_clocks", "set_dealt_by"],
  },
];

const IN_ROUND: readonly string[] = ["round", "wagers", "hands", "die", "irregular"];
/** A terminal may have failed in a round that is over. */
const ANY_ROUND: readonly string[] = ["decide_terminal"];

/** Whether a command is about the round that is on. */
export const ofRound = (command: string): boolean =>
  !ANY_ROUND.includes(command) && ACT_GROUPS.some(({ name, commands }) => IN_ROUND.includes(name) && commands.includes(command));

const ANSWERS: readonly string[] = [
  ...["confirm_report", "dismiss_report", "set_order", "reset_device", "reserve_cards", "record_sorting", "substitute", "decide_referral"],
  ...["withdraw", "keep_wagers", "end_option", "ask_to_lower", "take_off_wager"],
];

/** Whether a command answers what the round waits for, where it waits. */
export const answersHold = (command: string): boolean => ANSWERS.includes(command);
