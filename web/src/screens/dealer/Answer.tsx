/** What is left to say of a situation, and the ruling that follows; it changes with each answer. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post, Refused } from "../../api/http";
import type { Open, Previewed, Problem, Situation } from "../../api/types";
import { money } from "../../i18n/money";
import { Checklist, type ListedStep } from "../../parts/Checklist";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Trouble } from "../../parts/Trouble";
import type { Desk } from "./context";
import { FieldControl, stillMissing } from "./Fields";
import { Foot } from "./Foot";
import { commandOf, type Draft, missing } from "./form";
import type { Half } from "./half";
import { MiniHands } from "./Hands";
import { atStake, differs, type Ruling, rulingOf, type Step, whoDoes } from "./ruling";
import { type Key, named, say } from "./say";
import { layOf, openingFor, questionsOf, reportsOn } from "./situations";
import { readBy } from "../../i18n/holds";
import { capital, oneOf } from "./texts";
import { Top } from "./Top";
import { WhyNot } from "./WhyNot";

/** What a step does to patrons and money, in numbers. */
export function stepNote(desk: Desk, step: Step): string {
  const { patrons, cents } = atStake(desk.part.stakes);
  const key = `note.${step}` as Key;
  return named("note", step) === step.replaceAll("_", " ") ? "" : say(key, { patrons, amount: money(cents) });
}

export function listed(desk: Desk, steps: readonly { step: Step; clause?: string | null; state: ListedStep["state"] }[]): ListedStep[] {
  return steps.map(({ step, clause, state }) => ({
    title: named("ruled", step),
    who: say(`who.${whoDoes(step)}` as Key),
    note: (
      <>
        {stepNote(desk, step)} {clause && <span class="cite">{clause}</span>}
      </>
    ),
    state,
  }));
}

/** A question in the words of its situation, where it has some. */
function questionOn(situation: Situation, field: string): string | undefined {
  const key = `${situation}.${field.replace("about.", "")}`;
  const words = named("ask", key);
  return words === key.replaceAll("_", " ") ? undefined : words;
}

/** Ask what the report would do, whenever what it says has changed. */
function useRuling(desk: Desk, open: Open | undefined, draft: Draft) {
  const ruling = useSignal<Ruling | null>(null);
  const problem = useSignal<Problem | null>(null);
  const ready = open !== undefined && missing(open, draft).length === 0;
  const command = open === undefined ? null : commandOf(open, draft).command;
  const about = ready ? JSON.stringify({ ...command, note: undefined }) : "";
  useEffect(() => {
    let gone = false;
    ruling.value = null;
    problem.value = null;
    if (about === "") return undefined;
    post<Previewed>(`/tables/${desk.table}/preview`, { command: JSON.parse(about) as object }).then(
      (preview) => !gone && void (ruling.value = rulingOf(preview)),
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        if (!gone) problem.value = error.problem;
      },
    );
    return () => void (gone = true);
  }, [about]);
  return { ruling: ruling.value, problem: problem.value, ready };
}

/** The one fact that would change the ruling, where it is whether the order is known. */
function Otherwise({ ruling, known }: { ruling: Ruling; known: boolean }) {
  return (
    <div class="tip">
      <Icon name="info" />
      <div>
        <b>{say(known ? "ifNotKnown" : "ifKnown")}</b> {ruling.steps.map(({ step }) => named("ruled", step)).join("; ")}.{" "}
        {ruling.clause !== null && <span class="cite">{ruling.clause}</span>}
      </div>
    </div>
  );
}

/** Who has to confirm before anything is done, or that nobody has. */
function beforeSteps(ruling: Ruling): string {
  if (ruling.queued) return say("queuedNote");
  if (ruling.hold === null || ruling.positions.length === 0) return say("atOnceNote");
  return say("confirmsNote", { who: capital(oneOf(ruling.positions)) });
}

function RulingShown(props: { desk: Desk; ruling: Ruling | null; problem: Problem | null; otherwise: Ruling | null; known: boolean }) {
  const { desk, ruling, problem, otherwise } = props;
  return (
    <section class="rul" aria-live="polite">
      <header>
        <span class="cl">{ruling?.clause ?? ""}</span>
        <h3>{say("whatRulebookDoes")}</h3>
      </header>
      {ruling === null ? (
        <div class="in3">
          <p class="muted">{problem === null ? say("answerFirst") : ""}</p>
          <Trouble problem={problem} />
        </div>
      ) : (
        <>
          <Checklist label={say("whatRulebookDoes")} steps={listed(desk, ruling.steps.map((one) => ({ ...one, state: "later" as const })))} />
          <div class="in3">
            <div class="tip">
              <Icon name="info" />
              <div>
                {beforeSteps(ruling)}
              </div>
            </div>
            <WhyNot instead={ruling.queued ? null : ruling.instead} />
            {otherwise !== null && differs(otherwise, ruling) && <Otherwise ruling={otherwise} known={props.known} />}
            {ruling.hold !== null && (
              <div class="tip">
                <Icon name="eye" />
                <div>
                  <b>{say("patronsRead")}</b> {readBy(ruling.hold)}
                </div>
              </div>
            )}
          </div>
        </>
      )}
    </section>
  );
}

interface Asked {
  desk: Desk;
  opens: readonly Open[];
  open: Open | undefined;
  half: Half;
  onHalf: (half: Half) => void;
}

/** What is left to say: questions, how cards lay, a note, faces that were seen. */
function Questions({ desk, opens, open, half, onHalf }: Asked) {
  const { situation, draft, tells } = half;
  const set = (name: string) => (held: Draft[string]) => onHalf({ ...half, draft: { ...draft, [name]: held } });
  const questions = questionsOf(opens);
  const lay = open === undefined ? undefined : layOf(open);
  const canTell = opens.some((one) => layOf(one) !== undefined) && opens.some((one) => layOf(one) === undefined);
  const faces = open?.fields?.find(({ name }) => name === "cards");
  return (
    <>
      {open !== undefined &&
        questions.map((field) => (
          <FieldControl
            key={field.name}
            desk={desk}
            open={{ ...open, fields: questions }}
            field={field}
            draft={draft}
            onHeld={set(field.name)}
            label={questionOn(situation, field.name)}
          />
        ))}
      {canTell && (
        <button class="swrow" role="switch" aria-checked={tells} onClick={() => onHalf({ ...half, tells: !tells })}>
          <span class="grow">{say("tellLay")}</span>
          <span class="sw" />
        </button>
      )}
      {open !== undefined && lay !== undefined && (
        <FieldControl desk={desk} open={open} field={lay} draft={draft} onHeld={set(lay.name)} />
      )}
      <MiniHands desk={desk} />
      <label class="fld">
        {say("noteKept")}
        <input class="in" value={String(draft["note"] ?? "")} onInput={(e) => set("note")(e.currentTarget.value)} />
      </label>
      {faces !== undefined && open !== undefined && (
        <details class="more" open={(draft["cards"] as readonly string[] | undefined)?.length ? true : undefined}>
          <summary>{say("facesSeen")}</summary>
          <FieldControl desk={desk} open={open} field={faces} draft={draft} onHeld={set("cards")} />
        </details>
      )}
    </>
  );
}

export function Answer(props: {
  desk: Desk;
  half: Half;
  onHalf: (half: Half) => void;
  backLabel: string;
  onBack: () => void;
  onOther: (situation: Situation) => void;
}) {
  const { desk, half } = props;
  const { situation, draft, tells } = half;
  const opens = reportsOn(desk.part.may, situation);
  const open = openingFor(opens, draft, tells);
  const { ruling, problem, ready } = useRuling(desk, open, draft);
  const known = draft["about.order_known"];
  const flipped = { ...draft, ...(typeof known === "boolean" ? { "about.order_known": !known } : {}) };
  const otherwise = useRuling(desk, typeof known === "boolean" ? openingFor(opens, flipped, tells) : undefined, flipped);
  useKeys({ Escape: props.onBack });
  const send = async (): Promise<void> => {
    if (open === undefined) return;
    const { command, more } = commandOf(open, draft);
    if ((await desk.act(command, more)) !== null) desk.mode.value = { kind: "round" };
  };
  const questions = questionsOf(opens).length + (open !== undefined && layOf(open) !== undefined ? 1 : 0);
  const left = open === undefined ? [] : missing(open, draft);
  const line = stillMissing(left) || say(ruling !== null && ruling.hold === null && !ruling.queued ? "doneWhenSent" : "nothingBefore");
  return (
    <div class="dealer app full">
      <Top desk={desk} />
      <main class="mid">
        <div class="rtitle">
          <div>
            <div class="crumb">
              1 {named("situation", situation)} · <b>2 {say("crumb.answer")}</b> · 3 {say("crumb.send")}
            </div>
            <h2>{named("situation", situation)}</h2>
            <p>{say("leaveCards")}</p>
          </div>
        </div>
        <div class="qa">
          <section>
            <header>
              <h3>{questions === 0 ? say("noQuestions") : say("questions", { n: questions })}</h3>
            </header>
            <div class="in3">
              <Questions desk={desk} opens={opens} open={open} half={half} onHalf={props.onHalf} />
            </div>
          </section>
          <RulingShown desk={desk} ruling={ruling} problem={problem} otherwise={otherwise.ruling} known={known === true} />
        </div>
      </main>
      <Foot
        left={
          <>
            <button class="btn" onClick={props.onBack}>
              {props.backLabel}
            </button>
            {situation !== "other" && reportsOn(desk.part.may, "other").length > 0 && (
              <button class="btn quiet" onClick={() => props.onOther("other")}>
                {say("holdOnly")}
              </button>
            )}
          </>
        }
        line={line}
        problem={desk.problem}
        title={say("notSent")}
        primary={say("sendReport")}
        enabled={ready && ruling !== null}
        busy={desk.busy}
        onPrimary={() => void send()}
      />
    </div>
  );
}
