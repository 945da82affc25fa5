/** One control for each kind of field: whatever is open to somebody can be said. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import type { Field, Open } from "../../api/types";
import { say as common } from "../../i18n/common";
import { centsOf, dollars, money } from "../../i18n/money";
import { Icon } from "../../parts/Icon";
import { deckOfGame } from "../../parts/HandCards";
import { cardName } from "../../draw/cards";
import { drawLanguage } from "../../parts/Card";
import type { Desk } from "./context";
import { CountsField } from "./Counts";
import { DiePad } from "./Die";
import { amountsOf, choicesOf, type Draft, type Held, type Single } from "./form";
import { Keypad, useEntry } from "./Keypad";
import { ClocksField, LimitsField } from "./Limits";
import { SettingsField } from "./OpenSettings";
import { EMPTY } from "./entry";
import { named, say } from "./say";
import { useTaker } from "./scan";
import { valueName } from "./values";

export interface FieldProps {
  desk: Desk;
  open: Open;
  field: Field;
  draft: Draft;
  onHeld: (held: Held | undefined) => void;
  /** In place of the field's own name: a question. */
  label?: string | undefined;
}

const FEW = 8;

export const fieldName = (field: Pick<Field, "name">): string => named("field", field.name.split(".").at(-1) ?? field.name);

/** Which fields are still to be filled, in words; nothing where all are. */
export const stillMissing = (names: readonly string[]): string =>
  names.length === 0 ? "" : say("stillMissing", { fields: names.map((name) => fieldName({ name })).join(", ") });

function ChoiceField(props: FieldProps) {
  const { desk, open, field, draft } = props;
  const label = useId();
  const title = props.label ?? fieldName(field);
  const values = choicesOf(open, draft, field);
  const held = draft[field.name];
  // Of what need not be said, and can be nothing else than none, nothing is asked.
  if (!field.required && values.every((value) => value === null)) return <></>;
  if (values.length > FEW) {
    return (
      <label class="fld">
        {title}
        <select
          class="in"
          value={held === undefined ? "" : String(held)}
          onChange={(e) => props.onHeld(values.find((value) => String(value) === e.currentTarget.value))}
        >
          <option value="">{say("choose")}</option>
          {values.map((value) => (
            <option key={String(value)} value={String(value)}>
              {valueName(desk, field, value)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <div class="q">
      <h4 id={label}>
        {title} {!field.required && <small>{say("optional")}</small>}
      </h4>
      <div class="picks" role="radiogroup" aria-labelledby={label}>
        {values.map((value) => (
          <button key={String(value)} type="button" class="pick" role="radio" aria-checked={held === value} onClick={() => props.onHeld(held === value && !field.required ? undefined : value)}>
            <b>
              <span class="rad" />
              {valueName(desk, field, value)}
            </b>
          </button>
        ))}
        {values.length === 0 && <p class="sm muted">{say("nothingToChoose")}</p>}
      </div>
    </div>
  );
}

function FlagField(props: FieldProps) {
  const { field, draft } = props;
  const label = useId();
  const held = draft[field.name];
  const allowed = choicesOf(props.open, draft, field);
  const values = allowed.length > 0 ? allowed : [true, false];
  if (!field.required) {
    return (
      <button type="button" class="swrow" role="switch" aria-checked={held === true} onClick={() => props.onHeld(held === true ? undefined : true)}>
        <span class="grow">{fieldName(field)}</span>
        <span class="sw" />
      </button>
    );
  }
  return (
    <div class="q">
      <h4 id={label}>{props.label ?? named("question", field.name.split(".").at(-1) ?? "")}</h4>
      <div class="stack8" role="radiogroup" aria-labelledby={label}>
        {values.map((value) => (
          <button key={String(value)} type="button" class="pick" role="radio" aria-checked={held === value} onClick={() => props.onHeld(value)}>
            <b>
              <span class="rad" />
              {say(value ? "yes" : "no")}
            </b>
            <p>{named(value ? "ifYes" : "ifNo", field.name.split(".").at(-1) ?? "")}</p>
          </button>
        ))}
      </div>
    </div>
  );
}

function TextField(props: FieldProps) {
  const { field, draft, desk } = props;
  const list = useId();
  const isPatron = field.name.endsWith("patron");
  const known = isPatron ? desk.part.patrons.map(({ patron }) => patron).filter((name) => !(field.other_than ?? []).includes(name)) : [];
  return (
    <label class="fld">
      <span>
        {props.label ?? fieldName(field)} {!field.required && <small>{say("optional")}</small>}
      </span>
      <input
        class="in"
        list={known.length > 0 ? list : undefined}
        required={field.required ?? false}
        value={String(draft[field.name] ?? "")}
        onInput={(e) => props.onHeld(e.currentTarget.value)}
      />
      {known.length > 0 && (
        <datalist id={list}>
          {known.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** A few whole numbers are pressed, not typed. */
function FewNumbers(props: FieldProps & { range: { minimum: number; maximum: number } }) {
  const { field, draft, range } = props;
  const label = useId();
  const numbers = Array.from({ length: range.maximum - range.minimum + 1 }, (_, i) => range.minimum + i);
  return (
    <div class="q">
      <h4 id={label}>{props.label ?? fieldName(field)}</h4>
      <div class="segbig" role="radiogroup" aria-labelledby={label}>
        {numbers.map((n) => (
          <button key={n} type="button" role="radio" aria-checked={draft[field.name] === n} onClick={() => props.onHeld(n)}>
            {n}
          </button>
        ))}
      </div>
    </div>
  );
}

function AmountField(props: FieldProps) {
  const { field, draft } = props;
  const range = amountsOf(props.open, draft, field);
  const left = useSignal(false);
  const wrong = useId();
  const cents = field.kind === "cents";
  const show = (n: number): string => (cents ? dollars(n) : String(n));
  const held = draft[field.name];
  if (range !== null && !cents && field.required && range.maximum - range.minimum < FEW) return <FewNumbers {...props} range={range} />;
  const typedIn = (text: string): number | undefined => {
    if (text.trim() === "") return undefined;
    if (cents) return centsOf(text) ?? Number.NaN;
    return /^\d{1,12}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
  };
  // Half an amount is none yet: it is said once the field was left.
  const isWrong = left.value && Number.isNaN(held);
  return (
    <label class="fld">
      <span>
        {props.label ?? fieldName(field)} {!field.required && <small>{say("optional")}</small>}
      </span>
      <input
        class="in num"
        inputMode={cents ? "decimal" : "numeric"}
        required={field.required ?? false}
        defaultValue={typeof held === "number" && !Number.isNaN(held) ? (cents ? money(held) : String(held)) : ""}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? wrong : undefined}
        onInput={(e) => {
          left.value = false;
          props.onHeld(typedIn(e.currentTarget.value));
        }}
        onChange={() => void (left.value = true)}
      />
      {isWrong && (
        <span class="err" id={wrong}>
          {common(cents ? "noAmount" : "noNumber")}
        </span>
      )}
      {range !== null && (
        <small>
          {range.minimum === range.maximum
            ? say("exactly", { amount: show(range.minimum) })
            : say("fromTo", { from: show(range.minimum), to: show(range.maximum) })}
          {(range.step ?? 1) > 1 && ` · ${say("inSteps", { step: show(range.step ?? 1) })}`}
        </small>
      )}
    </label>
  );
}

function SomeField(props: FieldProps) {
  const { desk, field, draft } = props;
  const held = (draft[field.name] ?? []) as readonly Single[];
  const values = Array.isArray(field.allowed) ? (field.allowed as Single[]) : [];
  const toggled = (value: Single): Single[] =>
    values.filter((one) => (one === value ? !held.includes(one) : held.includes(one)));
  return (
    <fieldset class="stack8 plain">
      <legend class="h3">{fieldName(field)}</legend>
      {values.map((value) => (
        <button
          key={String(value)}
          type="button"
          class="swrow"
          role="checkbox"
          aria-checked={held.includes(value)}
          onClick={() => props.onHeld(toggled(value))}
        >
          <span class="box">{held.includes(value) && <Icon name="check" size="small" />}</span>
          <span class="grow">{valueName(desk, field, value)}</span>
        </button>
      ))}
    </fieldset>
  );
}

const PLACES = ["P1", "B1", "P2", "B2", "P3", "B3"];

/** An order is pressed together: each value once, the first pressed comes first. */
function OrderField(props: FieldProps) {
  const { desk, field, draft } = props;
  const held = (draft[field.name] ?? []) as readonly Single[];
  const free = field.kind === "places" ? PLACES : ((Array.isArray(field.allowed) ? field.allowed : []) as Single[]);
  const left = field.kind === "places" ? free : free.filter((value) => !held.includes(value));
  return (
    <div class="q">
      <h4>{props.label ?? fieldName(field)}</h4>
      <ol class="ordered">
        {held.map((value, i) => (
          <li key={i}>
            <span class="tag brass">
              {i + 1} · {valueName(desk, field, value)}
            </span>
          </li>
        ))}
        {(field.then ?? []).map((value) => (
          <li key={String(value)}>
            <span class="tag">{valueName(desk, field, value)}</span>
          </li>
        ))}
      </ol>
      <div class="row wrap">
        {left.map((value) => (
          <button key={String(value)} type="button" class="btn small" onClick={() => props.onHeld([...held, value])}>
            {valueName(desk, field, value)}
          </button>
        ))}
        {held.length > 0 && (
          <button type="button" class="btn small quiet" onClick={() => props.onHeld(held.slice(0, -1))}>
            <Icon name="undo" />
            {say("undo")}
          </button>
        )}
      </div>
      <p class="xs muted">{say(field.name.endsWith("laid") ? "pressAsDrawn" : "pressInOrder")}</p>
    </div>
  );
}

function CardsField(props: FieldProps) {
  const { desk, field, draft } = props;
  const { entry, set } = useEntry();
  const box = useRef<HTMLDivElement>(null);
  const deck = deckOfGame(desk.view.rules?.game);
  const held = (draft[field.name] ?? []) as readonly string[];
  const most = field.allowed && !Array.isArray(field.allowed) ? field.allowed.maximum : 6;
  const add = (face: string): void => {
    props.onHeld([...held, face]);
    set(EMPTY);
  };
  useTaker({
    take: (face) => {
      const covered = desk.over.peek() !== null && !box.current?.closest("[role=dialog]");
      if (covered || held.length >= most) return false;
      add(face);
      return true;
    },
    mark: () => () => set(entry),
  });
  return (
    <div class="q" ref={box}>
      <h4>{fieldName(field)}</h4>
      <div class="row wrap">
        {held.map((face, i) => (
          <button
            key={i}
            type="button"
            class="btn small"
            aria-label={say("removeCard", { card: cardName(face, drawLanguage()) })}
            onClick={() => props.onHeld(held.filter((_, at) => at !== i))}
          >
            {cardName(face, drawLanguage())} <Icon name="clear" size="small" />
          </button>
        ))}
      </div>
      {held.length < most && (
        <Keypad
          deck={deck}
          title={say("faceN", { n: held.length + 1 })}
          entry={entry}
          onEntry={set}
          onEnter={add}
        />
      )}
    </div>
  );
}

function DieField(props: FieldProps) {
  const range = amountsOf(props.open, props.draft, props.field);
  return (
    <DiePad
      from={range?.minimum ?? 1}
      to={range?.maximum ?? 6}
      value={(props.draft[props.field.name] as number | undefined) ?? null}
      onValue={props.onHeld}
    />
  );
}

const CONTROLS: Record<Field["kind"], (props: FieldProps) => JSX.Element> = {
  choice: ChoiceField,
  flag: FlagField,
  text: TextField,
  cents: AmountField,
  number: AmountField,
  some: SomeField,
  all: SomeField,
  each: OrderField,
  places: OrderField,
  cards: CardsField,
  die: DieField,
  counts: CountsField,
  limits: LimitsField,
  clocks: ClocksField,
  settings: SettingsField,
};

/** The control of a field. */
export function FieldControl(props: FieldProps) {
  const Control = CONTROLS[props.field.kind];
  return <Control {...props} />;
}
