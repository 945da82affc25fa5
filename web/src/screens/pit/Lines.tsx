/** Stakes and pay list of a finished round, with what was put right. */
import type { PatronLine, StaffRoundInSteps } from "../../api/types";
import { money, signed } from "../../i18n/money";
import { rowName } from "../../i18n/rows";
import { type Column, Listing } from "../../parts/Listing";
import { wagerBySlug } from "../../i18n/names";
import { named, say } from "./say";

export function Lines({ round }: { round: StaffRoundInSteps }) {
  const columns: Column<PatronLine>[] = [
    { name: say("patron"), cell: (line) => line.patron, words: true },
    { name: say("wager"), cell: (line) => wagerBySlug(line.wager), words: true },
    { name: say("staked"), cell: (line) => money(line.cents) },
    { name: say("pays"), cell: (line) => (line.pays == null ? named("line", line.result) : rowName(line.pays)), words: true },
    { name: say("won"), cell: (line) => signed(line.won_cents) },
  ];
  const paid = round.lines.reduce((sum, line) => sum + line.won_cents, 0);
  if (round.lines.length === 0 && round.corrected.length === 0) return null;
  return (
    <section class="pan" aria-label={say("payList")}>
      <header>
        <h3>{say("payList")}</h3>
        <span class="end xs muted">{say(paid > 0 ? "houseLostNow" : "houseWonNow", { amount: money(Math.abs(paid)) })}</span>
      </header>
      <Listing label={say("payList")} columns={columns} rows={round.lines} keyOf={(line) => `${line.stake}/${line.patron}`} none={say("noStakes")} />
      {round.corrected.length > 0 && (
        <>
          <p class="none">{say("correctedLines")}</p>
          <Listing label={say("correctedLines")} columns={columns} rows={round.corrected} keyOf={(line) => `${line.stake}/${line.patron}`} none="" />
        </>
      )}
    </section>
  );
}
