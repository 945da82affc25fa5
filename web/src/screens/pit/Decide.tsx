/** A question of a table, decided over the floor: choices with what each does, reason, second person. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { TableView } from "../../api/types";
import { say as common } from "../../i18n/common";
import { told } from "../../i18n/lists";
import { money } from "../../i18n/money";
import { positionName, wagerName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { useActing } from "../../parts/acting";
import { announce } from "../../parts/announce";
import { Card } from "../../parts/Card";
import { Dialog } from "../../parts/Dialog";
import { deckOfGame } from "../../parts/HandCards";
import { SecondPerson } from "../../parts/SecondPerson";
import { Trouble } from "../../parts/Trouble";
import { now } from "../../state/clock";
import { GoneDialog } from "../dealer/CommandForm";
import { sentences } from "./Consequence";
import { consequenceOf } from "./consequence";
import { type Choice, choicesOf, reasonNeeded, takesReason, withReason } from "./decide";
import { span } from "./floor";
import { PitForm } from "./Form";
import { named, say, type Word } from "./say";
import { CardsNow, handsAfter, ReportFacts } from "./ReportFacts";
import { matterTitle } from "./Side";
import { type Answer, usePreviews } from "./usePreviews";
import { type Matter, questionOf } from "./waiting";
import { refusalLine } from "../../i18n/refusals";

/** What a choice is called. */
export function choiceName(choice: Choice, view: TableView | null): string {
  const { command } = choice;
  switch (command.type) {
    case "set_order": {
      const order = (command["order"] as number[]).map((n) => n + 1);
      return order.length === 2 ? say("choice.first", { n: order[0] ?? 0 }) : say("choice.order", { order: order.join(", ") });
    }
    case "take_off_wager": {
      const stake = view?.pit?.stakes.find(({ number }) => number === command["stake"]);
      const wager = view?.rules?.wagers.find(({ slug }) => slug === stake?.wager);
      return say("choice.takeOff", {
        wager: wagerName(stake?.wager ?? "", wager?.name ?? stake?.wager ?? ""),
        amount: money(stake?.cents ?? 0),
        position: stake?.position ?? 0,
      });
    }
    case "decide_replacement":
      return say(command["replace"] === true ? "choice.replace" : "choice.keepCards");
    case "decide_terminal":
      return say(command["stands"] === true ? "choice.stands" : "choice.returned", { position: Number(command["position"]) });
    default:
      return say(`choice.${command.type}` as Word);
  }
}

/** What the button says: it repeats the act. */
const actName = (choice: Choice, view: TableView | null): string => (choice.command.type === "set_order" ? say("act.setOrder") : choiceName(choice, view));

function OrderCards({ choice, view }: { choice: Choice; view: TableView | null }) {
  if (choice.command.type !== "set_order") return null;
  return (
    <>
      {(choice.command["order"] as number[]).map((n) => (
        <i key={n}>
          <Card face={null} deck={deckOfGame(view?.rules?.game)} />
          <b>{n + 1}</b>
        </i>
      ))}
    </>
  );
}

/** What a choice would do: sentences, or why it cannot be. */
function Does({ answer, view }: { answer: Answer | undefined; view: TableView | null }) {
  if (answer === undefined) return <span>{common("loading")}</span>;
  if ("problem" in answer) return <span>{refusalLine(answer.problem)}</span>;
  return (
    <span>
      {told(...sentences(consequenceOf(answer.preview, view?.pit?.stakes ?? [])))} {view !== null && handsAfter(view, answer.preview)}
    </span>
  );
}

function Choices(props: {
  matter: Matter;
  choices: readonly Choice[];
  chosen: string;
  view: TableView | null;
  answers: Record<string, Answer>;
  onChoose: (id: string) => void;
}) {
  return (
    <div class="ord" role="radiogroup" aria-label={named("ask", props.matter.kind)}>
      {props.choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          class="opt"
          role="radio"
          aria-checked={choice.id === props.chosen}
          onClick={() => props.onChoose(choice.id)}
        >
          <b>
            <span class="rad" />
            {choiceName(choice, props.view)}
          </b>
          <span class="cc">
            <OrderCards choice={choice} view={props.view} />
            <Does answer={props.answers[choice.id]} view={props.view} />
          </span>
        </button>
      ))}
    </div>
  );
}

function Heading({ matter, view }: { matter: Matter; view: TableView | null }) {
  const held = matter.since === null ? "" : ` · ${say("held", { span: span(now.value - Date.parse(matter.since)) })}`;
  return (
    <span class="tag">
      {tableWords(matter.table)}
      {view?.round != null && ` · ${say("roundN", { n: view.round })}`}
      {held}
    </span>
  );
}

/** Facts that whoever decides should have before them. */
function Facts({ matter, view }: { matter: Matter; view: TableView | null }) {
  const pit = view?.pit;
  if (pit === undefined) return null;
  const { hold } = pit;
  return (
    <div class="stack8">
      {view !== null && <ReportFacts view={view} />}
      {view !== null && <CardsNow view={view} />}
      {matter.kind === "withdrawal" && hold !== null && (
        <p class="muted">{say("answeredOf", { n: hold.answered.length, of: hold.asked.length, names: hold.asked.filter((name) => !hold.answered.includes(name)).join(", ") })}</p>
      )}
      <p class="muted">
        {named("why", matter.kind)} {matter.clause !== null && <span class="cite">{matter.clause}</span>}
      </p>
    </div>
  );
}

/** The question that was `asked`, as long as it is among `matters`; another one of its kind is not it. */
export function DecideDialog({ asked, matters, view, onBack }: { asked: Matter; matters: readonly Matter[]; view: TableView | null; onBack: () => void }) {
  const live = matters.find((matter) => questionOf(matter) === questionOf(asked));
  const choices = choicesOf(asked);
  if (choices === null) return <PitForm table={asked.table} view={view} commands={[...new Set(asked.answers.map(({ command }) => command))]} onBack={onBack} />;
  return <ChoiceDialog matter={live ?? asked} gone={live === undefined} view={view} choices={(live && choicesOf(live)) ?? choices} onBack={onBack} />;
}

function ChoiceDialog({ matter, gone, view, choices, onBack }: { matter: Matter; gone: boolean; view: TableView | null; choices: readonly Choice[]; onBack: () => void }) {
  const acting = useActing(matter.table);
  const chosen = useSignal(choices.length === 1 ? (choices[0]?.id ?? "") : "");
  const reason = useSignal("");
  const since = matter.hold ?? 0;
  const previewed = Object.fromEntries(choices.map(({ id, command, open }) => [id, reasonNeeded(open) ? { ...command, reason: "–" } : command]));
  const answers = usePreviews(matter.table, previewed, since);
  const choice = choices.find(({ id }) => id === chosen.value);
  const command = choice === undefined ? null : withReason(choice.command, reason.value);
  const unreasoned = choice !== undefined && reasonNeeded(choice.open) && reason.value.trim() === "";
  const wanting = choice === undefined || unreasoned;
  const act = async (approval?: string): Promise<void> => {
    if (command === null) return;
    const done = await acting.act(command, { ...(since > 0 ? { hold: since } : {}), ...(approval === undefined ? {} : { approval }) });
    if (done === null) return;
    announce(say("done"));
    onBack();
  };
  const approver = choice?.open.approver;
  // What was settled elsewhere is no question any more, and must not come back as one.
  const over = useRef(false);
  if (gone && !acting.sending) over.current = true;
  if (over.current) return <GoneDialog title={say("settledElsewhere")} why={say("settledElsewhereNote")} onBack={onBack} />;
  return (
    <Dialog
      title={named("ask", matter.kind)}
      onBack={onBack}
      above={<Heading matter={matter} view={view} />}
      foot={
        <>
          <span class="sp" id="decide-note">
            {say(unreasoned ? "reasonFirst" : "recorded")}
          </span>
          <button class="btn" onClick={onBack}>
            {common("back")}
          </button>
          {!approver && (
            <button class="btn primary" disabled={wanting || acting.sending || acting.away} aria-describedby="decide-note" onClick={() => void act()}>
              {choice === undefined ? say("chooseOne") : acting.sending ? say("sending") : actName(choice, view)}
            </button>
          )}
        </>
      }
    >
      <div class="stack16">
        {view?.pit?.hold?.report == null && <p class="sm">{matterTitle(matter)}</p>}
        <Facts matter={matter} view={view} />
        <Choices matter={matter} choices={choices} chosen={chosen.value} view={view} answers={answers} onChoose={(id) => void (chosen.value = id)} />
        {(choice === undefined ? choices : [choice]).some(({ open }) => takesReason(open)) && (
          <label class="fld">
            {say(choice !== undefined && reasonNeeded(choice.open) ? "reasonRequired" : "reasonFree")}
            <input class="in" value={reason.value} onInput={(e) => void (reason.value = e.currentTarget.value)} />
          </label>
        )}
        <Trouble problem={acting.problem} />
        {approver && choice !== undefined && command !== null && !wanting && (
          <section class="panel">
            <header>
              <h3 class="h3">{say("needsSecond", { position: positionName(approver) })}</h3>
            </header>
            <div class="none">
              <SecondPerson
                position={approver}
                table={matter.table}
                command={command}
                label={actName(choice, view)}
                onApproved={(approval) => void act(approval)}
              />
            </div>
          </section>
        )}
      </div>
    </Dialog>
  );
}
