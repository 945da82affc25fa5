/** A matter that the rulebook does not cover: what may be decided, and what each decision does. */
import { useSignal } from "@preact/signals";
import type { Command, Open, TableView } from "../../api/types";
import { go } from "../../app/router";
import { somebody } from "../../app/session";
import { say as common } from "../../i18n/common";
import { told } from "../../i18n/lists";
import { clock, money } from "../../i18n/money";
import { positionName, wagerBySlug } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { announce } from "../../parts/announce";
import { deckOfGame, handOf } from "../../parts/HandCards";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { SecondPerson } from "../../parts/SecondPerson";
import { Trouble } from "../../parts/Trouble";
import { now } from "../../state/clock";
import { fieldOf } from "../../state/may";
import { Fields } from "../dealer/CommandForm";
import { Suggested } from "../dealer/Suggested";
import type { Desk } from "../dealer/context";
import { blank, commandOf, type Draft, missing } from "../dealer/form";
import { Effects, sentences } from "./Consequence";
import { type Consequence, consequenceOf, inPlay } from "./consequence";
import { wantedWord } from "./decide";
import { Felt } from "./Felt";
import { useDesk } from "./Form";
import { span } from "./floor";
import { type Decidable, decidables, furtherFields, narrowed } from "./referral";
import { named, say } from "./say";
import { type Answer, usePreviews } from "./usePreviews";

const WRITTEN_LATER = "–";

const previewOf = (decision: string): Command => ({ type: "decide_referral", decision, reason: WRITTEN_LATER });

/** Decisions by which wagers leave a round. */
const LEAVING: readonly string[] = ["offer_withdrawal", "exclude_stake", "reset_and_wager_again"];

/** Why a decision cannot be given: who else may, or what stands against it. */
function against(one: Decidable, answer: Answer | undefined): string {
  if (one.possible) return say("decidedByOther");
  const unwritten = answer !== undefined && "problem" in answer && answer.problem.code === "not_in_rulebook";
  if (unwritten && LEAVING.includes(one.decision)) return say("notInRulebook");
  return named("cannot", one.decision);
}

function Picks(props: { all: readonly Decidable[]; chosen: string; answers: Record<string, Answer>; view: TableView; onChoose: (decision: string) => void }) {
  const doing = (one: Decidable): string => {
    const answer = props.answers[one.decision];
    if (one.opens.length === 0) return against(one, answer);
    if (answer === undefined) return common("loading");
    const second = one.opens[0]?.approver;
    const needs = second ? say("needsSecond", { position: positionName(second) }) : "";
    if ("problem" in answer) return told(named("does", one.decision), needs);
    return told(...sentences(consequenceOf(answer.preview, props.view.pit?.stakes ?? [])), needs);
  };
  return (
    <div class="cons" role="radiogroup" aria-label={say("decision")}>
      {props.all.map((one) => (
        <button
          key={one.decision}
          class="pick"
          role="radio"
          aria-checked={one.decision === props.chosen}
          disabled={one.opens.length === 0}
          aria-describedby={one.opens.length === 0 ? `pick-${one.decision}` : undefined}
          onClick={() => props.onChoose(one.decision)}
        >
          <b>
            <span class="rad" />
            {named("decision", one.decision)}
          </b>
          <p id={`pick-${one.decision}`}>{doing(one)}</p>
        </button>
      ))}
    </div>
  );
}

function FactsPanel({ view }: { view: TableView }) {
  const { pit } = view;
  if (pit === undefined) return null;
  const staked = inPlay(pit.stakes);
  const cards = view.hands.flatMap((hand) => hand.cards);
  const facts: [string, string][] = [
    [say("fact.closed"), view.closed === null ? say("no") : clock(view.closed, true)],
    [say("fact.stakes"), say("fact.stakesOf", { n: pit.stakes.length, amount: money(staked.cents), patrons: staked.patrons })],
    [say("fact.cards"), say("ofN", { n: cards.filter(({ face }) => face !== null).length, of: cards.length })],
    [say("fact.aside"), String(view.waiting)],
    [say("fact.paylist"), say(pit.lines.length > 0 ? "yes" : "no")],
    [say("fact.queued"), String(pit.hold?.queued.length ?? 0)],
  ];
  return (
    <section class="pan" aria-label={say("facts")}>
      <header>
        <h3>{say("facts")}</h3>
      </header>
      <div class="bd2 tight">
        <dl class="facts">
          {facts.map(([name, value]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd key={`${name}=`}>{value}</dd>
            </>
          ))}
        </dl>
      </div>
    </section>
  );
}

function HandsNow({ view }: { view: TableView }) {
  const hand = (side: "player" | "banker") => {
    const found = handOf(view.hands, side);
    return { cards: (found?.cards ?? []).map(({ face }) => face), points: found?.points ?? null };
  };
  return <Felt player={hand("player")} banker={hand("banker")} deck={deckOfGame(view.rules?.game)} label={say("tableNow")} />;
}

function Matter({ name, view }: { name: string; view: TableView }) {
  const hold = view.pit?.hold ?? null;
  const report = hold?.report ?? null;
  const since = view.pit?.hold?.since ?? null;
  const note = view.pit?.note ?? "";
  const unnamed = hold?.situation === "other";
  const title = unnamed && note !== "" ? note : unnamed || hold?.situation == null ? named("hold", "referral") : named("situation", hold.situation);
  return (
    <div class="hd">
      <div>
        <span class="tag alert">
          {tableWords(name)}
          {view.round !== null && ` · ${say("roundN", { n: view.round })}`}
          {since !== null && ` · ${say("held", { span: span(now.value - Date.parse(since)) })}`}
        </span>
        <h2>{title}</h2>
        <p>
          {report !== null && say("reportedAt", { who: report.by, time: clock(report.moment, true) })} {say("noRule")}{" "}
          {hold?.clause != null && <span class="cite">{hold.clause}</span>}
        </p>
        {note !== "" && !unnamed && <p>“{note}”</p>}
      </div>
      <div class="end">
        <Link class="btn" to={`/pit/${encodeURIComponent(name)}`}>
          {say("seeTable")}
        </Link>
      </div>
    </div>
  );
}

/** What tells the ways of one decision apart: a line of the pay list, or whether an order is told. */
function wayName(open: Open, view: TableView): string {
  const stake = fieldOf(open, "stake")?.allowed;
  const patron = fieldOf(open, "patron")?.allowed;
  if (!Array.isArray(stake)) return say(fieldOf(open, "laid") === undefined ? "way.reported" : "way.told");
  const found = view.pit?.stakes.find(({ number }) => number === stake[0]);
  return say("way.line", { wager: wagerBySlug(found?.wager ?? ""), amount: money(found?.cents ?? 0), patron: String(Array.isArray(patron) ? (patron.at(-1) ?? "") : "") });
}

/** Who signs, and the button; while it is grey, what is missing. */
function Foot(props: { open: Open; left: readonly string[]; label: string; busy: boolean; onGive: () => void }) {
  const { open, left } = props;
  const who = somebody.value;
  const wanting = left.length > 0;
  return (
    <div class="panel-foot">
      <span class="sp">
        <b>{say("signedBy", { who: say("whoIs", { name: who?.name ?? "", position: positionName(who?.position ?? "") }) })}</b> {open.clause ? say("recordedWith", { clause: open.clause }) : say("recorded")}
      </span>
      {wanting && (
        <span class="need" id="referral-need">
          {say(wantedWord(left))}
        </span>
      )}
      {(wanting || !open.approver) && (
        <button class="btn primary" disabled={wanting || props.busy} aria-describedby={wanting ? "referral-need" : undefined} onClick={props.onGive}>
          {props.busy && !open.approver ? say("sending") : props.label}
        </button>
      )}
    </div>
  );
}

/** How the chosen decision is given: what else it needs, its reason, the money, who signs. */
function Giving({ desk, one, open, view }: { desk: Desk; one: Decidable; open: Open; view: TableView }) {
  const which = narrowed(open, one.decision);
  const draft = useSignal<Draft>(blank(which));
  const reason = useSignal("");
  const said: Draft = { ...draft.value, decision: one.decision, reason: reason.value };
  const left = missing(which, said);
  const { command } = commandOf(which, said);
  const since = view.hold?.since ?? 0;
  const short = left.filter((field) => field !== "reason");
  const asking: Record<string, Command> = short.length > 0 ? {} : { it: { ...command, reason: reason.value.trim() || WRITTEN_LATER } };
  const answer = usePreviews(desk.table, asking, since)["it"];
  const consequence: Consequence | null = answer !== undefined && "preview" in answer ? consequenceOf(answer.preview, view.pit?.stakes ?? []) : null;
  const act = async (approval?: string): Promise<void> => {
    const done = await desk.act(command, { hold: since, ...(approval === undefined ? {} : { approval }) });
    if (done === null) return;
    announce(say("done"));
    go("/pit");
  };
  return (
    <>
      <div class="bd2">
        {furtherFields(which).length > 0 && <Fields desk={desk} open={which} draft={said} onDraft={(next) => void (draft.value = next)} without={["decision", "reason"]} />}
        <label class="fld">
          {say("reasonRequired")}
          <textarea class="in" rows={2} required value={reason.value} onInput={(e) => void (reason.value = e.currentTarget.value)} />
        </label>
        {answer !== undefined && "problem" in answer && <Trouble problem={answer.problem} />}
        {consequence !== null && <Effects of={consequence} />}
        <Trouble problem={desk.problem} />
        {open.approver && left.length === 0 && (
          <SecondPerson position={open.approver} table={desk.table} command={command} label={named("decide", one.decision)} onApproved={(approval) => void act(approval)} />
        )}
      </div>
      <Foot open={open} left={left} label={named("decide", one.decision)} busy={desk.busy} onGive={() => void act()} />
    </>
  );
}

/** Another matter that is referred is another page: no choice and no reason of the last one is left. */
export const ReferralPage = (props: { name: string; view: TableView }) => <Referred key={props.view.hold?.since ?? 0} {...props} />;

function Referred({ name, view }: { name: string; view: TableView }) {
  const desk = useDesk(name, view);
  const chosen = useSignal("");
  const way = useSignal(0);
  const { pit } = view;
  const all = pit === undefined ? [] : decidables(pit);
  const simple = Object.fromEntries(all.map(({ decision }) => [decision, previewOf(decision)]));
  const answers = usePreviews(name, pit?.hold == null ? {} : simple, view.hold?.since ?? 0);
  if (desk === null || pit?.hold == null || pit.hold.decisions.length === 0) return <p class="none">{say("nothingReferred")}</p>;
  const one = all.find(({ decision }) => decision === chosen.value);
  const open = one?.opens[way.value] ?? one?.opens[0];
  const mine = all.some(({ opens }) => opens.length > 0);
  return (
    <>
      <Matter name={name} view={view} />
      <div class="c2">
        <section class="pan deciding" aria-label={say("yourDecision")}>
          <header>
            <h3>{say("yourDecision")}</h3>
            <span class="end xs muted">{mine ? say("nothingBefore") : say("waitsFor", { who: pit.next.positions.map(positionName).join(", ") })}</span>
          </header>
          <div class="bd2">
            <Picks
              all={all}
              chosen={chosen.value}
              answers={answers}
              view={view}
              onChoose={(decision) => {
                chosen.value = decision;
                way.value = 0;
              }}
            />
            {pit.hold.suggestion !== null && (
              <div class="tip brass">
                <Icon name="info" />
                <div>
                  <b>{say("suggestion")}</b> <Suggested hold={pit.hold} />
                </div>
              </div>
            )}
            {one !== undefined && one.opens.length > 1 && (
              <label class="fld">
                {say("which")}
                <select class="in" value={way.value} onChange={(e) => void (way.value = Number(e.currentTarget.value))}>
                  {one.opens.map((way, i) => (
                    <option key={i} value={i}>
                      {wayName(way, view)}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </div>
          {one !== undefined && open !== undefined ? (
            <Giving key={`${one.decision}/${way.value}`} desk={desk} one={one} open={open} view={view} />
          ) : (
            <div class="panel-foot">
              <span class="sp" id="referral-need">
                {say("nothingBefore")}
              </span>
              <button class="btn primary" disabled aria-describedby="referral-need">
                {say("chooseOne")}
              </button>
            </div>
          )}
        </section>
        <div class="col">
          <FactsPanel view={view} />
          <HandsNow view={view} />
        </div>
      </div>
    </>
  );
}
