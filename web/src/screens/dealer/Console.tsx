/** The console of one table: which of its screens is shown follows from the table itself. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { passes } from "../../api/http";
import type { Topic } from "../../api/topics";
import type { Schemas, TableView } from "../../api/types";
import { say as common } from "../../i18n/common";
import { deckOfGame } from "../../parts/HandCards";
import { useKeys } from "../../parts/keys";
import { Lost } from "../../parts/Lost";
import { NotForYou } from "../../parts/NotForYou";
import { opening } from "../../state/may";
import { useLoaded } from "../../state/loaded";
import { useTable } from "../../state/table";
import { ActsDialog } from "./Acts";
import { CloseTable } from "./CloseTable";
import { FormDialog } from "./CommandForm";
import { type Desk, type Mode, type Over, useGiving } from "./context";
import { type Part, partOf } from "./course";
import { GiveBackDialog } from "./GiveBack";
import { dropHalf, keptHalf } from "./half";
import { Held } from "./Held";
import { HereDialog } from "./Here";
import { KeysDialog } from "./KeysDialog";
import { OpenTable } from "./OpenTable";
import { moveRegion } from "./regions";
import { Report } from "./Report";
import { Round } from "./Round";
import { useScanner } from "./scan";
import { Scanned } from "./Scanned";
import { Shoe } from "./Shoe";

function OverDialog({ desk }: { desk: Desk }) {
  const over = desk.over.value;
  const back = (): void => {
    desk.clear();
    desk.over.value = null;
  };
  if (over === null) return null;
  if (over.kind === "acts") return <ActsDialog desk={desk} onBack={back} />;
  if (over.kind === "here") return <HereDialog desk={desk} {...(over.command === undefined ? {} : { command: over.command })} onBack={back} />;
  if (over.kind === "keys") return <KeysDialog desk={desk} onBack={back} />;
  if (over.kind === "giveBack") return <GiveBackDialog desk={desk} onBack={back} />;
  return <FormDialog key={over.command} desk={desk} commands={[over.command]} {...(over.start === undefined ? {} : { start: over.start })} onBack={back} />;
}

/** The screen that the table asks for, unless the Dealer opened another one. */
function Shown({ desk, shoe }: { desk: Desk; shoe: Schemas["ShoeKnown"] | null }) {
  const mode = desk.mode.value;
  const { view, part } = desk;
  if (view.phase === "UNOPENED") return <OpenTable desk={desk} />;
  if (mode.kind === "report") return <Report desk={desk} {...mode} />;
  if (mode.kind === "close") return <CloseTable desk={desk} />;
  if (view.hold !== null && part.hold !== null) return <Held desk={desk} />;
  const loads = opening(part.may, "load_shoe");
  if (loads !== undefined && (mode.kind === "shoe" || part.next.command === "load_shoe")) return <Shoe desk={desk} />;
  return <Round desk={desk} shoe={shoe} />;
}

function At({ table, topic, part }: { table: string; topic: Topic<TableView>; part: Part }) {
  const { view } = topic;
  const mode = useSignal<Mode>({ kind: keptHalf(table, view.round, part) === null ? "round" : "report" });
  const over = useSignal<Over | null>(null);
  const giving = useGiving(table, topic.sequence);
  const [shoe] = useLoaded<Schemas["ShoeKnown"]>(view.shoe === null ? null : `/tables/${table}/shoes/${encodeURIComponent(view.shoe.name)}`);
  const known = shoe.value.value?.shoe === view.shoe?.name ? shoe.value.value : null;
  // Before it is known whether the shoe is of paper, no card is drawn: face down would be wrong.
  const { problem } = shoe.value;
  const unknown = view.shoe !== null && known === null && (problem === null || passes(problem));
  const desk: Desk = { table, view, part, mode, over, ...giving, busy: giving.busy || unknown };
  useKeys({
    F6: { does: common("keyRegions"), press: moveRegion },
    "?": { does: common("keyHelp"), press: () => void (over.value = { kind: "keys" }) },
    Escape: { does: common("keyEscape") },
  });
  useScanner(deckOfGame(view.rules?.game));
  useSignalEffect(() => {
    if (mode.value.kind !== "report") dropHalf(table);
  });
  const { round } = view;
  const before = useRef(round);
  useEffect(() => {
    if (before.current !== round && mode.peek().kind === "report") mode.value = { kind: "round" };
    before.current = round;
  }, [round]);
  return (
    <>
      <Lost />
      <Shown desk={desk} shoe={known} />
      <div class="dealer over">
        <OverDialog desk={desk} />
        <Scanned />
      </div>
    </>
  );
}

export function Console({ table }: { table: string }) {
  const topic = useTable(table);
  if (topic.value === null) {
    return (
      <main class="waiting" aria-busy="true">
        {common("loading")}
      </main>
    );
  }
  const part = partOf(topic.value.view);
  if (part === null) {
    return <NotForYou />;
  }
  return <At key={table} table={table} topic={topic.value} part={part} />;
}
