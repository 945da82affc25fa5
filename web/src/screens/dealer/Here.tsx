/** Another person acts at this console, once, by name and password. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { post } from "../../api/http";
import type { Open, Problem } from "../../api/types";
import { say as common } from "../../i18n/common";
import { positionName } from "../../i18n/names";
import { Dialog } from "../../parts/Dialog";
import { SecondPerson } from "../../parts/SecondPerson";
import { SigningForm } from "../../parts/Signing";
import { Trouble } from "../../parts/Trouble";
import { useSending } from "../../parts/sending";
import { useAlarms } from "../../state/table";
import { openings } from "../../state/may";
import { type Asked, askedOf, conditionsOf, goneWhy } from "./asked";
import { Fields, GoneDialog } from "./CommandForm";
import { stillMissing } from "./Fields";
import type { Desk } from "./context";
import { blank, commandOf, type Draft, missing } from "./form";
import { enter, giveAs, leave, mayOf, type Other } from "./inplace";
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

/** As the table goes on, what the other person may do is asked anew: one question at a time. */
function useRenewed(other: Signal<Other | null>, { table, view }: Desk): void {
  const asking = useRef(false);
  const seen = useRef(view);
  const latest = useRef(view);
  latest.current = view;
  const renew = async (): Promise<void> => {
    const who = other.peek();
    if (who === null || asking.current || seen.current === latest.current) return;
    seen.current = latest.current;
    asking.current = true;
    // Who cannot be asked about keeps what was known: the house refuses what is not open.
    const now = await mayOf(who.token, table).catch(() => null);
    asking.current = false;
    if (now !== null && other.peek()?.token === who.token) other.value = { ...who, ...now };
    await renew();
  };
  useEffect(() => void renew(), [view, other.value === null]);
}

/** What the other person chose to do: fields, a second person, the act. */
function OneAct(props: { desk: Desk; other: Other; open: Open | undefined; command: string; begun: Asked | null; onDone: () => void }) {
  const { sending, problem, send } = useSending();
  const draft = useSignal<Draft | null>(null);
  const now = askedOf(props.desk.view, props.desk.part, [props.command]);
  const begun = useRef(props.begun ?? now).current;
  const why = sending.value ? null : goneWhy(begun, now, props.open !== undefined);
  const last = useRef(props.open);
  if (props.open !== undefined) last.current = props.open;
  if (why !== null || last.current === undefined) return <p role="alert">{why}</p>;
  return <Giving {...props} open={last.current} draft={draft} begun={begun} sending={sending.value} problem={problem.value} send={send} />;
}

interface GivingProps {
  desk: Desk;
  other: Other;
  open: Open;
  draft: Signal<Draft | null>;
  begun: Asked;
  sending: boolean;
  problem: Problem | null;
  send: (work: () => Promise<unknown>) => Promise<boolean>;
  onDone: () => void;
}

function Giving(props: GivingProps) {
  const { other, open, begun, send } = props;
  const { pit } = other;
  const desk = pit === undefined ? props.desk : { ...props.desk, view: { ...props.desk.view, pit } };
  const draft = props.draft.value ?? blank(open);
  const { command, more } = commandOf(open, draft);
  const left = missing(open, draft);
  const act = async (approval?: string): Promise<void> => {
    const conditions = { ...more, ...conditionsOf(begun), ...(approval === undefined ? {} : { approval }) };
    if (await send(() => giveAs(other, desk.table, command, conditions))) props.onDone();
  };
  return (
    <div class="stack16">
      {open.clause && <span class="cite">{open.clause}</span>}
      <Fields desk={desk} open={open} draft={draft} onDraft={(next) => void (props.draft.value = next)} />
      <Trouble problem={props.problem} />
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
          <button class="btn primary" disabled={left.length > 0 || props.sending} aria-describedby="act-left" onClick={() => void act()}>
            {named("command", open.command)}
          </button>
        </>
      )}
    </div>
  );
}

export function HereDialog({ desk, command, onBack }: { desk: Desk; command?: string; onBack: () => void }) {
  const other = useSignal<Other | null>(null);
  const picked = useSignal<{ command: string; nth: number } | null>(null);
  // Who comes to answer one question must not find that another one was put in its place.
  const begun = useRef(command === undefined ? null : askedOf(desk.view, desk.part, [command])).current;
  useRenewed(other, desk);
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
    const opens = openings(other.value?.may, command ?? "");
    if (opens.length === 1 && opens[0] !== undefined) picked.value = { command: opens[0].command, nth: 0 };
  }, [other.value === null]);
  const who = other.value?.actor;
  const may = (other.value?.may ?? []).filter((open) => open.command !== "report");
  const wanted = may.filter((open) => open.command === command);
  const shown = wanted.length > 0 ? wanted : may;
  const at = picked.value;
  const why = begun === null || command === undefined || other.value !== null ? null : goneWhy(begun, askedOf(desk.view, desk.part, [command]), true);
  if (why !== null) return <GoneDialog title={named("command", command ?? "")} why={why} onBack={onBack} />;
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
      ) : at === null ? (
        <div class="actgrid">
          {shown.map((open, i) => (
            <button key={i} class="btn" onClick={() => void (picked.value = { command: open.command, nth: openings(may, open.command).indexOf(open) })}>
              <span>
                {named("command", open.command)}
                <small>{choicesIn(desk, open)}</small>
              </span>
            </button>
          ))}
          {shown.length === 0 && <p class="muted">{say("nothingOpen")}</p>}
        </div>
      ) : (
        <OneAct
          desk={desk}
          other={other.value}
          open={openings(may, at.command)[at.nth]}
          command={at.command}
          begun={at.command === command ? begun : null}
          onDone={onBack}
        />
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
