/** The bet spots of the game: each is one button with its odds, limits, stack and state. */
import { useRef } from "preact/hooks";
import { connection } from "../../api/live";
import type { WagerShown } from "../../api/types";
import { stack } from "../../draw/chips";
import { Svg } from "../../draw/Svg";
import { dollars, money, range, signed } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import { Icon } from "../../parts/Icon";
import { SideDisc } from "../../parts/HandCards";
import { settings } from "../../state/settings";
import { sharesOf, type Share } from "./model/bettors";
import { settledOf, type Settled } from "./model/outcome";
import { isLive, layoutOf, THREE_IN_A_ROW, totalOf, type Spot } from "./model/spots";
import { preferences } from "./preferences";
import { stopId } from "./slipacts";
import { betsOpen, isDown, openSheet, useHere } from "./table";
import { nameOf, payWords, say } from "./words";
import { oddsName, rowName } from "../../i18n/rows";

type SpotState = "idle" | "accepted" | "unsent" | "sending" | "unknown" | "refused" | "wins" | "loses" | "pushes" | "void";

interface Shown {
  state: SpotState;
  /** What lies there, and what the pill says. */
  cents: number;
  pill: string;
  settled: Settled | null;
  /** A refused spot on which something lies that was not sent. */
  waits?: boolean;
}

export const CLASSES: Partial<Record<SpotState, string>> = {
  unsent: "pending",
  sending: "pending",
  unknown: "unknown",
  refused: "refused",
  wins: "win",
  loses: "lose",
  pushes: "push",
  void: "void",
};

/** What a spot shows: the settlement after it, before it what is accepted, wanted and refused. */
export function useShown(wager: WagerShown): Shown {
  const { view, own, betting } = useHere();
  const { slug } = wager;
  const settled = settledOf(own.lines)[slug] ?? null;
  const over = view.phase === "SETTLED" || view.phase === "IDLE";
  const idle: Shown = { state: "idle", cents: 0, pill: "", settled: null };
  if (view.phase === "VOID") {
    const back = betting.staked.value[slug] ?? 0;
    return back === 0 ? idle : { state: "void", cents: back, pill: say("back", { cents: money(back) }), settled: null };
  }
  if (settled !== null && over) {
    const { result, net, staked } = settled;
    const pill = result === "pushes" ? say("back", { cents: money(staked) }) : signed(net);
    return { state: result, cents: staked, pill, settled };
  }
  const wanted = betting.wanted.value[slug] ?? 0;
  const accepted = betting.accepted.value[slug] ?? 0;
  if (betting.refused.value[slug] !== undefined) {
    // What was sent and refused is not on the felt; what was not sent, or accepted before, stays.
    return { state: "refused", cents: wanted, pill: wanted > 0 ? dollars(wanted) : say("Refused"), settled: null, waits: wanted !== accepted };
  }
  if (betting.sending.value[slug] !== undefined) {
    const lost = connection.value !== "live";
    return { state: lost ? "unknown" : "sending", cents: wanted, pill: lost ? say("Unknown") : dollars(wanted), settled: null };
  }
  if (wanted !== accepted) return { state: "unsent", cents: wanted, pill: dollars(wanted), settled: null };
  return accepted === 0 ? idle : { state: "accepted", cents: accepted, pill: dollars(accepted), settled: null };
}

/** The state of a stake in a word, for who does not see the pill. */
function stateWord({ state, waits }: Shown): string {
  if (waits) return `${say("refusedState")}, ${say("unsentState")}`;
  if (state === "accepted" || state === "sending") return say(state);
  return state === "unsent" || state === "unknown" || state === "refused" ? say(`${state}State`) : "";
}

/** A spot in words, where its own text is cut short. */
export function labelOf(name: string, wager: WagerShown, pays: string, shown: Shown): string {
  const { cents, pill } = shown;
  const limits = range(wager.minimum_cents, wager.maximum_cents);
  const mine = cents > 0 ? `${say("stakeLabel")} ${money(cents)}` : "";
  return `${name}${say("payLabel")} ${pays}${say("limitsLabel")} ${limits}${mine} ${pill} ${stateWord(shown)}`.trim();
}

const LONG_PRESS_MS = 600;
/** So many signs of limits and amount, as large as text is at first, fit beside each other; more stand below each other. */
const ROOM = 19;
/** The same on Player and Banker where they are wide. */
const ROOM_WIDE = 24;

/** The width of a name in its own size of text: signs of Chinese are square, those of Tamil wide. */
const emOf = (name: string): number => [...name].reduce((all, sign) => all + (sign > "\u2e80" ? 1 : sign > "\u0b80" ? 0.75 : 0.53), 0);
/** What fits in one line of a side spot: of a felt beside the roads, by columns, and of a phone. */
const roomFor = (span: number): number => 1.03 * span - 2.2;
const phoneRoomFor = (span: number): number => (span === THREE_IN_A_ROW ? 7 : 11.6);

/** Where one name of a row takes two lines, all do: odds beside each other stand level. */
function tallNames(upper: readonly Spot[]): { tall: boolean; phone: (span: number) => boolean } {
  const larger = settings.value.size / 100;
  const wide = ({ wager }: Spot, room: number): boolean => emOf(wagerName(wager.slug, wager.name)) * larger > room;
  return {
    tall: upper.some((spot) => wide(spot, roomFor(spot.span))),
    phone: (span) => upper.some((spot) => spot.phoneSpan === span && wide(spot, phoneRoomFor(span))),
  };
}

/** Press adds the chip; a long press, or Delete, clears the spot. */
export function usePress(spot: Spot, able: boolean) {
  const { name, view, betting } = useHere();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const long = useRef(false);
  const { slug } = spot.wager;
  const stop = (): void => clearTimeout(timer.current);
  return {
    onPointerDown: () => {
      long.current = false;
      stop();
      timer.current = setTimeout(() => {
        long.current = true;
        betting.clearSpot(slug);
      }, LONG_PRESS_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onContextMenu: (event: Event) => event.preventDefault(),
    onClick: () => {
      if (long.current) return void (long.current = false);
      const { chip } = preferences.peek();
      if (able && areaFull(view, spot.wager)) openSheet(name, "shared");
      else if (able && chip !== null) betting.tap(spot.wager, chip);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Delete" || event.key === "Backspace") betting.clearSpot(slug);
      else if (event.key.startsWith("Arrow")) step(event);
    },
  };
}

/** At the own position no further wager fits, but a stake may be joined. */
function areaFull(view: ReturnType<typeof useHere>["view"], wager: WagerShown): boolean {
  const { own, rules } = view;
  if (!own || own.seat === null || !isLive(rules) || own.stakes.some((stake) => stake.wager === wager.slug)) return false;
  const open = own.may.find((one) => one.command === "place_wager");
  const ways = open?.ways?.[0] ?? [];
  if (ways.length === 0) return false;
  const here = ways.some((way) => asList(way["wager"]).includes(wager.slug) && asList(way["position"]).includes(own.seat));
  return !here && ways.some((way) => asList(way["wager"]).includes(wager.slug));
}

const asList = (allowed: unknown): unknown[] => (Array.isArray(allowed) ? allowed : []);

/** Move between spots by their place on the felt; with several tables, from one to the next. */
function step(event: KeyboardEvent): void {
  const here = event.currentTarget as HTMLElement;
  const spots = [...(here.closest(".spots, .mgrid")?.querySelectorAll<HTMLElement>("[data-wager]") ?? [])].filter((one) => one.offsetParent !== null);
  const middle = (one: HTMLElement): [number, number] => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(here);
  const [wayX, wayY] = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0]) as [number, number];
  const reach = (one: HTMLElement): number => {
    const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
    const along = dx * wayX + dy * wayY;
    const aside = Math.abs(dx * wayY) + Math.abs(dy * wayX);
    return one === here || along <= 4 ? Infinity : along + 2 * aside;
  };
  const nearest = spots.reduce<HTMLElement | null>((best, one) => (reach(one) < (best === null ? Infinity : reach(best)) ? one : best), null);
  if (nearest === null) return;
  event.preventDefault();
  nearest.focus();
}

function Pill(props: { shown: Shown }) {
  const { state, cents, pill, waits } = props.shown;
  if (state === "idle") return null;
  return (
    <span class="stk">
      {cents > 0 && (
        <span class="st">
          <Svg of={stack(cents)} label="" />
        </span>
      )}
      {cents > 0 && <span class="sr">{say("stakeLabel")}</span>}
      <span class="amt">
        {(state === "accepted" || (state === "refused" && cents > 0 && !waits)) && <Icon name="check" />}
        {state === "sending" && <Icon name="clock" />}
        {pill}
      </span>
      <span class="sr">{stateWord(props.shown)}</span>
    </span>
  );
}

/** What stands after the result: the odds of a win; why a stake comes back. */
function paidBy({ row, pays, result }: Settled): string {
  if (result === "wins") return pays === null ? "" : oddsName(pays);
  if (result === "loses" || row === null) return "";
  const total = totalOf(row);
  if (total !== null) return say("withTotal", { total });
  return row === "Tie" ? say("onTie") : rowName(row);
}

function PayLine(props: { wager: WagerShown; shown: Shown; needs: string | null }) {
  const { view } = useHere();
  const { settled, state } = props.shown;
  if (state === "void") return <span class="pay"><b class="out">{say("returned")}</b></span>;
  if (settled !== null && state !== "idle") {
    return (
      <span class="pay">
        <b class="out">{say(settled.result)}</b>
        <span class="nowrap">{paidBy(settled)}</span>
      </span>
    );
  }
  const { usual, better } = payWords(props.wager, view.power);
  return (
    <span class="pay">
      {props.needs ?? usual}
      {better !== "" && <span class="up">{"\u00a0· "}{better}</span>}
    </span>
  );
}

/** A spot that needs another wager first says so. */
function needsOf(wager: WagerShown, wanted: Readonly<Record<string, number>>): string | null {
  const missing = wager.depends.find(({ main }) => (wanted[main] ?? 0) === 0);
  return missing === undefined ? null : missing.main;
}

function SpotButton(props: { spot: Spot; share: Share | undefined; area: string | null; names: ReturnType<typeof tallNames> }) {
  const { spot, share } = props;
  const { wager, main, side } = spot;
  const { view, betting } = useHere();
  const shown = useShown(wager);
  const able = betting.able.value;
  const main_ = betsOpen(view) ? needsOf(wager, betting.wanted.value) : null;
  const needs = main_ === null ? null : say("needsMain", { main: nameOf(view, main_) });
  const press = usePress(spot, able);
  const name = wagerName(wager.slug, wager.name);
  const letter = side === null ? "" : { player: "p", banker: "b", tie: "t" }[side];
  const limits = range(wager.minimum_cents, wager.maximum_cents);
  const length = shown.state === "idle" ? 0 : limits.length + shown.pill.length;
  const larger = settings.value.size / 100;
  const long = length * larger > ROOM;
  const narrow = !main && spot.phoneSpan === THREE_IN_A_ROW;
  const off = connection.value !== "live" || needs !== null || betting.barred.value !== null || isDown(view);
  const tall = { tall: !main && props.names.tall, ptall: !main && props.names.phone(spot.phoneSpan) };
  const room = { narrow, long, fits: long && length * larger <= ROOM_WIDE };
  const marks = { main, ...tall, ...room, pending: shown.waits, off };
  const classes = ["spot", letter, CLASSES[shown.state] ?? "", ...Object.entries(marks).map(([mark, on]) => (on ? mark : ""))];
  return (
    <button
      class={classes.filter(Boolean).join(" ")}
      style={props.area === null ? { "--w": spot.span, "--pw": spot.phoneSpan } : { gridArea: props.area }}
      aria-disabled={!able}
      data-wager={wager.slug}
      data-state={shown.state}
      {...press}
    >
      <span class="nm">
        {main && side !== null && <SideDisc side={side} />}
        <span>{name}</span>
      </span>
      <span class="sr">{say("payLabel")}</span>
      <PayLine wager={wager} shown={shown} needs={needs} />
      <span class="sr">{say("limitsLabel")}</span>
      <span class="lim">
        {share !== undefined && <em>{say(share.percent === 0 ? "betsFew" : "bets", { bets: share.bets, percent: share.percent })}</em>}
        {limits}
      </span>
      <Pill shown={shown} />
      {share !== undefined && (
        <span class="share">
          <b style={{ width: `${share.percent}%` }} />
        </span>
      )}
    </button>
  );
}

const AREAS: Record<string, string> = { player: "p", banker: "b", tie: "tie", "player-pair": "pp", "banker-pair": "bp" };

export function Spots() {
  const here = useHere();
  const { view } = here;
  const rules = view.rules;
  if (rules === null) return null;
  const layout = layoutOf(rules.wagers, isLive(rules));
  const shares = sharesOf(view.areas);
  const names = tallNames(layout.upper);
  const tall = layout.tallTie && [...layout.upper, ...layout.lower].every((spot) => spot.wager.slug in AREAS);
  const classes = ["spots", tall ? "lay-bac" : "lay-grid", betsOpen(view) ? "" : "closedspots"];
  return (
    <div class={classes.filter(Boolean).join(" ")} role="group" aria-label={say("spots")} aria-describedby={stopId(here)}>
      {[...layout.upper, ...layout.lower].map((spot) => (
        <SpotButton
          key={spot.wager.slug}
          spot={spot}
          share={shares[spot.wager.slug]}
          area={tall ? (AREAS[spot.wager.slug] ?? null) : null}
          names={names}
        />
      ))}
    </div>
  );
}
