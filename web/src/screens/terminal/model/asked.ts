/** What a table asks of its patron, so that the round waits until it is answered or done. */
import type { OwnPart, TableView } from "../../../api/types";
import { opening } from "../../../state/may";

export type Asked = "option" | "hand" | "shoe" | "shaker" | "balance";

const NEARER = ["lower_wager", "remove_wager", "raise_wager"];

/** Stakes are too far apart, and this patron may bring them nearer. */
export const balances = (hold: TableView["hold"], own: Pick<OwnPart, "stakes" | "may">): boolean =>
  hold?.kind === "balance" && own.stakes.length > 0 && NEARER.some((command) => opening(own.may, command) !== undefined);

export function askedOf(view: Pick<TableView, "hold"> & { own?: OwnPart }): Asked | null {
  const { own, hold } = view;
  if (own === undefined) return null;
  if (own.option !== null && own.withdrew === null) return "option";
  if (own.hands.length > 0 || own.hands_offered.length > 0) return "hand";
  if (own.shaker_held) return "shaker";
  if (own.shoe_offered || opening(own.may, "draw_card") !== undefined) return "shoe";
  return balances(hold, own) ? "balance" : null;
}

/** Of whoever looks on. */
export const NOBODY: OwnPart = {
  seat: null,
  credit_cents: 0,
  reserved_cents: 0,
  in_play_cents: 0,
  stakes: [],
  lines: [],
  corrected: [],
  option: null,
  withdrew: null,
  hands: [],
  hands_offered: [],
  shoe_held: false,
  shoe_offered: false,
  shaker_held: false,
  may: [],
};
