/** The table asks: may stakes be taken back, all or none, or any that is not decided. */
import { useSignal } from "@preact/signals";
import type { OwnStake, TableView } from "../../../api/types";
import { told } from "../../../i18n/lists";
import { clock, money } from "../../../i18n/money";
import { tableWords } from "../../../i18n/tables";
import { handOf } from "../../../parts/HandCards";
import { Icon } from "../../../parts/Icon";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { useActs } from "../acts";
import { reasonOf, whyOf } from "../model/reasons";
import { useHere } from "../table";
import { nameOf, payWords, reasonNote, say, sideName } from "../words";
import { ShortCard } from "./parts";

type Answer = "withdraw" | "keep";

const total = (stakes: readonly OwnStake[]): number => stakes.reduce((sum, stake) => sum + stake.cents, 0);

function StakesTable(props: { stakes: readonly OwnStake[] }) {
  const { view } = useHere();
  const pays = (slug: string): string => {
    const wager = view.rules?.wagers.find((one) => one.slug === slug);
    return wager === undefined ? "" : payWords(wager, view.power).usual;
  };
  return (
    <div class="tblbox">
      <table class="tbl">
        <thead>
          <tr>
            <th>{say("yourStake")}</th>
            <th>{say("amount")}</th>
            <th>{say("pays")}</th>
          </tr>
        </thead>
        <tbody>
          {props.stakes.map((stake) => (
            <tr key={stake.number}>
              <td>{nameOf(view, stake.wager)}</td>
              <td>{money(stake.cents)}</td>
              <td>{pays(stake.wager)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{say("together")}</td>
            <td>{money(total(props.stakes))}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Choice(props: { on: boolean; title: string; cents: number; text: string; onChoose: () => void }) {
  return (
    <button class="pick" role="radio" aria-checked={props.on} onClick={props.onChoose}>
      <b>
        <span class="rad" />
        {props.title}
      </b>
      <span class="big">{money(props.cents)}</span>
      <p>{props.text}</p>
    </button>
  );
}

const Tip = (props: { title: string; text: string }) => (
  <div class="tip">
    <Icon name="info" />
    <div>
      <b>{props.title}</b> {props.text}
    </div>
  </div>
);

/** Where, in which round, and since when it is asked. */
export function askedWords(name: string, { round, hold }: Pick<TableView, "round" | "hold">): string {
  const where = { table: tableWords(name), round: round ?? 0 };
  return hold?.moment == null ? say("askedAt", where) : say("askedSince", { ...where, time: clock(hold.moment, true) });
}

/** That nobody is hurried, and how many have answered where several are asked. */
export function noHurry(hold: TableView["hold"]): string {
  const asked = hold?.asked ?? 0;
  return told(say("noCountdown"), asked > 1 ? say("answeredOf", { asked, answered: hold?.answered ?? 0 }) : "");
}

/** A text in which what counts stands between two asterisks. */
const stressed = (text: string) => text.split("*").map((part, n) => (n % 2 === 1 ? <b key={n}>{part}</b> : part));

/** What lies on the table, in words: below 1001 px the sheet stands where the cards would be. */
function Lying() {
  const { view } = useHere();
  const hands = (["player", "banker"] as const).map((side) => ({ side, hand: handOf(view.hands, side), reason: reasonOf(view.hands, side, false) }));
  return (
    <dl class="facts lying">
      {hands
        .filter(({ hand }) => (hand?.cards.length ?? 0) > 0)
        .map(({ side, hand, reason }) => (
          <>
            <dt>
              {sideName(side)} {hand?.cards.map(({ face, place }) => <ShortCard key={place} face={face} />)}
            </dt>
            <dd>{[hand?.points ?? "", reason === null ? "" : reasonNote(reason)].filter((one) => one !== "").join(", ")}</dd>
          </>
        ))}
      {view.waiting > 0 && (
        <>
          <dt>{say("besideShoe")}</dt>
          <dd>{say("cardsDown", { count: view.waiting })}</dd>
        </>
      )}
    </dl>
  );
}

/** The question that was read: another one is not answered by it. */
const conditionsOf = ({ hold }: Pick<TableView, "hold">): { hold?: number } => (hold === null ? {} : { hold: hold.since });

export function WithdrawAll() {
  const { name, view, own } = useHere();
  const { act, sending, problem } = useActs();
  const answer = useSignal<Answer | null>(null);
  const free = own.option?.stakes ?? [];
  const stakes = own.stakes.filter(({ number }) => free.includes(number));
  const some = stakes.length < own.stakes.length;
  const sum = total(stakes);
  const label = answer.value === null ? say("chooseOne") : say(answer.value === "withdraw" ? "takeBackAll" : "playOn");
  const send = (): void => void act(answer.value === "withdraw" ? { type: "withdraw" } : { type: "keep_wagers" }, conditionsOf(view));
  return (
    <Sheet
      asks
      title={say("askAll")}
      sub={askedWords(name, view)}
      foot={
        <button class="btn primary" disabled={answer.value === null || sending} aria-describedby="withdraw-text" onClick={send}>
          {label}
        </button>
      }
    >
      <p class="muted" id="withdraw-text">
        {stressed(say(some ? "askRemainingText" : "askAllText"))} {own.option?.clause != null && <span class="cite">{own.option.clause}</span>}
      </p>
      <StakesTable stakes={stakes} />
      <Lying />
      <div class="opts2" role="radiogroup" aria-label={say("yourAnswer")}>
        <Choice on={answer.value === "withdraw"} title={say("takeBackAll")} cents={sum} text={say(some ? "decidedStay" : "notInRound")} onChoose={() => void (answer.value = "withdraw")} />
        <Choice on={answer.value === "keep"} title={say("playOn")} cents={sum} text={say("allStay")} onChoose={() => void (answer.value = "keep")} />
      </div>
      <Tip title={say("noAnswer")} text={noHurry(view.hold)} />
      <Trouble problem={problem} />
    </Sheet>
  );
}

/** Why a stake is open, or decided, from the cards that everybody sees. */
function whyWords(view: TableView, wager: string, free: boolean): string {
  const why = whyOf(view.hands, wager, free);
  return say(why.key, { ...why });
}

function StakeChoice(props: { stake: OwnStake; free: boolean; on: boolean; onToggle: () => void }) {
  const { view } = useHere();
  const { stake, free, on } = props;
  return (
    <button class="wd" role="checkbox" aria-checked={on} aria-disabled={!free} aria-describedby={free ? undefined : `decided-${stake.number}`} onClick={() => free && props.onToggle()}>
      <span class="box">{on && <Icon name="check" />}</span>
      <b>{nameOf(view, stake.wager)}</b>
      <span class="amt">{money(stake.cents)}</span>
      <span class="sub" id={`decided-${stake.number}`}>{whyWords(view, stake.wager, free)}</span>
    </button>
  );
}

export function WithdrawAny() {
  const { name, view, own } = useHere();
  const { act, sending, problem } = useActs();
  const chosen = useSignal<readonly number[]>([]);
  const free = own.option?.stakes ?? [];
  const toggle = (number: number): void => {
    const before = chosen.peek();
    chosen.value = before.includes(number) ? before.filter((one) => one !== number) : [...before, number];
  };
  const taken = own.stakes.filter((stake) => chosen.value.includes(stake.number));
  return (
    <Sheet
      asks
      title={say("askAny")}
      sub={askedWords(name, view)}
      foot={
        <>
          <button class="btn" disabled={sending} onClick={() => void act({ type: "keep_wagers" }, conditionsOf(view))}>
            {say("keepAll")}
          </button>
          <button class="btn primary" disabled={taken.length === 0 || sending} aria-describedby="withdraw-text" onClick={() => void act({ type: "withdraw", stakes: [...chosen.peek()] }, conditionsOf(view))}>
            {taken.length === 0 ? say("chooseStakes") : say("takeBack", { cents: money(total(taken)) })}
          </button>
        </>
      }
    >
      <p class="muted" id="withdraw-text">
        {say("askAnyText")} {own.option?.clause != null && <span class="cite">{own.option.clause}</span>}
      </p>
      <div role="group" aria-label={say("yourStakes")}>
        {own.stakes.map((stake) => (
          <StakeChoice
            key={stake.number}
            stake={stake}
            free={free.includes(stake.number)}
            on={chosen.value.includes(stake.number)}
            onToggle={() => toggle(stake.number)}
          />
        ))}
      </div>
      <Lying />
      <Tip title={say("noAnswerAny")} text={noHurry(view.hold)} />
      <Trouble problem={problem} />
    </Sheet>
  );
}
