/** A closed table: its tray is counted, its settings are chosen, and somebody who may opens it. */
import { useSignal } from "@preact/signals";
import { money, signed } from "../../i18n/money";
import { Icon } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { opening } from "../../state/may";
import { Fields } from "./CommandForm";
import type { Desk } from "./context";
import { Foot } from "./Foot";
import { commandOf, type Draft, missing } from "./form";
import { say } from "./say";
import { Top } from "./Top";
import { TrayDialog, trayOf, TrayTable } from "./Tray";
import { trayCents } from "./tray";

/** The count goes to the cage: a Cashier and a second person sign it here. */
function Recording({ desk, cents }: { desk: Desk; cents: number }) {
  const signing = useSignal<"set_opener" | "count_closer" | null>(null);
  const recorded = useSignal<string | null>(null);
  return (
    <>
      <section class="panel" aria-label={say("countRecorded")}>
        <header>
          <h2>{say("countRecorded")}</h2>
        </header>
        <div class="in3">
          <p class="sm muted">{recorded.value ?? say("countNote")}</p>
          <div class="row wrap">
            <button class="btn" disabled={cents === 0} onClick={() => void (signing.value = "set_opener")}>
              {say("tray.set_opener")}
            </button>
            <button class="btn" onClick={() => void (signing.value = "count_closer")}>
              {say("tray.count_closer")}
            </button>
          </div>
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
          }}
        />
      )}
    </>
  );
}

export function OpenTable({ desk }: { desk: Desk }) {
  const open = opening(desk.part.may, "open_table");
  const draft = useSignal<Draft>({});
  const tray = trayOf(desk.table);
  const cents = trayCents(tray.value);
  const ready = open === undefined || missing(open, draft.value).length === 0;
  const act = (): void => {
    if (open === undefined) desk.over.value = { kind: "here", command: "open_table" };
    else void desk.act(commandOf(open, draft.value).command);
  };
  return (
    <div class="dealer app full">
      <Top desk={desk} steps={false} />
      <main class="mid" aria-label={say("openTable", { table: desk.table })}>
        <div class="rtitle">
          <div>
            <h2>{say("openTable", { table: desk.table })}</h2>
            <p>{say("openNote")}</p>
          </div>
        </div>
        <Trouble problem={desk.problem} title={say("notDone")} />
        <div class="split">
          <TrayTable tray={tray} />
          <section class="stack12">
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
            <Recording desk={desk} cents={cents} />
          </section>
        </div>
      </main>
      <Foot
        left={
          <button class="btn" onClick={() => void (tray.value = {})}>
            {say("countAgain")}
          </button>
        }
        line={open === undefined ? say("opensHere") : ""}
        primary={cents === 0 ? say("command.open_table") : say("openWith", { amount: money(cents) })}
        enabled={ready}
        busy={desk.busy}
        onPrimary={act}
      />
    </div>
  );
}
