/** A closed table: its tray is counted, its settings are chosen, and somebody who may opens it. */
import { type Signal, useSignal } from "@preact/signals";
import type { Open } from "../../api/types";
import { money, signed } from "../../i18n/money";
import { Icon } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { opening } from "../../state/may";
import { Fields } from "./CommandForm";
import type { Desk } from "./context";
import { stillMissing } from "./Fields";
import { Foot } from "./Foot";
import { commandOf, type Draft, missing } from "./form";
import { GameSheet, inTray, useBank } from "./GameSheet";
import { named, say } from "./say";
import { tableMark, Top } from "./Top";
import { CountAgain, TrayDialog, TrayTable, useTray } from "./Tray";
import { trayCents } from "./tray";

const TRAY_ACTS = ["count_closer", "set_opener"] as const;
type TrayAct = (typeof TRAY_ACTS)[number];

/** The count goes to the cage: a Cashier and a second person sign it here. */
function Recording({ desk, cents, due, onRecorded }: { desk: Desk; cents: number; due: readonly TrayAct[]; onRecorded: () => void }) {
  const signing = useSignal<TrayAct | null>(null);
  const recorded = useSignal<string | null>(null);
  return (
    <>
      <section class="panel" aria-label={say("countRecorded")}>
        <header>
          <h2>{say("countRecorded")}</h2>
        </header>
        <div class="in3">
          <p class="sm muted" id="count-note">
            {recorded.value ?? say("countNote")} {cents === 0 && due.includes("set_opener") && say("countFirst")}
          </p>
          {due.map((act) => (
            <div key={act} class="row trayact">
              <span class="grow sm">{named("trayWhen", act)}</span>
              <button class="btn" disabled={act === "set_opener" && cents === 0} aria-describedby="count-note" onClick={() => void (signing.value = act)}>
                {named("tray", act)}
              </button>
            </div>
          ))}
        </div>
      </section>
      {signing.value !== null && (
        <TrayDialog
          desk={desk}
          act={signing.value}
          cents={cents}
          onBack={() => void (signing.value = null)}
          onDone={(difference) => {
            recorded.value =
              difference === 0
                ? say("countDone", { amount: money(cents) })
                : say("countDiffers", { amount: money(cents), difference: signed(difference) });
            signing.value = null;
            onRecorded();
          }}
        />
      )}
    </>
  );
}

function Settings({ desk, open, draft }: { desk: Desk; open: Open | undefined; draft: Signal<Draft> }) {
  return (
    <section class="panel" aria-label={say("settings")}>
      <header>
        <h2>{say("settings")}</h2>
      </header>
      <div class="in3">
        {open === undefined ? (
          <div class="tip">
            <Icon name="info" />
            <div>{say("opensHere")}</div>
          </div>
        ) : (
          <Fields desk={desk} open={open} draft={draft.value} onDraft={(next) => void (draft.value = next)} />
        )}
      </div>
    </section>
  );
}

export function OpenTable({ desk }: { desk: Desk }) {
  const open = opening(desk.part.may, "open_table");
  const draft = useSignal<Draft>({});
  const [bank, again] = useBank(desk);
  const tray = useTray(desk.table, "opening");
  const cents = trayCents(tray.value);
  const left = open === undefined ? [] : missing(open, draft.value);
  const act = (): void => {
    if (open === undefined) desk.over.value = { kind: "here", command: "open_table" };
    else void desk.act(commandOf(open, draft.value).command);
  };
  const title = say("openTable", { table: tableMark(desk.table) });
  // Chips of the last play are counted before the next opener; the pit knows whether some are there.
  const due = bank === null ? TRAY_ACTS : TRAY_ACTS.filter((one) => (one === "count_closer") === bank.open);
  const recording = <Recording desk={desk} cents={cents} due={due} onRecorded={again} />;
  const opens = cents === 0 ? say("command.open_table") : say("openWith", { amount: money(cents) });
  return (
    <div class="dealer app full">
      <Top desk={desk} steps={false} />
      <main class="mid" aria-label={title}>
        <div class="rtitle">
          <div>
            <h2>{title}</h2>
            <p>{say("openNote")}</p>
          </div>
        </div>
        <Trouble problem={desk.problem} title={say("notDone")} />
        <div class="split">
          <section class="stack12">
            <TrayTable tray={tray} expected={inTray(bank)} />
            {open !== undefined && recording}
          </section>
          <section class="stack12">
            <GameSheet bank={bank} />
            <Settings desk={desk} open={open} draft={draft} />
            {open === undefined && recording}
          </section>
        </div>
      </main>
      <Foot
        left={<CountAgain tray={tray} />}
        primary={open === undefined ? say("signToOpen") : opens}
        line={stillMissing(left)}
        enabled={left.length === 0}
        busy={desk.busy}
        onPrimary={act}
      />
    </div>
  );
}
