/** Own finished rounds: what was staked, which row applied, what came back, and step by step. */
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import type { OwnLine, OwnRoundInSteps, RoundStep } from "../../../api/types";
import type { Deck } from "../../../draw/cards";
import { say as calls } from "../../../i18n/calls";
import { clock, day, money, signed } from "../../../i18n/money";
import { voidBrief } from "../../../i18n/names";
import { tableWords } from "../../../i18n/tables";
import { Asked } from "../../../parts/Attendant";
import { useSending } from "../../../parts/sending";
import { Card } from "../../../parts/Card";
import { deckOfGame, SideDisc } from "../../../parts/HandCards";
import { Icon } from "../../../parts/Icon";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { askAbout, askedAbout, useCalls } from "../../../state/calls";
import { useLoaded } from "../../../state/loaded";
import { handsOf, pointsOf, returnedOf, roundNet, staked } from "../model/outcome";
import { openSheet, useHere, type Here } from "../table";
import { nameOf, say, shortResult, sideName } from "../words";
import { voidReason } from "../../../i18n/voids";
import { stepWords } from "./steps";
import { Choices } from "./parts";
import { rowName } from "../../../i18n/rows";

type Round = NonNullable<Here["rounds"]>[number];
type Which = "here" | "all" | "voids";

function title(round: Round): string {
  if (round.winner === null || round.player === null || round.banker === null) return say("roundVoid");
  return shortResult({ player: round.player, banker: round.banker, winner: round.winner });
}

function RoundHands(props: { round: Round; deck: Deck }) {
  const hands = handsOf(props.round);
  return (
    <div class="hh">
      {(["player", "banker"] as const).map((side) => (
        <section key={side} aria-label={sideName(side)}>
          <SideDisc side={side} />
          {hands[side].map((card, place) => (
            <span key={place} class={place === 2 ? "place third" : "place"}>
              <Card face={card} deck={props.deck} compact />
            </span>
          ))}
          {hands[side].every((card) => card !== null) && hands[side].length > 1 && (
            <span class={`total ${side === "player" ? "p" : "b"}`}>{pointsOf(hands[side])}</span>
          )}
        </section>
      ))}
    </div>
  );
}

function rowWords(line: OwnLine): string {
  if (line.breach !== null) return line.breach;
  if (line.row === null) return say("losesLow");
  return line.pays === null ? rowName(line.row) : `${rowName(line.row)}, ${rowName(line.pays)}`;
}

function Lines(props: { round: Round }) {
  const { view } = useHere();
  const { lines, stakes } = props.round;
  const back = props.round.void === null ? lines.reduce((sum, line) => sum + returnedOf(line), 0) : staked(props.round);
  return (
    <div class="tblbox">
      <table class="tbl">
        <thead>
          <tr>
            <th>{say("wager")}</th>
            <th>{say("stake")}</th>
            <th class="l">{say("rowApplied")}</th>
            <th>{say("returned")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.stake}>
              <td class="wrapc">{nameOf(view, line.wager)}</td>
              <td>{money(line.cents)}</td>
              <td class="l wrapc">
                {rowWords(line)} {(line.breach_clause ?? line.clause) !== null && <span class="cite">{line.breach_clause ?? line.clause}</span>}
              </td>
              <td class={line.result === "wins" ? "w" : ""}>{money(returnedOf(line))}</td>
            </tr>
          ))}
          {lines.length === 0 &&
            stakes.map((stake) => (
              <tr key={stake.stake}>
                <td>{nameOf(view, stake.wager)}</td>
                <td>{money(stake.cents)}</td>
                <td class="l">{say("returned")}</td>
                <td>{money(stake.cents)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{say("together")}</td>
            <td>{money(staked(props.round))}</td>
            <td />
            <td>{money(back)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** The credit at the round's table before and after it, and what came or left meanwhile. */
function Balance({ round: { balance } }: { round: Round }) {
  if (balance === null) return null;
  const meanwhile = (["brought", "taken"] as const).filter((way) => balance[`${way}_cents`] > 0);
  return (
    <>
      <dt>{say("balanceAround")}</dt>
      <dd>
        {money(balance.before_cents)} · {money(balance.after_cents)}
      </dd>
      {meanwhile.map((way) => (
        <Fragment key={way}>
          <dt>{say(`${way}Meanwhile`)}</dt>
          <dd>{money(balance[`${way}_cents`])}</dd>
        </Fragment>
      ))}
    </>
  );
}

function Steps(props: { table: string; round: number }) {
  const { view } = useHere();
  const [loaded] = useLoaded<OwnRoundInSteps>(`/tables/${props.table}/rounds/${props.round}`);
  const { value, problem } = loaded.value;
  if (value === null) return problem === null ? <p class="sm muted">{say("oneMoment")}</p> : <Trouble problem={problem} />;
  const said = (step: RoundStep): string[] => step.events.flatMap((event) => stepWords(event, (slug) => nameOf(view, slug)));
  const rows = value.steps.flatMap((step) => (step.refusal === null ? said(step).map((text) => ({ step, text })) : [{ step, text: step.refusal.sentence }]));
  return (
    <ol class="stepsof">
      {rows.map(({ step, text }, place) => (
        <li key={place}>
          <time>{clock(step.moment, true)}</time>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

/** A question about a round goes to the pit with the round. */
function Ask(props: { round: Round; onSent: () => void }) {
  const { table, round } = props.round;
  const note = useSignal("");
  const { sending, problem, send } = useSending();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await send(() => askAbout(table, round, note.peek()))) props.onSent();
  };
  return (
    <form class="stack8" onSubmit={(event) => void submit(event)}>
      <label class="fld">
        {calls("askNote")}
        <textarea class="in" rows={2} maxLength={200} value={note.value} onInput={(event) => void (note.value = event.currentTarget.value)} />
      </label>
      <Trouble problem={problem.value} />
      <button class="btn second" disabled={sending.value}>
        {calls("send")}
      </button>
    </form>
  );
}

function Details(props: { round: Round }) {
  const { round } = props;
  const { view } = useHere();
  const steps = useSignal(false);
  const asking = useSignal(false);
  const asked = askedAbout(useCalls(), round.table, round.round);
  const here = useHere();
  const deck = round.table === here.name ? deckOfGame(view.rules?.game) : round.cards.some((card) => card?.includes("-")) ? 65 : 52;
  return (
    <div class="in2">
      <RoundHands round={round} deck={deck} />
      {(round.stakes.length > 0 || round.lines.length > 0) && <Lines round={round} />}
      <dl class="facts">
        {round.withdrawn_cents > 0 && (
          <>
            <dt>{say("takenBack")}</dt>
            <dd>{money(round.withdrawn_cents)}</dd>
          </>
        )}
        <Balance round={round} />
        {round.void !== null && (
          <>
            <dt>{say("whyVoid")}</dt>
            <dd>
              {voidReason(round.void.why)} {round.void.clause !== null && <span class="cite">{round.void.clause}</span>}
            </dd>
          </>
        )}
        {round.die !== null && (
          <>
            <dt>{say("dieShows", { die: round.die })}</dt>
            <dd>{round.power ? say("power") : say("usualOdds")}</dd>
          </>
        )}
        {round.interruptions.map((one) => (
          <>
            <dt>{say("interrupted", { time: clock(one.moment, true) })}</dt>
            <dd>{one.clause !== null && <span class="cite">{one.clause}</span>}</dd>
          </>
        ))}
        {round.corrected.length > 0 && (
          <>
            <dt>{say("corrected")}</dt>
            <dd>{say("correctedText")}</dd>
          </>
        )}
      </dl>
      {asked !== null && <Asked call={asked} />}
      <div class="row wrap">
        <button class="btn small" aria-expanded={steps.value} onClick={() => void (steps.value = !steps.value)}>
          <Icon name="play" size="small" />
          {say("stepByStep")}
        </button>
        {asked?.seen !== null && (
          <button class="btn small" aria-expanded={asking.value} onClick={() => void (asking.value = !asking.value)}>
            <Icon name="bell" size="small" />
            {calls("ask")}
          </button>
        )}
      </div>
      {asking.value && <Ask round={round} onSent={() => void (asking.value = false)} />}
      {steps.value && <Steps table={round.table} round={round.round} />}
    </div>
  );
}

function Item(props: { round: Round; open: boolean; onToggle: () => void }) {
  const { round, open } = props;
  const net = roundNet(round);
  const facts = [say("roundNumber", { round: round.round }), clock(round.opened), ...(round.void !== null ? [voidBrief(round.void.why), round.void.clause ?? ""] : [say("staked", { cents: money(staked(round)) })])];
  const { name } = useHere();
  return (
    <div class="hx">
      <button aria-expanded={open} onClick={props.onToggle}>
        {round.winner === null ? <span class="vd">V</span> : <SideDisc side={round.winner} />}
        <span class="bold">{title(round)}</span>
        <span class={net > 0 ? "sum w" : "sum"}>{signed(net)}</span>
        <span class="ic s">
          <Icon name={open ? "chev" : "next"} size="small" />
        </span>
        <span class="sub">{[...(round.table === name ? [] : [tableWords(round.table)]), ...facts].filter(Boolean).join(" · ")}</span>
      </button>
      {open && <Details round={round} />}
    </div>
  );
}

export function History() {
  const { name, rounds } = useHere();
  const which = useSignal<Which>("here");
  const open = useSignal<string | null>(null);
  const keyOf = (round: Round): string => `${round.table}/${round.round}`;
  const shown = (rounds ?? []).filter((round) => (which.value === "here" ? round.table === name : which.value === "all" || round.void !== null));
  const newest = rounds?.[0];
  return (
    <Sheet title={say("rounds")} sub={[tableWords(name), say("newestFirst"), ...(newest === undefined ? [] : [day(newest.opened)])].join(" · ")} onClose={() => openSheet(name, null)}>
      <Choices
        label={say("rounds")}
        value={which.value}
        choices={[
          ["here", say("thisTable")],
          ["all", say("allTables")],
          ["voids", say("onlyVoids")],
        ]}
        onChoose={(chosen) => void (which.value = chosen)}
      />
      {shown.length === 0 && <p class="sm muted">{rounds === null ? say("oneMoment") : say("noRounds")}</p>}
      <div>
        {shown.map((round) => (
          <Item
            key={keyOf(round)}
            round={round}
            open={open.value === keyOf(round)}
            onToggle={() => void (open.value = open.peek() === keyOf(round) ? null : keyOf(round))}
          />
        ))}
      </div>
    </Sheet>
  );
}
