/** The game sheet of a table, for the pit: whoever counts a tray at the table does so without knowing it. */
import type { Schemas } from "../../api/types";
import { currency } from "../../app/session";
import { signed } from "../../i18n/money";
import { useLoaded } from "../../state/loaded";
import type { Desk } from "./context";
import { say } from "./say";

type Bank = Schemas["TableBank"];

/** The chips of this table by the ledger; null: it has none, or whoever works here may not see them. */
export function useBank({ table, view }: Desk): [Bank | null, () => void] {
  const [loaded, again] = useLoaded<Schemas["BanksShown"]>(view.pit === undefined ? null : "/pit/banks");
  return [loaded.value.value?.banks.find((one) => one.table === table) ?? null, again];
}

/** What the ledger says lies in the tray; null: no chips of the house are there. */
export const inTray = (bank: Bank | null): number | null => (bank === null || !bank.open ? null : bank.tray_cents);

export function GameSheet({ bank }: { bank: Bank | null }) {
  if (bank === null || !bank.open) return null;
  const rows: [string, string][] = [
    [say("sheet.box"), signed(bank.box_cents + bank.drop_cents)],
    [say("sheet.tray"), signed(bank.tray_cents)],
    [say("sheet.credits"), signed(bank.credits_cents)],
    [say("sheet.opener"), signed(-bank.opener_cents)],
    [say("sheet.fills"), signed(-bank.fills_cents)],
    [say("sheet.win"), signed(bank.win_cents)],
  ];
  return (
    <section class="panel" aria-label={say("gameSheet")}>
      <header>
        <h2>{say("gameSheet")}</h2>
        <span class="end xs muted">{currency()}</span>
      </header>
      <div class="in3">
        <dl class="facts">
          {rows.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
        {bank.over_cents !== 0 && <p class="sm alerting">{say("lastDiffered", { difference: signed(bank.over_cents) })}</p>}
      </div>
    </section>
  );
}
