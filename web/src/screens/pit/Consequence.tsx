/** What a decision does, in sentences and in money. */
import { money, signed } from "../../i18n/money";
import { type Column, Listing } from "../../parts/Listing";
import type { Consequence } from "./consequence";
import { named, say } from "./say";

/** The sentences of a consequence, the weightiest first. */
export function sentences(of: Consequence): string[] {
  const told: string[] = [];
  if (of.voids) told.push(of.backCents > 0 ? say("does.voids", { amount: money(of.backCents), n: of.backTo }) : say("does.voidsEmpty"));
  else if (of.backCents > 0) told.push(say("does.back", { amount: money(of.backCents), n: of.backTo }));
  if (of.asked > 0) told.push(say(of.allOrNone ? "does.asksAll" : "does.asksAny", { n: of.asked, amount: money(of.askedCents) }));
  if (of.reorders) told.push(say("does.reorders"));
  if (of.resets) told.push(say("does.resets"));
  if (of.reopens) told.push(say("does.reopens"));
  if (of.reverses) told.push(say("does.reverses"));
  if (!of.voids && of.asked === 0 && of.waitsFor !== null) told.push(say("does.waits", { what: named("hold", of.waitsFor) }));
  if (told.length === 0) told.push(say("does.goesOn"));
  return told;
}

interface Moved {
  /** null: the bank of the table. */
  patron: string | null;
  cents: number;
  inPlay: number | null;
}

/** Whose money would move, and the bank's; where none would, a sentence that needs no heading. */
export function Effects({ of }: { of: Consequence }) {
  const moved = of.effects.filter(({ credit_cents, in_play_cents }) => credit_cents !== 0 || in_play_cents !== 0);
  const bank = of.bankCents ?? 0;
  const columns: Column<Moved>[] = [
    { name: say("patron"), cell: (one) => one.patron ?? say("bank"), words: true },
    { name: say("toSeat"), cell: (one) => signed(one.cents) },
    { name: say("inPlay"), cell: (one) => (one.inPlay === null ? "" : signed(one.inPlay)) },
  ];
  const rows: Moved[] = moved.map((one) => ({ patron: one.patron, cents: one.credit_cents, inPlay: one.in_play_cents }));
  if (bank !== 0) rows.push({ patron: null, cents: bank, inPlay: null });
  if (rows.length === 0) return <p class="sm muted">{say("noMoney")}</p>;
  return (
    <div class="stack8">
      <h4 class="h3">{say("moneyMoves")}</h4>
      <Listing label={say("moneyMoves")} columns={columns} rows={rows} keyOf={({ patron }) => patron ?? ""} none="" />
    </div>
  );
}
