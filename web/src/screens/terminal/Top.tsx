/** The bar above: table, state line with the countdown of the house, clock, and ways to sheets. */
import { currency } from "../../app/session";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../../app/router";
import { somebody } from "../../app/session";
import { mark } from "../../draw/house";
import { Svg } from "../../draw/Svg";
import { say as calls } from "../../i18n/calls";
import { say as common } from "../../i18n/common";
import { clock } from "../../i18n/money";
import { tableWords } from "../../i18n/tables";
import { gameTitle } from "../../i18n/names";
import { announce } from "../../parts/announce";
import { Icon, type IconName } from "../../parts/Icon";
import { Ring } from "../../parts/Ring";
import { SettingsButton } from "../../parts/Settings";
import { useCall } from "../../state/calls";
import { now, secondsUntil } from "../../state/clock";
import { set, settings } from "../../state/settings";
import { isLive } from "./model/spots";
import { usePlayed } from "./played";
import { LAST_BETS, openSheet, stateOf, useHere, type State } from "./table";
import { stateId } from "./slipacts";
import { say } from "./words";

const ICONS: Partial<Record<State, IconName>> = { oneMoment: "pause", reconnecting: "clock", noMoreBets: "lock", notOpen: "lock" };
const TOLD_AT = [10, 5];

/** The seconds of this betting period, so that the ring is full when it begins. */
function betting(opened: string | null, until: string | null): number {
  return opened === null || until === null ? 1 : Math.max(1, Math.round((Date.parse(until) - Date.parse(opened)) / 1000));
}

export function useAnnounced(state: State, left: number | null): void {
  const said = useRef<string>("");
  useEffect(() => announce(say(state)), [state]);
  useEffect(() => {
    // What was said of one round is said of the next one too.
    if (state !== "openBets") said.current = "";
    if (state !== "openBets" || left === null || !TOLD_AT.includes(left)) return;
    const seconds = common("seconds", { n: left });
    const text = left === LAST_BETS ? `${say("lastBets")}, ${seconds}` : seconds;
    if (said.current !== text) announce(text);
    said.current = text;
  }, [state, left]);
}

function StateLine() {
  const { name, view } = useHere();
  const state = stateOf(view);
  const left = state === "openBets" ? secondsUntil(view.closes_at) : null;
  useAnnounced(state, left);
  const icon = ICONS[state];
  const last = left !== null && left <= LAST_BETS;
  return (
    <div class={state === "openBets" ? "call" : "call closed"} role="status" aria-live="off">
      {left !== null && <Ring until={view.closes_at} of={betting(view.opened, view.closes_at)} />}
      {icon !== undefined && (
        <span class="lock">
          <Icon name={icon} />
        </span>
      )}
      <strong id={stateId(name)} data-state={state}>
        {say(state)}
        {last && <small class="last">{say("lastBets")}</small>}
      </strong>
    </div>
  );
}

/** `optional`, `wide`: below 1001 px, on a phone, it is in the menu alone. */
function ToSheet(props: { sheet: string; icon: IconName; label: string; optional?: boolean; wide?: boolean }) {
  const { name, sheet } = useHere();
  const on = sheet === props.sheet;
  return (
    <button
      class={["iconbtn", props.optional ? "opt" : "", props.wide ? "wide" : ""].filter(Boolean).join(" ")}
      aria-label={props.label}
      aria-expanded={on}
      onClick={() => openSheet(name, on ? null : props.sheet)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** The bell says in its name and by its dot what became of the call. */
function Bell() {
  const { name, sheet } = useHere();
  const state = useCall(name).state;
  const label = state === "none" ? calls("call") : `${calls("call")}: ${calls(state === "called" ? "calledShort" : "seenShort")}`;
  useEffect(() => {
    if (state === "seen") announce(calls("seenShort"));
  }, [state]);
  return (
    <button class="iconbtn bell" data-call={state} aria-label={label} aria-expanded={sheet === "attendant"} onClick={() => openSheet(name, sheet === "attendant" ? null : "attendant")}>
      <Icon name="bell" />
    </button>
  );
}

/** Sound is off at first; here it is switched without a dialog. */
function Sound() {
  const { sound } = settings.value;
  return (
    <button class="iconbtn opt" aria-label={common("sound")} aria-pressed={sound} onClick={() => set("sound", !sound)}>
      <Icon name={sound ? "sound" : "mute"} />
    </button>
  );
}

function Clock() {
  const { name, sheet, view } = useHere();
  const played = usePlayed(String(view.results.length));
  return (
    <button class="clock" onClick={() => openSheet(name, sheet === "time" ? null : "time")}>
      <b>{clock(now.value)}</b>
      <i class="sr">{say("timeButton")}</i>
      {played !== null && <span>{say("played", { time: played })}</span>}
    </button>
  );
}

export function Top() {
  const { name, view, own } = useHere();
  const rules = view.rules;
  const live = isLive(rules);
  const title = rules === null ? tableWords(name) : say("title", { game: gameTitle(rules), table: tableWords(name) });
  const facts = rules === null
    ? []
    : [
        ...(own.seat === null ? [] : [say(live ? "positionN" : "terminalNo", { seat: own.seat })]),
        say(live ? "live" : "electronic"),
        ...(rules.method === null ? [] : [say("method", { method: rules.method })]),
      ];
  // A phone has no room for these; the sheet of pays says them too.
  const more = rules === null ? [] : [say("version", { rulebook: rules.rulebook, version: rules.version }), currency()];
  return (
    <header class="top" aria-label={title} data-region>
      <div class="l">
        <button class="brand iconbtn" aria-label={say("toTables")} onClick={() => go("/lobby")}>
          <i>
            <Svg of={mark()} label="" />
          </i>
        </button>
        <div class="title">
          <h1>{title}</h1>
          <span>
            {facts.join(" · ")}
            {more.length > 0 && <i class="more"> · {more.join(" · ")}</i>}
          </span>
        </div>
      </div>
      <StateLine />
      <div class="r">
        <Clock />
        <ToSheet sheet="history" icon="list" label={say("rounds")} optional />
        <ToSheet sheet="wallet" icon="cash" label={say("moneyButton")} optional />
        <SettingsButton />
        <Sound />
        {somebody.value?.kind === "patron" && <Bell />}
        <ToSheet sheet="pays" icon="help" label={say("helpButton")} wide />
        <ToSheet sheet="menu" icon="grid" label={say("menu")} />
      </div>
    </header>
  );
}
