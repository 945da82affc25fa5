/** Another person acts at this console, once, by name and password. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post } from "../../api/http";
import type { Open } from "../../api/types";
import { say as common } from "../../i18n/common";
import { positionName } from "../../i18n/names";
import { Dialog } from "../../parts/Dialog";
import { SecondPerson } from "../../parts/SecondPerson";
import { SigningForm } from "../../parts/Signing";
import { Trouble } from "../../parts/Trouble";
import { useSending } from "../../parts/sending";
import { useAlarms } from "../../state/table";
import { Fields } from "./CommandForm";
import { stillMissing } from "./Fields";
import type { Desk } from "./context";
import { blank, commandOf, type Draft, missing } from "./form";
import { enter, giveAs, leave, type Other } from "./inplace";
import { named, say } from "./say";
import { capital, oneOf } from "./texts";
import { valueName } from "./values";

function SignHere(props: { desk: Desk; onEntered: (other: Other) => void }) {
  const waits = capital(oneOf(props.desk.part.next.positions.filter((position) => position !== "Dealer")));
  return (
    <SigningForm label={say("signHere")} onSigned={async ({ name, password }) => props.onEntered(await enter(name, password, props.desk.table))}>
      <p class="sm muted">{say("hereNote", { who: waits || say("anotherPerson") })}</p>
    </SigningForm>
  );
}

/** The pit is called to the table; the call stands there until somebody acknowledges it. */
function CallPit({ table }: { table: string }) {
  const { sending, problem, send } = useSending();
  const called = (useAlarms().value?.view[table] ?? []).some(({ code }) => code === "supervisor_called");
  return (
    <div class="stack8">
      {called ? (
        <p class="sm bold" role="status">
          {say("supervisorCalled")}
        </p>
      ) : (
        <button class="btn" disabled={sending.value} onClick={() => void send(() => post(`/tables/${encodeURIComponent(table)}/supervisor`))}>
          {say("callPit")}
        </button>
      )}
      <Trouble problem={problem.value} />
    </div>
  );
}

/** What the other person chose to do: fields, a second person, the act. */
function OneAct(props: { desk: Desk; other: Other; open: Open; onDone: () => void }) {
  const { other, open } = props;
  const { pit } = other;
  const desk = pit === undefined ? props.desk : { ...props.desk, view: { ...props.desk.view, pit } };
  const draft = useSignal<Draft>(blank(open));
  const { sending, problem, send } = useSending();
  const { command, more } = commandOf(open, draft.value);
  const left = missing(open, draft.value);
  const act = async (approval?: string): Promise<void> => {
    if (await send(() => giveAs(other, desk.table, command, approval === undefined ? more : { ...more, approval }))) props.onDone();
  };
  return (
    <div class="stack16">
      {open.clause && <span class="cite">{open.clause}</span>}
      <Fields desk={desk} open={open} draft={draft.value} onDraft={(next) => void (draft.value = next)} />
      <Trouble problem={problem.value} />
      {open.approver ? (
        left.length === 0 && (
          <SecondPerson
            position={open.approver}
            table={desk.table}
            command={command}
            cards={more.cards}
            forName={other.actor.name}
            label={named("command", open.command)}
            onApproved={act}
          />
        )
      ) : (
        <>
          <p class="sm muted" id="act-left">
            {stillMissing(left)}
          </p>
          <button class="btn primary" disabled={left.length > 0 || sending.value} aria-describedby="act-left" onClick={() => void act()}>
            {named("command", open.command)}
          </button>
        </>
      )}
    </div>
  );
}

export function HereDialog({ desk, command, onBack }: { desk: Desk; command?: string; onBack: () => void }) {
  const other = useSignal<Other | null>(null);
  const picked = useSignal<Open | null>(null);
  const close = (): void => {
    if (picked.peek() !== null && shown.length > 1) picked.value = null;
    else onBack();
  };
  // Whoever signed in here is signed out with the dialog, whatever became of the act.
  useEffect(
    () => () => {
      if (other.peek() !== null) leave(other.peek() as Other);
    },
    [],
  );
  useEffect(() => {
    const opens = (other.value?.may ?? []).filter((open) => open.command === command);
    if (opens.length === 1 && opens[0] !== undefined) picked.value = opens[0];
  }, [other.value]);
  const who = other.value?.actor;
  const may = (other.value?.may ?? []).filter((open) => open.command !== "report");
  const wanted = may.filter((open) => open.command === command);
  const shown = wanted.length > 0 ? wanted : may;
  const title =
    picked.value !== null ? named("command", picked.value.command) : command === undefined ? say("anotherActs") : named("command", command);
  return (
    <Dialog
      title={title}
      wide
      onBack={close}
      above={who && <span class="tag brass">{`${who.name} · ${positionName(who.position ?? "")}`}</span>}
      foot={
        <button class="btn quiet" onClick={close}>
          {common("back")}
        </button>
      }
    >
      {other.value !== null && command !== undefined && wanted.length === 0 && picked.value === null && (
        <p class="muted">{say("mayNot", { who: who?.name ?? "", act: named("command", command) })}</p>
      )}
      {other.value === null && <CallPit table={desk.table} />}
      {other.value === null ? (
        <SignHere desk={desk} onEntered={(entered) => void (other.value = entered)} />
      ) : picked.value === null ? (
        <div class="actgrid">
          {shown.map((open, i) => (
            <button key={i} class="btn" onClick={() => void (picked.value = open)}>
              <span>
                {named("command", open.command)}
                <small>{choicesIn(desk, open)}</small>
              </span>
            </button>
          ))}
          {shown.length === 0 && <p class="muted">{say("nothingOpen")}</p>}
        </div>
      ) : (
        <OneAct desk={desk} other={other.value} open={picked.value} onDone={onBack} />
      )}
    </Dialog>
  );
}

/** What tells an opening from another one of the same command. */
function choicesIn(desk: Desk, open: Open): string {
  const first = open.fields?.find(({ allowed }) => Array.isArray(allowed) && allowed.length > 0 && allowed.length < 4);
  if (!Array.isArray(first?.allowed)) return open.clause ?? "";
  return first.allowed.map((value) => valueName(desk, first, value)).join(", ");
}
