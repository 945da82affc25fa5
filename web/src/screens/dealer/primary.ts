/** The one primary button of a round: what it says, and whether it can be pressed. */
import { cardName } from "../../draw/cards";
import { drawLanguage } from "../../parts/Card";
import type { Desk } from "./context";
import { type Due, houseDeals, houseFinishes, sideOfPlace } from "./course";
import { type Draft, missing } from "./form";
import type { PayRow } from "./pay";
import { type Key, named, say } from "./say";
import { placeName, seatOf, sideName } from "./texts";

export interface Primary {
  label: string;
  enabled: boolean;
  /** What pressing it does. */
  does: "command" | "row" | "takeover" | "second" | "nothing";
}

/** Whose row it is: the seat, with the name where several share it. */
export function ofRow({ seat, shared, line: { patron } }: PayRow): string {
  if (seat === null) return patron;
  return shared ? say("seatOfMany", { n: seat, patron }) : say("seatN", { n: seat });
}

/** "Paid seat 6", "Taken from seat 3". */
export const rowLabel = (row: PayRow): string => say(`did.${row.doing}` as Key, { who: ofRow(row) });

function labelOf(desk: Desk, due: Due, draft: Draft): string {
  const { view } = desk;
  const faces = draft["cards"] as readonly string[] | undefined;
  const face = faces?.[0];
  if (due.command === "draw_card" && view.next !== null) {
    const side = sideName(sideOfPlace(view.next.place));
    return face === undefined ? say("do.draw", { side }) : say("do.enterFor", { card: cardName(face, drawLanguage()), side });
  }
  const position = draft["position"];
  if (due.command === "expose_card" && typeof position === "string") {
    return face === undefined ? say("do.expose", { card: placeName(position) }) : say("do.enter", { card: cardName(face, drawLanguage()) });
  }
  const patron = draft["patron"];
  if (due.command === "pass_hand" && typeof patron === "string") return say("do.passTo", { who: seatOf(desk.part, patron) });
  const side = draft["side"];
  if (due.command === "choose_first_hand" && (side === "player" || side === "banker")) return say("do.revealFirst", { side: sideName(side) });
  return named("do", due.command ?? "wait");
}

export function primaryOf(desk: Desk, due: Due, draft: Draft, mustFace: boolean, now: PayRow | null): Primary {
  const { view, part, busy } = desk;
  if (houseDeals(view, part)) {
    const may = part.may.some(({ command }) => command === "sign_in");
    return { label: say("takeOver"), enabled: may && !busy, does: "takeover" };
  }
  if (houseFinishes(view, part)) return { label: say("youDealNext"), enabled: false, does: "nothing" };
  if (view.phase === "SETTLED" && now !== null && due.command === "confirm_payment") {
    return { label: rowLabel(now), enabled: due.open !== null, does: "row" };
  }
  if (due.open === null) {
    const label = part.next.patrons.length > 0 ? say("do.take_shoe") : named("do", due.command ?? "wait");
    return { label, enabled: false, does: "nothing" };
  }
  const faced = !mustFace || ((draft["cards"] as readonly string[] | undefined)?.length ?? 0) > 0;
  const ready = missing(due.open, draft).length === 0 && faced;
  return { label: labelOf(desk, due, draft), enabled: ready && !busy, does: due.open.approver ? "second" : "command" };
}
