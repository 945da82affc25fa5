/** A form for whatever is open: its fields, a second person where one must approve, and the act. */
import "./dealer.css";
import "./report.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Command, Open } from "../../api/types";
import { say as common } from "../../i18n/common";
import { positionName } from "../../i18n/names";
import { Dialog } from "../../parts/Dialog";
import { SecondPerson } from "../../parts/SecondPerson";
import { Trouble } from "../../parts/Trouble";
import { askedOf, conditionsOf, goneWhy } from "./asked";
import type { Desk } from "./context";
import { FieldControl, stillMissing } from "./Fields";
import { blank, commandOf, type Draft, missing } from "./form";
import { named, say } from "./say";
import { valueName } from "./values";

export function Fields(props: { desk: Desk; open: Open; draft: Draft; onDraft: (draft: Draft) => void; without?: readonly string[] }) {
  const { open, draft } = props;
  return (
    <div class="stack16">
      {(open.fields ?? [])
        .filter(({ name }) => !(props.without ?? []).includes(name))
        .map((field) => (
          <FieldControl
            key={`${open.command}/${field.name}`}
            desk={props.desk}
            open={open}
            field={field}
            draft={draft}
            onHeld={(held) => props.onDraft({ ...draft, [field.name]: held })}
          />
        ))}
    </div>
  );
}

/** A command stands more than once where other values need other fields: choose which. */
function Which(props: { opens: readonly Open[]; at: number; desk: Desk; onAt: (at: number) => void }) {
  if (props.opens.length < 2) return null;
  const nameOf = (open: Open): string => {
    const first = open.fields?.find(({ allowed }) => Array.isArray(allowed) && allowed.length > 0);
    const values = Array.isArray(first?.allowed) ? first.allowed.map((value) => valueName(props.desk, first, value)) : [];
    const others = (open.fields ?? []).filter((field) => field.required && field !== first).map((field) => named("field", field.name.split(".").at(-1) ?? ""));
    return [...values, ...others].join(", ");
  };
  return (
    <div class="picks" role="radiogroup" aria-label={say("which")}>
      {props.opens.map((open, i) => (
        <button key={i} type="button" class="pick" role="radio" aria-checked={i === props.at} onClick={() => props.onAt(i)}>
          <b>
            <span class="rad" />
            {nameOf(open)}
          </b>
        </button>
      ))}
    </div>
  );
}

function Seconded(props: { desk: Desk; open: Open; position: string; command: Command; cards: readonly string[] | undefined; act: (approval: string) => Promise<void> }) {
  const title = say("secondNeeded", { position: positionName(props.position) });
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h3>{title}</h3>
      </header>
      <div class="in3">
        <SecondPerson
          position={props.position}
          table={props.desk.table}
          command={props.command}
          cards={props.cards}
          label={named("command", props.open.command)}
          onApproved={props.act}
        />
      </div>
    </section>
  );
}

/** A form of which nothing can come any more: it says so, and that nothing came of it. */
export function GoneDialog({ title, why, onBack }: { title: string; why: string; onBack: () => void }) {
  return (
    <Dialog
      title={title}
      onBack={onBack}
      foot={
        <button class="btn primary" onClick={onBack}>
          {common("back")}
        </button>
      }
    >
      <p role="alert">{why}</p>
    </Dialog>
  );
}

export function FormDialog(props: {
  desk: Desk;
  /** Ways of any of these that are open now are offered. */
  commands: readonly string[];
  start?: Draft;
  onBack: () => void;
}) {
  const { desk } = props;
  const opens = desk.part.may.filter(({ command }) => props.commands.includes(command));
  const at = useSignal(0);
  const open = opens[at.value] ?? opens[0];
  const draft = useSignal<Draft>({});
  const begun = useRef(askedOf(desk.view, desk.part, props.commands)).current;
  useEffect(() => {
    if (open !== undefined) draft.value = { ...blank(open), ...props.start };
    desk.clear();
  }, [at.value, opens.length]);
  const title = named("command", open?.command ?? props.commands[0] ?? "");
  // While a command is on its way, what changes may be its own doing.
  const why = desk.busy ? null : goneWhy(begun, askedOf(desk.view, desk.part, props.commands), open !== undefined);
  if (why !== null) return <GoneDialog title={title} why={why} onBack={props.onBack} />;
  if (open === undefined) return null;
  const left = missing(open, draft.value);
  const { command, more } = commandOf(open, draft.value);
  const act = async (approval?: string): Promise<void> => {
    const done = await desk.act(command, { ...more, ...conditionsOf(begun), ...(approval === undefined ? {} : { approval }) });
    if (done !== null) props.onBack();
  };
  return (
    <div class="dealer over">
      <Dialog
        title={title}
        onBack={props.onBack}
        wide
        above={open.clause ? <span class="cite">{open.clause}</span> : undefined}
        foot={
          <>
            <button class="btn quiet" onClick={props.onBack}>
              {common("back")}
            </button>
            <span class="sp" id="form-left">
              {stillMissing(left)}
            </span>
            {!open.approver && (
              <button class="btn primary" disabled={left.length > 0 || desk.busy} aria-describedby="form-left" onClick={() => void act()}>
                {named("command", open.command)}
              </button>
            )}
          </>
        }
      >
        <div class="stack16 formbody">
          <Which opens={opens} at={at.value} desk={desk} onAt={(i) => void (at.value = i)} />
          <Fields desk={desk} open={open} draft={draft.value} onDraft={(next) => void (draft.value = next)} />
          <Trouble problem={desk.problem} />
          {open.approver && left.length === 0 && (
            <Seconded desk={desk} open={open} position={open.approver} command={command} cards={more.cards} act={act} />
          )}
        </div>
      </Dialog>
    </div>
  );
}
