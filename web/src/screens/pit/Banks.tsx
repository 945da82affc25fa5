/** Chips and cash of every table: what its tray should hold, fills and credits, with both names. */
import { useSignal } from "@preact/signals";
import type { Schemas } from "../../api/types";
import { say as common } from "../../i18n/common";
import { clock, money, signed } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { inOrderOfTables } from "../../state/tables";
import { Order } from "../cage/Order";
import type { CageOpen } from "../cage/orders";
import { named as cageNamed } from "../cage/say";
import { Shell } from "./Shell";
import { say } from "./say";
import { type PitState, tableTitle } from "./usePit";

type Shown = Schemas["BanksShown"];
type Bank = Schemas["TableBank"];
type Slip = Schemas["Slip"];

function Banks({ banks, pit }: { banks: readonly Bank[]; pit: PitState }) {
  const columns: Column<Bank>[] = [
    {
      name: say("tableWord"),
      words: true,
      cell: (bank) => (
        <Link class="linkb" to={`/pit/${encodeURIComponent(bank.table)}`}>
          {tableTitle(pit, bank.table)}
        </Link>
      ),
    },
    { name: say("opener"), cell: (bank) => money(bank.opener_cents) },
    { name: say("fills"), cell: (bank) => money(bank.fills_cents) },
    { name: say("credits"), cell: (bank) => money(bank.credits_cents) },
    { name: say("tray"), cell: (bank) => money(bank.tray_cents) },
    { name: say("box"), cell: (bank) => money(bank.box_cents) },
    { name: say("win"), cell: (bank) => signed(bank.win_cents) },
    { name: say("difference"), cell: (bank) => (bank.over_cents === 0 ? "" : <span class="tag alert">{signed(bank.over_cents)}</span>) },
  ];
  return (
    <section class="pan" aria-label={say("tableBanks")}>
      <header>
        <h3>{say("tableBanks")}</h3>
        <span class="end xs muted">{say("banksNote")}</span>
      </header>
      <Listing label={say("tableBanks")} columns={columns} rows={inOrderOfTables(banks, ({ table }) => table)} keyOf={(bank) => bank.table} none={say("noBanks")} marked={(bank) => bank.over_cents !== 0} />
    </section>
  );
}

function Slips({ slips }: { slips: readonly Slip[] }) {
  const columns: Column<Slip>[] = [
    { name: say("slip"), words: true, cell: (slip) => slip.number },
    { name: say("tableWord"), words: true, cell: (slip) => tableWords(slip.table) },
    { name: say("kindWord"), words: true, cell: (slip) => cageNamed("slip", slip.kind) },
    { name: say("amount"), cell: (slip) => money(slip.cents) },
    { name: say("when"), words: true, cell: (slip) => clock(slip.moment, true) },
    { name: say("by"), words: true, cell: (slip) => slip.by },
    { name: say("secondPerson"), words: true, cell: (slip) => slip.second ?? "" },
  ];
  return (
    <section class="pan" aria-label={say("slips")}>
      <header>
        <h3>{say("slips")}</h3>
      </header>
      <Listing label={say("slips")} columns={columns} rows={slips} keyOf={(slip) => slip.number} none={say("noSlips")} />
    </section>
  );
}

export function BanksPage({ pit }: { pit: PitState }) {
  const [loaded, again] = useLoaded<Shown>("/pit/banks", 10_000);
  const [may, mayAgain] = useLoaded<Schemas["MayAtCage"]>("/cage/may");
  const chosen = useSignal<CageOpen | null>(null);
  const { value: shown, problem } = loaded.value;
  const offered = (may.value.value?.may ?? []).filter(({ tables }) => tables !== null);
  const seconds = [...new Set((may.value.value?.may ?? []).flatMap(({ approvers }) => approvers))];
  return (
    <Shell pit={pit} at="banks" title={say("nav.banks")}>
      <div class="hd">
        <div>
          <h2>{say("tableBanks")}</h2>
          <p>{offered.length > 0 ? seconds.map(positionName).join(", ") : say("banksByCage")}</p>
        </div>
        <div class="end">
          {offered.map((open) => (
            <button key={open.command} class="btn" onClick={() => void (chosen.value = open)}>
              {cageNamed("act", open.command)}
            </button>
          ))}
        </div>
      </div>
      <Trouble problem={problem} />
      {shown === null && problem === null && <p class="none">{common("loading")}</p>}
      {shown !== null && (
        <>
          <Banks banks={shown.banks} pit={pit} />
          <Slips slips={shown.slips} />
        </>
      )}
      {chosen.value !== null && (
        <Order
          open={chosen.value}
          patrons={[]}
          tickets={[]}
          onDone={() => {
            chosen.value = null;
            again();
            mayAgain();
          }}
          onBack={() => void (chosen.value = null)}
        />
      )}
    </Shell>
  );
}
