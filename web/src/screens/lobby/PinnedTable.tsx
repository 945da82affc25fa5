/** One of several tables: state and ring, one status line, big road, the spots. */
import type { ComponentChildren } from "preact";
import { connection } from "../../api/live";
import type { Side, TableView } from "../../api/types";
import { dollars, money, range, signed } from "../../i18n/money";
import { gameTitle, wagerName } from "../../i18n/names";
import { say as tables } from "../../i18n/tables";
import { BarredNote, useBarredHeard } from "../../parts/BarredNote";
import { Card } from "../../parts/Card";
import { deckOfGame, handOf, SideDisc, Total } from "../../parts/HandCards";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { Ring } from "../../parts/Ring";
import { Road, useRoads } from "../../parts/Roads";
import { useMedia } from "../../parts/useMedia";
import { secondsUntil } from "../../state/clock";
import { useClosingShown } from "../../state/closing";
import { numberOf, stateOf, tableMark, type TableState } from "../../state/tables";
import { Closing } from "../terminal/Closing";
import { askedOf } from "../terminal/model/asked";
import { barredFromEntering } from "../terminal/model/left";
import { netOf } from "../terminal/model/outcome";
import { sum } from "../terminal/model/slip";
import { isLive, layoutOf, type Spot } from "../terminal/model/spots";
import { NearNote, useNear, useNearHeard } from "../terminal/Near";
import { CLASSES, labelOf, usePress, useShown } from "../terminal/Spots";
import { messageId, stateId, stopId } from "../terminal/slipacts";
import { betsOpen, dealt, useHere } from "../terminal/table";
import { isEarlier, Told, useTold } from "../terminal/Told";
import { mendedWords, noticeWords, payWords, resultWords, say as terminal, shortResult } from "../terminal/words";
import { say as lobby } from "./say";
import { say } from "./saySeveral";
import type { Pinned } from "./usePinned";

/** A table in a tab: its number, else its name. */
export const shortName = ({ name }: Pick<Pinned, "name">): string => numberOf({ name }) ?? name;

/** The words of a state while several tables are played: the calls, not each step of the deal. */
const CALLS: Partial<Record<TableState, TableState>> = { dealing: "stopped", shake: "stopped", result: "stopped" };
export const callOf = (state: TableState): TableState => CALLS[state] ?? state;

function MainSpot({ spot }: { spot: Spot }) {
  const { view, betting } = useHere();
  const { wager, side } = spot;
  const shown = useShown(wager);
  const able = betting.able.value;
  const press = usePress(spot, able);
  const name = wagerName(wager.slug, wager.name);
  const pays = payWords(wager, view.power);
  const letter = side === null ? "" : { player: "p", banker: "b2", tie: "t" }[side];
  const classes = ["ms", letter, CLASSES[shown.state] ?? "", spot.main ? "" : "sidewager"];
  return (
    <button
      class={classes.filter(Boolean).join(" ")}
      aria-disabled={!able}
      data-wager={wager.slug}
      data-state={shown.state}
      {...press}
    >
      <span class="sr">{labelOf(name, wager, `${pays.usual} ${pays.better}`.trim(), shown)}</span>
      <b aria-hidden="true">
        {spot.main && side !== null && <SideDisc side={side} />}
        <span>{name}</span>
      </b>
      <span class="l" aria-hidden="true">
        {spot.main ? "" : `${pays.usual} · `}
        {range(wager.minimum_cents, wager.maximum_cents)}
      </span>
      {shown.state !== "idle" && (
        <span class="amt" aria-hidden="true">
          {shown.state === "accepted" && <Icon name="check" />}
          {(shown.state === "sending" || shown.state === "unsent") && <Icon name="clock" />}
          {shown.pill}
        </span>
      )}
    </button>
  );
}

/** Both hands in small, while cards lie. */
function HandsLine() {
  const { view } = useHere();
  const deck = deckOfGame(view.rules?.game);
  return (
    <>
      {(["player", "banker"] as Side[]).map((side) => {
        const hand = handOf(view.hands, side);
        return (
          <span key={side} class="mini">
            <SideDisc side={side} />
            {(hand?.cards ?? []).map((card) => (
              <span key={card.place} class="c">
                <Card face={card.face} deck={deck} compact />
              </span>
            ))}
            {hand?.points != null && <Total side={side} points={hand.points} />}
          </span>
        );
      })}
    </>
  );
}

/** What of the stakes lies on side wagers, which have no spot in view. */
const sidesOf = ({ rules }: TableView, stakes: Readonly<Record<string, number>>): number =>
  layoutOf(rules?.wagers ?? [], false).upper.reduce((total, { wager }) => total + (stakes[wager.slug] ?? 0), 0);

/** What the own money does here: what won, is in play, is on its way; or nothing. */
function OwnMoney() {
  const { view, own, betting } = useHere();
  if (own.lines.length > 0 && (view.phase === "SETTLED" || view.phase === "IDLE")) {
    const net = netOf(own.lines);
    return <b class={net > 0 ? "end w" : "end"}>{signed(net)}</b>;
  }
  const accepted = sum(betting.accepted.value);
  // What was not sent stays in sight while the connection is down.
  if (!betsOpen(view)) return <b class="end">{accepted > 0 ? say("inPlay", { cents: money(accepted) }) : say("noStake")}</b>;
  const sending = Object.values(betting.sending.value).reduce((all, cents) => all + Math.max(0, cents), 0);
  const unsent = sending > 0 ? 0 : betting.unsent.value;
  const aside = sidesOf(view, betting.accepted.value);
  const parts = [
    accepted > 0 ? say("accepted", { cents: money(accepted) }) : "",
    aside > 0 ? say("ofWhichSide", { cents: money(aside) }) : "",
    sending > 0 ? say("sending", { cents: money(sending) }) : "",
    unsent > 0 ? say("unsent", { cents: money(unsent) }) : "",
  ].filter(Boolean);
  return <b class="end">{parts.length === 0 ? say("noStake") : parts.join(" · ")}</b>;
}

/** One line: refusal over answer over hands over result; only the table in hand speaks. */
function StatusLine(props: { inHand: boolean }) {
  const { name, view, betting } = useHere();
  const told = useTold();
  const notice = betting.notice.value;
  const line = (children: ComponentChildren, alert = false) => (
    <div class={alert ? "line1 al" : "line1"} role={alert ? "alert" : props.inHand ? "status" : undefined}>
      {children}
    </div>
  );
  if (notice !== null) {
    const { title, sentence } = noticeWords(notice, view);
    const { remedy, wager } = notice;
    return line(
      <>
        <Icon name="alert" size="small" />
        <span>
          {title} {sentence}
        </span>
        {remedy !== null && wager !== null && betting.open.value && (
          <button class="btn small end" onClick={() => betting.place(wager, remedy)}>
            {terminal("place", { cents: dollars(remedy) })}
          </button>
        )}
      </>,
      true,
    );
  }
  const asked = askedOf(view);
  const over = view.outcome !== null && view.phase !== "OPEN";
  if (told !== null && asked === null && !(over && isEarlier(told, view))) return <Told of={told} small />;
  if (asked !== null) {
    return line(
      <>
        <Icon name="hand" size="small" />
        <span>{say(`asked.${asked}`)}</span>
        <Link class="btn primary small end" to={`/table/${name}`}>
          {say("answerButton")}
        </Link>
      </>,
      true,
    );
  }
  if (view.outcome !== null && over) {
    return line(
      <>
        <SideDisc side={view.outcome.winner} />
        <span>{resultWords(view.outcome)}</span>
        <OwnMoney />
      </>,
    );
  }
  if (dealt(view)) return line(<><HandsLine /><OwnMoney /></>);
  const last = view.results.findLast((result) => !result.void && result.winner !== null);
  return line(
    <>
      {last?.winner != null && last.player !== null && last.banker !== null ? (
        <>
          <SideDisc side={last.winner} />
          <span>{say("lastWas", { result: shortResult({ winner: last.winner, player: last.player, banker: last.banker }) })}</span>
        </>
      ) : (
        <span>{tables("noResult")}</span>
      )}
      <OwnMoney />
    </>,
  );
}

/** What was put right in this round, under whatever else is said. */
function PutRight(props: { inHand: boolean }) {
  const { mended } = useHere().view;
  if (mended === null) return null;
  return (
    <p class="put" role={props.inHand ? "status" : undefined}>
      {mendedWords(mended)} {mended.clause !== null && <span class="cite">{mended.clause}</span>}
    </p>
  );
}

/** What bars from play, or an own limit that is near or reached, holds for all tables: the one in hand says it. */
function OwnLimit() {
  const { name, betting } = useHere();
  const barred = barredFromEntering(betting.left.value);
  useNearHeard();
  useBarredHeard(barred);
  const near = useNear();
  if (barred !== null) return <BarredNote barred={barred} table={name} />;
  return near === null ? null : <NearNote near={near} />;
}

function Head(props: { onUnpin: () => void }) {
  const { name, view, own } = useHere();
  const left = secondsUntil(view.closes_at);
  const state = stateOf(view, left);
  const span = view.opened != null && view.closes_at != null ? (Date.parse(view.closes_at) - Date.parse(view.opened)) / 1000 : 0;
  const { rules } = view;
  const title = rules === null ? name : gameTitle(rules);
  const facts = rules === null ? [] : [tables(isLive(rules) ? "live" : "electronic"), rules.method == null ? "" : tables("method", { method: rules.method }), own.seat === null ? "" : terminal("position", { seat: own.seat })];
  return (
    <header>
      {rules !== null && <span class="no">{tableMark({ name, rulebook: rules.rulebook })}</span>}
      <h2>
        <Link to={`/table/${name}`}>{title}</Link>
        <span>{facts.filter(Boolean).join(" · ")}</span>
      </h2>
      <span class="st" id={stateId(name)}>{tables(state === "waiting" && view.outcome !== null ? "settled" : callOf(state))}</span>
      {(state === "open" || state === "last") && left !== null && (
        <span class="cd2">
          <Ring until={view.closes_at} of={span} />
        </span>
      )}
      <button class="iconbtn" aria-label={say("unpin", { table: title })} onClick={props.onUnpin}>
        <Icon name="clear" size="small" />
      </button>
    </header>
  );
}

/** A table that has not answered yet, or is not there any more: it can be taken away. */
export function Asked(props: { name: string; onUnpin: () => void }) {
  return (
    <article class="mk" aria-label={say("tableOf", { table: props.name })}>
      <header>
        <h2>
          {props.name}
          <span>{say("asking")}</span>
        </h2>
        <button class="iconbtn" aria-label={say("unpin", { table: props.name })} onClick={props.onUnpin}>
          <Icon name="clear" size="small" />
        </button>
      </header>
    </article>
  );
}

/** The way to a seat; to the table alone for whoever may take none. */
function Seatless() {
  const { name, view, betting } = useHere();
  if (barredFromEntering(betting.left.value) === null) {
    return (
      <Link class="btn second sit" to={`/table/${name}`} label={say("seat")}>
        {say("sit")}
      </Link>
    );
  }
  return (
    <Link class="btn sit" to={`/table/${name}`} label={lobby("watchAt", { table: view.rules === null ? name : gameTitle(view.rules) })}>
      {lobby("watch")}
    </Link>
  );
}

interface Props {
  inHand: boolean;
  sideOpen: boolean;
  onHand: () => void;
  onUnpin: () => void;
  /** How many tables share the window. */
  count: number;
}

/** So many columns of the big road fit: few tables have larger cells. */
const COLUMNS: Record<number, number> = { 1: 28, 2: 20 };
const COLUMNS_MANY = 40;
const COLUMNS_PHONE = 20;

export function PinnedTable(props: Props) {
  const here = useHere();
  const { name, view, own } = here;
  const roads = useRoads(view);
  const layout = layoutOf(view.rules?.wagers ?? [], isLive(view.rules));
  const narrow = useMedia("(max-width: 640px)");
  const asks = askedOf(view) !== null;
  useClosingShown(name, view);
  // Whoever only passes with Tab, on the way to the foot, keeps the table in hand that the foot is of.
  const taken = ({ key }: KeyboardEvent): void => {
    if (key.startsWith("Arrow") || key === "Delete") props.onHand();
  };
  const classes = ["mk", props.inHand ? "on" : "", asks ? "asks" : "", connection.value === "live" ? "" : "stale"];
  return (
    <article
      class={classes.filter(Boolean).join(" ")}
      aria-label={say("tableOf", { table: view.rules === null ? name : gameTitle(view.rules) })}
      aria-current={props.inHand}
      data-table={name}
      onPointerDownCapture={props.onHand}
      onClickCapture={props.onHand}
      onKeyUp={taken}
    >
      <Head onUnpin={props.onUnpin} />
      <div id={messageId(name)}>
        <StatusLine inHand={props.inHand} />
        <PutRight inHand={props.inHand} />
        <Closing heard={props.inHand} />
        {props.inHand && <OwnLimit />}
      </div>
      {props.sideOpen ? (
        <div class="rr sides" role="group" aria-label={say("side")} aria-describedby={stopId(here)}>
          {layout.upper.map((spot) => (
            <MainSpot key={spot.wager.slug} spot={spot} />
          ))}
        </div>
      ) : (
        <div class="rr">
          <Road roads={roads} kind="big" columns={narrow ? COLUMNS_PHONE : (COLUMNS[props.count] ?? COLUMNS_MANY)} cell={narrow || COLUMNS[props.count] === undefined ? 15 : 27} />
        </div>
      )}
      <div class="msp" role="group" aria-label={terminal("spots")} aria-describedby={stopId(here)}>
        {view.own !== undefined && own.seat === null && own.stakes.length === 0 ? (
          <Seatless />
        ) : (
          layout.lower.map((spot) => <MainSpot key={spot.wager.slug} spot={spot} />)
        )}
      </div>
    </article>
  );
}
