/** Choose a position and bring credit to it. */
import { currency } from "../../app/session";
import { useSignal } from "@preact/signals";
import { give, Refused } from "../../api/http";
import type { Problem, Schemas, WagerShown } from "../../api/types";
import { listed, told } from "../../i18n/lists";
import { centsOf, dollars, money, range } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import { say as common } from "../../i18n/common";
import { BarredNote } from "../../parts/BarredNote";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { nextRegion } from "../../parts/regions";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { secondsUntil } from "../../state/clock";
import { opening, values } from "../../state/may";
import { useMine } from "../../state/table";
import { useSheetKeys } from "./betkeys";
import { barredFromEntering } from "./model/left";
import { isLive } from "./model/spots";
import { notBrought } from "./bringing";
import { openSheet, useHere } from "./table";
import { Top } from "./Top";
import { say } from "./words";

const SEATS_EVERY_MS = 5_000;

/** Counter-clockwise around the table, the Dealer above. */
function placeOf(position: number, positions: number): { left: string; top: string } {
  const turn = positions === 1 ? Math.PI / 2 : (Math.PI * (position - 1)) / (positions - 1);
  return { left: `${50 + 38 * Math.cos(turn)}%`, top: `${24 + 67 * Math.sin(turn)}%` };
}

function stateWord(free: boolean, chosen: boolean, patrons: number): string {
  if (chosen) return say("chosen");
  if (!free) return say("taken");
  return patrons > 0 ? say("patronsHere", { count: patrons }) : say("free");
}

function Positions(props: { free: readonly number[]; chosen: number | null; onChoose: (position: number) => void }) {
  const { name, view } = useHere();
  const live = isLive(view.rules);
  const positions = view.rules?.positions ?? 0;
  const [seats] = useLoaded<Schemas["SeatsOfTable"]>(`/tables/${name}/seats`, SEATS_EVERY_MS);
  const patrons = (position: number): number => seats.value.value?.positions.find((one) => one.position === position)?.patrons ?? 0;
  return (
    <div class={live ? "map" : "map many"} role="radiogroup" aria-label={say("choosePosition")}>
      {live && (
        <svg viewBox="0 0 860 560" preserveAspectRatio="none" aria-hidden="true">
          <g fill="none" class="edge">
            <path d="M70 40C70 380 230 470 430 470C630 470 790 380 790 40" vector-effect="non-scaling-stroke" />
            <path d="M150 40C150 320 270 396 430 396C590 396 710 320 710 40" vector-effect="non-scaling-stroke" />
            <path d="M370 40H490V64C490 84 370 84 370 64Z" vector-effect="non-scaling-stroke" />
          </g>
        </svg>
      )}
      {live && <span class="at">{say("dealer")}</span>}
      {Array.from({ length: positions }, (_, i) => i + 1).map((position) => {
        const free = props.free.includes(position);
        const state = stateWord(free, position === props.chosen, patrons(position));
        return (
          <button
            key={position}
            class="pos"
            role="radio"
            aria-checked={position === props.chosen}
            aria-label={say("positionLabel", { position, state })}
            disabled={!free}
            aria-describedby={free ? undefined : `position-${position}`}
            style={live ? placeOf(position, positions) : {}}
            onClick={() => props.onChoose(position)}
          >
            <b>{position}</b>
            <span id={`position-${position}`}>{state}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Wagers with the same limits in one line, Player first as on the felt. */
function limitsOf(wagers: readonly WagerShown[]): [string, string][] {
  const lines = new Map<string, string[]>();
  const first = (wager: WagerShown): number => (wager.slug === "player" ? 0 : 1);
  for (const wager of [...wagers].sort((a, b) => first(a) - first(b))) {
    const limits = range(wager.minimum_cents, wager.maximum_cents);
    lines.set(limits, [...(lines.get(limits) ?? []), wagerName(wager.slug, wager.name)]);
  }
  return [...lines].map(([limits, names]) => [listed(names), limits]);
}

function Facts() {
  const { view } = useHere();
  const wagers = view.rules?.wagers ?? [];
  const steps = [...new Set(wagers.map((wager) => dollars(wager.step_cents)))].join(" · ");
  return (
    <dl class="facts">
      {limitsOf(wagers).map(([names, limits]) => (
        <>
          <dt>{names}</dt>
          <dd>{limits}</dd>
        </>
      ))}
      <dt>{say("steps")}</dt>
      <dd>{steps}</dd>
    </dl>
  );
}

/** Amounts one tap away: fifty, a hundred and two hundred times the minimum of Player. */
export function quickAmounts(wagers: readonly WagerShown[]): number[] {
  const least = wagers.find((wager) => wager.slug === "player")?.minimum_cents ?? 1_000;
  return [50, 100, 200].map((times) => times * least);
}

export function Amount(props: { label: string; help: string; text: string; quick: readonly number[]; most: number; bad?: boolean; onText: (text: string) => void }) {
  return (
    <>
      <label class="fld">
        {props.label}
        <small>{props.help}</small>
        <input class="in num" inputMode="decimal" value={props.text} aria-invalid={props.bad ?? false} onInput={(event) => props.onText(event.currentTarget.value)} />
      </label>
      <div class="amts">
        {props.quick
          .filter((cents) => cents <= props.most)
          .map((cents) => (
            <button key={cents} class="btn" aria-pressed={centsOf(props.text) === cents} onClick={() => props.onText(money(cents))}>
              {dollars(cents)}
            </button>
          ))}
        <button class="btn" aria-pressed={centsOf(props.text) === props.most} onClick={() => props.onText(money(props.most))}>
          {say("all")}
        </button>
      </div>
    </>
  );
}

function useSitting() {
  const { name } = useHere();
  const sending = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const sit = async (position: number, cents: number): Promise<void> => {
    sending.value = true;
    problem.value = null;
    notBrought.value = null;
    let seated = false;
    try {
      await give(name, { type: "take_seat", position });
      seated = true;
      if (cents > 0) await give("cage", { type: "send_to_table", table: name, cents });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Whoever sits sees the felt by now: the reason stands where money is brought.
      if (seated) {
        notBrought.value = { table: name, problem: error.problem };
        openSheet(name, "wallet");
      } else problem.value = error.problem;
    } finally {
      sending.value = false;
    }
  };
  return { sending, problem, sit };
}

/** Where a position is: beside the Dealer at either end, else between two others. */
function placeWords(position: number, positions: number): string {
  const [before, after] = [position - 1, position + 1];
  if (before < 1 || after > positions) return told(say("counterClockwise"), say("besideDealer"));
  return told(say("counterClockwise"), say("betweenPositions", { before, after }));
}

function Bring(props: { position: number }) {
  const { name, view } = useHere();
  const mine = useMine();
  const wallet = mine.value?.view.wallet?.cents ?? 0;
  const quick = quickAmounts(view.rules?.wagers ?? []);
  const written = useSignal<string | null>(null);
  const text = written.value ?? money(Math.min(wallet, quick[1] ?? wallet));
  const { sending, problem, sit } = useSitting();
  const cents = text.trim() === "" ? 0 : centsOf(text);
  const wrong = cents === null ? say("badAmount") : cents > wallet ? say("aboveWallet", { cents: money(cents), limit: money(wallet) }) : null;
  const barred = barredFromEntering(mine.value?.view.left ?? null);
  const left = view.phase === "OPEN" ? secondsUntil(view.closes_at) : null;
  return (
    <>
      <div>
        <h2 class="h2">{say("positionTitle", { position: props.position })}</h2>
        {isLive(view.rules) && <p class="sm muted">{placeWords(props.position, view.rules?.positions ?? 0)}</p>}
      </div>
      <Facts />
      <Amount
        label={say("bring", { currency: currency() })}
        help={say("inWallet", { cents: money(wallet) })}
        text={text}
        quick={quick}
        most={wallet}
        onText={(next) => void (written.value = next)}
      />
      {wrong !== null && (
        <p class="err" role="alert" id="bring-wrong">
          {wrong}
        </p>
      )}
      <div class="tip">
        <Icon name="info" />
        <div>{left === null ? say("sitAnyTime") : say("openFor", { seconds: left })}</div>
      </div>
      <Trouble problem={problem.value} />
      {barred !== null && <BarredNote barred={barred} table={name} id="bring-barred" />}
      <button class="btn primary tall wide take" disabled={sending.value || wrong !== null || barred !== null} aria-describedby="bring-wrong bring-barred" onClick={() => void sit(props.position, cents ?? 0)}>
        {say("takePosition", { position: props.position })}
      </button>
    </>
  );
}

export function Seat() {
  const { view, own } = useHere();
  useKeys({ ...useSheetKeys(), F6: { does: common("keyRegions"), press: () => nextRegion() } });
  const open = opening(own.may, "take_seat");
  const free = values(open, "position") as number[];
  const chosen = useSignal<number | null>(null);
  const position = chosen.value !== null && free.includes(chosen.value) ? chosen.value : (free.find((one) => !view.seats.includes(one)) ?? free[0] ?? null);
  const perArea = view.rules?.wagers_per_area ?? null;
  return (
    <div class="term sit" data-phase={view.phase}>
      <Top />
      <main class="felt2" data-region aria-label={say("choosePosition")}>
        <div>
          <h2 class="h1">{say("choosePosition")}</h2>
          <p class="sm intro">{perArea !== null ? say("perArea", { count: perArea }) : say(isLive(view.rules) ? "positionIntro" : "terminalIntro")} {open?.clause != null && <span class="cite">{open.clause}</span>}</p>
        </div>
        <Positions free={free} chosen={position} onChoose={(one) => void (chosen.value = one)} />
      </main>
      <aside class="bringing" data-region aria-label={say("bring", { currency: currency() })}>
        {position === null ? <p class="muted">{open === undefined ? say("notOpen") : say("noSeat")}</p> : <Bring position={position} />}
      </aside>
    </div>
  );
}
