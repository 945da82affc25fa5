/** How the values of fields read: patrons with their seat, stakes with what they are, wagers by name. */
import { cardName } from "../../draw/cards";
import { drawLanguage } from "../../parts/Card";
import type { Field } from "../../api/types";
import { money } from "../../i18n/money";
import { positionName, wagerName } from "../../i18n/names";
import { say as common } from "../../i18n/common";
import type { Desk } from "./context";
import type { Single } from "./form";
import { named, say } from "./say";
import { placeName } from "./texts";

/** What names are taken from: a table, and the part of it that whoever reads them sees. */
export type Named = Pick<Desk, "view" | "part">;

const PLACE = /^[PB][123]$/;

export function stakeName({ view, part }: Named, number: number): string {
  const stake = part.stakes.find((one) => one.number === number);
  if (stake === undefined) return say("stakeN", { n: number });
  const wager = view.rules?.wagers.find(({ slug }) => slug === stake.wager);
  return say("stakeOf", {
    wager: wagerName(stake.wager, wager?.name ?? stake.wager),
    amount: money(stake.cents),
    seat: stake.position,
  });
}

function patronName({ part }: Named, patron: string): string {
  const seat = part.patrons.find((one) => one.patron === patron)?.position;
  return seat === undefined ? patron : `${patron} · ${say("seatN", { n: seat })}`;
}

function textName(desk: Named, name: string, value: string): string {
  if (name === "patron") return patronName(desk, value);
  if (value === "player" || value === "banker" || value === "tie") return common(value);
  if (name === "cards") return cardName(value, drawLanguage());
  if (PLACE.test(value)) return placeName(value);
  const wager = desk.view.rules?.wagers.find(({ slug }) => slug === value);
  if (wager !== undefined) return wagerName(wager.slug, wager.name);
  if (name === "situation" || name === "decision" || name === "dealt_by") return named(name, value);
  return positionName(value);
}

export function valueName(desk: Named, field: Pick<Field, "name">, value: Single): string {
  const name = field.name.split(".").at(-1) ?? field.name;
  if (value === null) return say("none");
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value === "string") return textName(desk, name, value);
  if (name === "stake" || name === "stakes" || name === "join") return stakeName(desk, value);
  if (name === "position" || name === "terminal") return say("seatN", { n: value });
  if (name === "order") return say("cardN", { n: value + 1 });
  return String(value);
}
