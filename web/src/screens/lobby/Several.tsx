/**
 * Up to four tables at once, each with its own bets. One table is in hand: chips, money and the
 * one Confirm belong to it and name it. A table that needs an answer comes first.
 */
import "./several.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { connection } from "../../api/live";
import { say as common } from "../../i18n/common";
import { say as tables } from "../../i18n/tables";
import { gameTitle } from "../../i18n/names";
import { announce } from "../../parts/announce";
import { BarredNote, useBarredHeard } from "../../parts/BarredNote";
import { AttendantBell } from "../../parts/AttendantBell";
import { Icon } from "../../parts/Icon";
import { KeysButton } from "../../parts/KeyList";
import { Link } from "../../parts/Link";
import { useKeys } from "../../parts/keys";
import { nextRegion } from "../../parts/regions";
import { SettingsButton } from "../../parts/Settings";
import { useTitle } from "../../parts/title";
import { secondsUntil } from "../../state/clock";
import { useMine } from "../../state/table";
import { stateOf } from "../../state/tables";
import { useBetKeys } from "../terminal/betkeys";
import { askedOf, NOBODY } from "../terminal/model/asked";
import { barredFromEntering, type Left } from "../terminal/model/left";
import { type Round, useLastStakes, useRounds } from "../terminal/rounds";
import { HereProvider, useHere } from "../terminal/table";
import { Brand, LostBar } from "./Bar";
import { ChooseTables } from "./ChooseTables";
import { byNeed, inHand, kept, PINS_MAX, started } from "./pins";
import { Asked, callOf, PinnedTable, shortName } from "./PinnedTable";
import { SeveralFoot } from "./SeveralFoot";
import { say } from "./saySeveral";
import { type Pinned, usePinned } from "./usePinned";

/** What the parts of a terminal need of a pinned table. */
function AtTable(props: { table: Pinned; rounds: Round[] | null; children: ComponentChildren; waiting?: ComponentChildren }) {
  const { name, topic, betting } = props.table;
  const view = topic.value?.view;
  if (view === undefined) return <>{props.waiting}</>;
  return <HereProvider value={{ name, view, own: view.own ?? NOBODY, betting, rounds: props.rounds, sheet: null }}>{props.children}</HereProvider>;
}

/** It changes when one more round of a table is over. */
const over = ({ name, topic }: Pinned): string => `${name} ${topic.value?.view.results.at(-1)?.round ?? 0} ${topic.value?.view.own?.lines.length ?? 0}`;

const asks = (table: Pinned | undefined): boolean => table?.topic.value != null && askedOf(table.topic.value.view) !== null;

function tabWord(table: Pinned): string {
  const view = table.topic.value?.view;
  if (view === undefined) return "…";
  if (askedOf(view) !== null) return say("answerTab");
  const left = secondsUntil(view.closes_at);
  const state = stateOf(view, left);
  if (state === "open" || state === "last") return left === null ? "" : say("seconds", { n: left });
  if (state === "held") return say("heldTab");
  return say(state === "settled" || state === "waiting" || state === "void" ? "settledTab" : "closedTab");
}

function Tabs(props: { tables: readonly Pinned[]; hand: string; onHand: (name: string) => void }) {
  const names = props.tables.map(({ name }) => name);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(props.hand) + by + names.length) % names.length];
    if (next === undefined) return;
    props.onHand(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="mtabs" role="tablist" aria-label={say("tabs")} onKeyDown={step}>
      {props.tables.map((table) => (
        <button
          key={table.name}
          id={`tab-${table.name}`}
          role="tab"
          aria-selected={table.name === props.hand}
          tabIndex={table.name === props.hand ? 0 : -1}
          onClick={() => props.onHand(table.name)}
        >
          <b>{shortName(table)}</b>
          <span class={asks(table) ? "al2" : ""}>{tabWord(table)}</span>
        </button>
      ))}
    </div>
  );
}

/** Of the table in hand a screen reader hears the calls: open, last bets, closed, settled. */
function useSpoken(): void {
  const { name, view } = useHere();
  const state = stateOf(view, secondsUntil(view.closes_at));
  const title = view.rules === null ? name : gameTitle(view.rules);
  useEffect(() => announce(`${title}. ${tables(callOf(state))}`), [title, callOf(state)]);
}

/** Keys act on the table in hand. */
function InHand(props: { sideOpen: boolean; onSide: (open: boolean) => void }) {
  const { name } = useHere();
  const { sideOpen, onSide } = props;
  useSpoken();
  useKeys({
    ...useBetKeys(),
    s: { does: say("side"), press: () => onSide(!sideOpen) },
    Escape: { does: common("keyEscape"), press: () => (sideOpen ? onSide(false) : false) },
  });
  useSideFocus(name, sideOpen);
  return null;
}

/** The focus goes to the side wagers when they open, and to Player when they close under it: keys would lead to another table. */
function useSideFocus(name: string, open: boolean): void {
  const before = useRef({ name, open });
  useEffect(() => {
    const was = before.current;
    before.current = { name, open };
    if (was.name !== name || was.open === open) return;
    if (!open && document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`[data-table="${CSS.escape(name)}"] ${open ? ".sides" : ".msp"} [data-wager]`)?.focus();
  }, [name, open]);
}

/** What was staked last is known again after a reload. */
function Remembered() {
  const { name, betting, rounds } = useHere();
  useLastStakes(name, betting, rounds);
  return null;
}

/** "Four tables". */
const titleOf = (count: number): string => (count >= 1 && count <= PINS_MAX ? say(`title_${count as 1 | 2 | 3 | 4}`) : say("titleNone"));

function Empty(props: { left: Left | null; onChoose: () => void }) {
  const barred = barredFromEntering(props.left);
  useBarredHeard(barred);
  return (
    <main class="waiting">
      <div class="stack16">
        <p class="h2">{say("none")}</p>
        <p>{say("noneLead")}</p>
        {barred !== null && <BarredNote barred={barred} table={null} />}
        <button class="btn primary" onClick={props.onChoose}>
          {say("choose")}
        </button>
      </div>
    </main>
  );
}

export default function Several() {
  const pins = usePinned();
  const mine = useMine().value?.view;
  const wallet = mine?.wallet ?? null;
  const choosing = useSignal(false);
  const chosen = useSignal<string | null>(null);
  const side = useSignal(false);
  const pinned = pins.tables.value;
  const rounds = useRounds(pinned.map(over).join());
  useKeys({ F6: { does: common("keyRegions"), press: () => nextRegion() } });
  useTitle(titleOf(pinned.length));
  useEffect(() => {
    const seated = wallet?.seats.map(({ table }) => table) ?? [];
    if (kept().length === 0 && pins.tables.peek().length === 0 && seated.length > 0) pins.start(started([], seated));
  }, [wallet === null]);
  const needs = (name: string): boolean => asks(pinned.find((one) => one.name === name));
  const order = byNeed(pinned.map(({ name }) => name), needs);
  const shown = order.flatMap((name) => pinned.find((one) => one.name === name) ?? []);
  const name = inHand(order, chosen.value);
  const hand = shown.find((one) => one.name === name) ?? null;
  const take = (wanted: string): void => {
    if (wanted === chosen.peek()) return;
    chosen.value = wanted;
    side.value = false;
  };
  return (
    <div class="mt" data-count={pinned.length}>
      <header class="bar" data-region>
        <Brand name={titleOf(pinned.length)} heading />
        <div class="who">
          <button class="btn quiet" aria-haspopup="dialog" onClick={() => void (choosing.value = true)}>
            <Icon name="pin" size="small" />
            {say("choose")}
          </button>
          <Link class="iconbtn" to="/lobby" label={say("all")}>
            <Icon name="grid" />
          </Link>
          <AttendantBell table={name} />
          <KeysButton />
          <SettingsButton />
        </div>
      </header>
      {connection.value === "lost" && <LostBar time={hand?.topic.value?.time ?? null} />}
      {hand === null ? (
        <Empty left={mine?.left ?? null} onChoose={() => void (choosing.value = true)} />
      ) : (
        <>
          {shown.length > 1 && <Tabs tables={shown} hand={hand.name} onHand={take} />}
          <main class="mgrid" data-region>
            {shown.map((table) => (
              <AtTable key={table.name} table={table} rounds={rounds} waiting={<Asked name={table.name} onUnpin={() => pins.toggle(table.name)} />}>
                <Remembered />
                <PinnedTable
                  inHand={table.name === hand.name}
                  count={pinned.length}
                  sideOpen={side.value && table.name === hand.name}
                  onHand={() => take(table.name)}
                  onUnpin={() => pins.toggle(table.name)}
                />
              </AtTable>
            ))}
          </main>
          <AtTable table={hand} rounds={rounds}>
            <InHand sideOpen={side.value} onSide={(open) => void (side.value = open)} />
            <SeveralFoot all={pinned} sideOpen={side.value} onSide={() => void (side.value = !side.value)} />
          </AtTable>
        </>
      )}
      {choosing.value && <ChooseTables pins={pins} onBack={() => void (choosing.value = false)} />}
    </div>
  );
}
