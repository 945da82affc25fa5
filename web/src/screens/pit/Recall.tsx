/** Any finished round, step by step: how its time was spent, and the table as it was at each step. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RoundStep, StaffRound, StaffRoundInSteps } from "../../api/types";
import { go } from "../../app/router";
import { Svg } from "../../draw/Svg";
import { say as common } from "../../i18n/common";
import { eventName } from "../../i18n/events";
import { clock, count, day, money } from "../../i18n/money";
import { gameTitle, positionName, voidBrief } from "../../i18n/names";
import { resultWords } from "../../i18n/tables";
import { Card } from "../../parts/Card";
import { deckOfGame } from "../../parts/HandCards";
import { Icon, type IconName } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useMedia } from "../../parts/useMedia";
import { useLoaded } from "../../state/loaded";
import { tableMark } from "../../state/tables";
import { type Felt as FeltAt, feltsOf, handOf, pointsOf, spansOf, type TimeSpan } from "../../state/recall";
import { factValue } from "../audit/facts";
import { named as commandNamed } from "../dealer/say";
import { Felt } from "./Felt";
import { span } from "./floor";
import { Lines } from "./Lines";
import { detailOf, iconOf, recordOf, titleEvent } from "./recall";
import { Shell } from "./Shell";
import { named, say } from "./say";
import { timeline, WIDE } from "./timeline";
import { type PitState, tableOf, tableTitle } from "./usePit";

/** A table whose rounds are read, and where: in the pit, or in the audit. */
export interface Recalled {
  table: string;
  title: string;
  game: string | undefined;
  /** The address of its list of rounds; a round's has its number behind it. */
  at: string;
  /** Where the other tables are. */
  up: { to: string; name: string };
}

export function whoIs(who: RoundStep["by"] | null): string {
  if (who === null) return "";
  if (who.kind === "system") return say("system");
  return who.position === null ? (who.name ?? who.kind) : `${who.name ?? ""}, ${positionName(who.position)}`;
}

function stepTitle(step: RoundStep): string {
  if (!step.accepted) return say("refusedAct", { act: commandNamed("command", step.command.type) });
  const event = titleEvent(step);
  return event === null ? commandNamed("command", step.command.type) : eventName(event.name);
}

/** Somebody used a discretion in this step: by which act is told beside what came of it. */
const decided = (step: RoundStep): boolean => step.events.some(({ name }) => name === "decision_recorded");

const spanName = (one: TimeSpan): string => `${named("span", one.kind)} ${span(one.to - one.from)}`;

function Steps({ steps, now, onGo }: { steps: readonly RoundStep[]; now: number; onGo: (step: number) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const narrow = useMedia("(max-width: 640px)");
  // The step that is shown is in view, and the page stays where it is.
  useEffect(() => {
    const [box, row] = [list.current, list.current?.children[now] as HTMLElement | undefined];
    if (box !== null && row !== undefined) box.scrollTop = row.offsetTop - box.offsetTop - (box.clientHeight - row.offsetHeight) / 2;
  }, [now, narrow]);
  return (
    <section class="pan" aria-label={say("steps")}>
      <header>
        <h3>{say("steps")}</h3>
        <span class="end stepbar">
          <button class="iconbtn" aria-label={say("stepBack")} disabled={now === 0} aria-describedby="step-now" onClick={() => onGo(now - 1)}>
            <Icon name="prev" />
          </button>
          <span class="sm bold" aria-live="polite" id="step-now">
            {say("ofN", { n: now + 1, of: steps.length })}
          </span>
          <button class="iconbtn" aria-label={say("stepOn")} disabled={now >= steps.length - 1} aria-describedby="step-now" onClick={() => onGo(now + 1)}>
            <Icon name="next" />
          </button>
        </span>
      </header>
      <div class="tlsteps" ref={list}>
        {steps.map((step, i) => {
          const icon: IconName = iconOf(step);
          return (
            <button
              key={step.sequence}
              class={icon === "pause" ? "k-hold" : step.accepted ? "" : "k-refused"}
              aria-current={i === now ? "step" : undefined}
              onClick={() => onGo(i)}
            >
              <span class="t">{clock(step.moment, true)}</span>
              <span class="k">
                <Icon name={icon} />
              </span>
              <b>
                {stepTitle(step)}
                <span>{[detailOf(step) || (decided(step) && titleEvent(step) !== null ? commandNamed("command", step.command.type) : ""), whoIs(step.by), step.approved_by === null ? "" : say("withSecond", { who: step.approved_by.name ?? "" })].filter(Boolean).join(" · ")}</span>
              </b>
              {step.clause !== null && <span class="cite">{step.clause}</span>}
            </button>
          );
        })}
      </div>
    </section>
  );
}

function FeltThen({ felt, step, game }: { felt: FeltAt; step: RoundStep; game: string | undefined }) {
  const deck = deckOfGame(game);
  const [player, banker] = [handOf(felt, "player"), handOf(felt, "banker")];
  const time = clock(step.moment, true);
  return (
    <Felt
      player={{ cards: player, points: pointsOf(player) }}
      banker={{ cards: banker, points: pointsOf(banker) }}
      deck={deck}
      label={say("tableAt", { time })}
      head={
        <div class="row wrap">
          <b class="bold">{say("tableAt", { time })}</b>
          <span class="end tag">{felt.void ? say("state.void") : felt.held ? say("state.hold") : say("inPlayNow", { amount: money(felt.inPlay) })}</span>
        </div>
      }
    >
      {felt.waiting > 0 && (
        <div class="aside">
          <span>{say("besideShoe", { n: felt.waiting })}</span>
          {Array.from({ length: felt.waiting }, (_, i) => (
            <i key={i}>
              <Card face={null} deck={deck} compact />
            </i>
          ))}
        </div>
      )}
      {felt.aside > 0 && <p class="aside">{say("setAside", { n: felt.aside })}</p>}
      {felt.die !== null && <p class="aside">{say("dieShows", { n: felt.die })}</p>}
    </Felt>
  );
}

function RecordPanel({ step }: { step: RoundStep }) {
  const content = (step.command.content ?? {}) as Record<string, unknown>;
  const decided = step.events.find(({ name }) => name === "decision_recorded")?.facts as Record<string, unknown> | undefined;
  const reason = String(content["reason"] ?? decided?.["reason"] ?? content["note"] ?? "");
  const facts: [string, ComponentChildren][] = [
    [say("by"), whoIs(step.by)],
    [say("secondPerson"), whoIs(step.approved_by)],
    [say("act"), commandNamed("command", step.command.type)],
    [say("choiceMade"), decided === undefined ? "" : (factValue("choice", decided["choice"]) ?? "")],
    [say("reasonWord"), reason],
    [say("refusal"), step.refusal?.sentence ?? ""],
    [say("what"), step.events.map(({ name }) => eventName(name)).join(" · ")],
    [say("recordNumber"), <span class="mono">{recordOf(step)}</span>],
  ];
  return (
    <section class="pan" aria-label={say("record")}>
      <header>
        <h3>{stepTitle(step)}</h3>
        {step.clause !== null && <span class="end cite">{step.clause}</span>}
      </header>
      <div class="bd2 tight">
        <dl class="facts">
          {facts
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            ))}
        </dl>
      </div>
    </section>
  );
}

function InSteps({ round, game }: { round: StaffRoundInSteps; game: string | undefined }) {
  const now = useSignal(Math.max(0, round.steps.length - 1));
  const move = (by: number): void => void (now.value = Math.min(round.steps.length - 1, Math.max(0, now.value + by)));
  const wide = useMedia("(min-width: 1600px)");
  useKeys({ ArrowLeft: { does: say("keySteps"), press: () => move(-1) }, ArrowRight: { does: say("keySteps"), press: () => move(1) } });
  const felts = feltsOf(round.steps);
  const spans = spansOf(round.steps);
  const [step, felt] = [round.steps[now.value], felts[now.value]];
  if (step === undefined || felt === undefined) return <p class="none">{say("noSteps")}</p>;
  const told = spans.map(spanName).join(" · ");
  const drawn = timeline({
    spans,
    moments: round.steps.map(({ moment }) => Date.parse(moment)),
    at: now.value,
    nameOf: spanName,
    timeOf: (moment) => clock(moment, true),
    label: say("timeLine", { spans: told }),
    ...(wide ? { width: WIDE } : {}),
  });
  return (
    <>
      <section class="pan" aria-label={say("time")}>
        <div class="bd2">
          <p class="sm muted tltext">{told}</p>
          <div class="tl">
            <Svg of={drawn} />
          </div>
        </div>
      </section>
      <div class="c2 even">
        <Steps steps={round.steps} now={now.value} onGo={(to) => void (now.value = to)} />
        <div class="col">
          <FeltThen felt={felt} step={step} game={game} />
          <RecordPanel step={step} />
          <Lines round={round} />
        </div>
      </div>
    </>
  );
}

export function OneRound({ recalled, number }: { recalled: Recalled; number: string }) {
  const { table, title, game, at } = recalled;
  const [loaded] = useLoaded<StaffRoundInSteps>(`/tables/${encodeURIComponent(table)}/rounds/${encodeURIComponent(number)}`);
  const { value: round, problem } = loaded.value;
  const n = Number(number);
  const steps = round?.steps ?? [];
  const [first, last] = [steps[0], steps.at(-1)];
  const exported = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(round, null, 2)], { type: "application/json" }));
    link.download = `${table}-round-${number}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <div class="hd">
        <div>
          <h2>{say("tableRound", { table: title, n: number })}</h2>
          {round !== null && first !== undefined && last !== undefined && (
            <p>
              {[
                say("fromTo", { day: day(first.moment), from: clock(first.moment, true), to: clock(last.moment, true) }),
                say("records", { from: count(first.sequence), to: count(last.sequence) }),
                round.shoe === null ? "" : say("shoeN", { n: round.shoe }),
                round.void === null ? "" : say("voidBecause", { why: voidBrief(round.void.why) }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
          )}
        </div>
        <div class="end">
          {n > 1 && (
            <Link class="btn small" to={`${at}/${n - 1}`}>
              {say("roundLink", { n: n - 1 })}
            </Link>
          )}
          <Link class="btn small" to={`${at}/${n + 1}`}>
            {say("roundLink", { n: n + 1 })}
          </Link>
          <Link class="btn small" to={at}>
            {say("allRounds")}
          </Link>
          {round !== null && (
            <button class="btn small" onClick={exported}>
              <Icon name="down" size="small" />
              {say("export")}
            </button>
          )}
        </div>
      </div>
      <Trouble problem={problem} />
      {round === null && problem === null && <p class="none">{common("loading")}</p>}
      {round !== null && <InSteps key={`${table}/${round.round}`} round={round} game={game} />}
    </>
  );
}

const PAGE = 50;

export function Rounds({ recalled }: { recalled: Recalled }) {
  const { table, title, at, up } = recalled;
  const before = useSignal<number | null>(null);
  const [loaded] = useLoaded<StaffRound[]>(`/tables/${encodeURIComponent(table)}/rounds?limit=${PAGE}${before.value === null ? "" : `&before=${before.value}`}`);
  const wanted = useSignal("");
  const { value: rounds, problem } = loaded.value;
  const result = (round: StaffRound): string => {
    if (round.void !== null) return [say("state.void"), voidBrief(round.void.why)].filter(Boolean).join(" · ");
    return round.winner === null ? "" : resultWords({ ...round, natural: false });
  };
  const held = (rounds ?? []).some(({ interruptions }) => interruptions.length > 0);
  const interrupted = ({ interruptions }: StaffRound): string => (interruptions.length > 0 ? count(interruptions.length) : "");
  const columns: Column<StaffRound>[] = [
    {
      name: say("roundWord"),
      words: true,
      cell: (round) => (
        <Link class="linkb" to={`${at}/${round.round}`}>
          {say("roundLink", { n: round.round })}
        </Link>
      ),
    },
    { name: say("opened"), words: true, cell: (round) => clock(round.opened, true) },
    { name: say("result"), words: true, wraps: true, cell: result },
    { name: say("stakesWord"), cell: (round) => count(round.stakes.length) },
    { name: say("staked"), cell: (round) => money(round.stakes.reduce((sum, { cents }) => sum + cents, 0)) },
    { name: say("houseWon"), cell: (round) => money(-round.lines.reduce((sum, line) => sum + line.won_cents, 0)) },
    ...(held ? [{ name: say("interrupted"), words: true, cell: interrupted }] : []),
  ];
  const oldest = rounds?.at(-1)?.round ?? null;
  const open = (event: Event): void => {
    event.preventDefault();
    if (/^\d+$/.test(wanted.value.trim())) go(`${at}/${wanted.value.trim()}`);
  };
  return (
    <>
      <div class="hd">
        <div>
          <h2>{say("roundsOf", { table: title })}</h2>
          <p>{say("roundsNote")}</p>
        </div>
        <form class="end" onSubmit={open}>
          <label>
            <span class="sr">{say("roundNumber")}</span>
            <input class="in find" inputMode="numeric" placeholder={say("roundNumber")} value={wanted.value} onInput={(e) => void (wanted.value = e.currentTarget.value)} />
          </label>
          <button class="btn">{say("openRound")}</button>
          <Link class="btn" to={up.to}>
            {up.name}
          </Link>
        </form>
      </div>
      <Trouble problem={problem} />
      <section class="pan" aria-label={say("rounds")}>
        <Listing label={say("rounds")} columns={columns} rows={rounds ?? []} keyOf={({ round }) => round} none={rounds === null ? common("loading") : say("noRounds")} marked={(round) => round.void !== null} />
        {(before.value !== null || (rounds?.length ?? 0) === PAGE) && (
          <div class="panel-foot">
            <span class="sp" />
            {before.value !== null && (
              <button class="btn" onClick={() => void (before.value = null)}>
                {say("newest")}
              </button>
            )}
            {(rounds?.length ?? 0) === PAGE && oldest !== null && (
              <button class="btn" onClick={() => void (before.value = oldest)}>
                {say("older")}
              </button>
            )}
          </div>
        )}
      </section>
    </>
  );
}

const recallAt = (table: string): string => `/pit/${encodeURIComponent(table)}/recall`;

function ChooseTable({ pit }: { pit: PitState }) {
  return (
    <>
      <div class="hd">
        <div>
          <h2>{say("nav.recall")}</h2>
          <p>{say("chooseTable")}</p>
        </div>
      </div>
      <div class="grid">
        {pit.tables.map(({ summary, rounds }) => (
          <Link key={summary.name} class="tt flat" to={recallAt(summary.name)}>
            <span class="r1">
              <span class="no">{tableMark(summary)}</span>
              <span class="gm">
                {gameTitle({ game: summary.game, name: summary.title ?? summary.name })}
                <span class="src">{say("roundsToday", { n: rounds })}</span>
              </span>
              <Icon name="next" />
            </span>
          </Link>
        ))}
      </div>
    </>
  );
}

export function RecallPage({ pit, table, round }: { pit: PitState; table: string | null; round: string | null }) {
  const recalled: Recalled | null =
    table === null
      ? null
      : {
          table,
          title: tableTitle(pit, table),
          game: tableOf(pit, table)?.summary.game ?? undefined,
          at: recallAt(table),
          up: { to: "/pit/recall", name: say("allTables") },
        };
  return (
    <Shell pit={pit} at="recall" title={say("nav.recall")}>
      {recalled === null && <ChooseTable pit={pit} />}
      {recalled !== null && round === null && <Rounds key={table} recalled={recalled} />}
      {recalled !== null && round !== null && <OneRound recalled={recalled} number={round} />}
    </Shell>
  );
}
