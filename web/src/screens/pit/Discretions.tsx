/** What the rulebooks leave to somebody: who used it, how often beside others, and what it moved. */
import { useSignal } from "@preact/signals";
import type { Schemas } from "../../api/types";
import { currency } from "../../app/session";
import { say as common } from "../../i18n/common";
import { clock, count, day, dollars, money } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { factValue } from "../audit/facts";
import { named as commandNamed } from "../dealer/say";
import { named as cageNamed } from "../cage/say";
import { Shell } from "./Shell";
import { named, say } from "./say";
import type { PitState } from "./usePit";

type Shown = Schemas["DiscretionsShown"];
type Using = Schemas["UsingShown"];
type Act = Shown["acts"][number];

const KINDS = ["void", "order_of_cards", "squeeze", "wager_for_patron", "stake_removed", "referral", "report", "setting"] as const;
const COLUMNS = ["void", "order_of_cards", "squeeze", "wager_for_patron", "stake_removed", "referral"] as const;

/** From so many times the others on a figure is a question. */
const STANDS_OUT = 2;

const DEALT = 4;

const movedName = (): string => say("inCurrency", { what: say("moved"), symbol: currency() });

const whole = (cents: number): string => dollars(Math.round(cents / 100) * 100);

function People({ people, chosen, onChoose }: { people: readonly Using[]; chosen: string | null; onChoose: (person: string) => void }) {
  const used = COLUMNS.filter((kind) => people.some(({ counts }) => counts[kind]));
  const compared = people.some(({ beside }) => beside !== null);
  const columns: Column<Using>[] = [
    {
      name: say("person"),
      words: true,
      cell: (one) => (
        <button class="linkb" aria-pressed={one.person === chosen} onClick={() => onChoose(one.person)}>
          {one.person}
        </button>
      ),
    },
    { name: say("position"), words: true, wraps: true, cell: (one) => (one.position === null ? "" : positionName(one.position)) },
    ...used.map((kind): Column<Using> => ({ name: named("kind", kind), wraps: true, cell: (one) => (one.counts[kind] ? count(one.counts[kind]) : "") })),
    { name: say("allActs"), cell: (one) => count(one.total) },
    { name: say("seconds"), wraps: true, cell: (one) => (one.seconds > 0 ? count(one.seconds) : "") },
    { name: movedName(), cell: (one) => whole(one.cents) },
    {
      name: say("beside"),
      cell: (one) => {
        if (one.beside === null) return "";
        const figure = `${one.beside.toFixed(1)} ×`;
        return one.beside >= STANDS_OUT ? <span class="tag alert">{figure}</span> : figure;
      },
    },
  ];
  return (
    <section class="pan" aria-label={say("people")}>
      <header>
        <h3>{say("people")}</h3>
        <span class="end xs muted">{say(compared || people.length === 0 ? "besideNote" : "besideNobody")}</span>
      </header>
      <Listing
        label={say("people")}
        columns={columns}
        rows={people}
        keyOf={(one) => `${one.person}/${one.position}`}
        none={say("nobodyDecided")}
        marked={(one) => one.person === chosen || (one.beside ?? 0) >= STANDS_OUT}
      />
    </section>
  );
}

/** Whoever decided knew the whole deal; a setting is for later rounds, whatever lies on the table. */
export const standsOut = ({ kind, known_cards }: Pick<Act, "kind" | "known_cards">): boolean => kind !== "setting" && known_cards >= DEALT;

function ActsList({ acts, title, leftOff }: { acts: readonly Act[]; title: string; leftOff: number }) {
  const when = (act: Act): string => {
    const today = day(act.moment) === day(Date.now());
    return today ? clock(act.moment, true) : `${day(act.moment)} ${clock(act.moment)}`;
  };
  const place = (act: Act) => {
    if (act.table === null) return say("atCage");
    if (act.round === null) return tableWords(act.table);
    return (
      <Link class="linkb" to={`/pit/${encodeURIComponent(act.table)}/recall/${act.round}`}>
        {say("tableRound", { table: tableWords(act.table), n: act.round })}
      </Link>
    );
  };
  const why = (act: Act) => {
    if (act.reason) return <span lang="en">{act.reason}</span>;
    return factValue("choice", act.choice ?? "") ?? "";
  };
  const whatWasDone = (act: Act) => (
    <span class="twol">
      {act.kind === "cage" ? cageNamed("act", act.command) : commandNamed("command", act.command)}
      <small>{[named("kind", act.kind), act.clause ?? ""].filter(Boolean).join(" · ")}</small>
    </span>
  );
  const people = (act: Act) => (
    <span class="twol">
      {act.by}
      {act.second !== null && <small>{say("withSecond", { who: act.second })}</small>}
    </span>
  );
  const reported = acts.some(({ reported_by }) => reported_by !== null);
  const columns: Column<Act>[] = [
    { name: say("when"), words: true, cell: when },
    { name: say("tableWord"), words: true, cell: place },
    { name: say("act"), words: true, wraps: true, cell: whatWasDone },
    { name: say("by"), words: true, cell: people },
    ...(reported ? [{ name: say("reportedByWord"), words: true, cell: (act: Act) => act.reported_by ?? "" }] : []),
    { name: movedName(), cell: (act) => (act.cents === 0 ? "" : money(act.cents)) },
    { name: say("knownBefore"), cell: (act) => (act.known_cards === 0 ? "" : say("nCards", { n: act.known_cards })) },
    { name: say("reasonWord"), words: true, wraps: true, cell: why },
  ];
  return (
    <section class="pan" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class="end xs muted">{leftOff > 0 ? say("leftOff", { n: leftOff }) : say("newestFirst", { n: acts.length })}</span>
      </header>
      <Listing label={title} columns={columns} rows={acts} keyOf={(act) => `${act.table}/${act.sequence}`} none={say("noActs")} marked={standsOut} />
    </section>
  );
}

export function DiscretionsPage({ pit }: { pit: PitState }) {
  const kind = useSignal<string | null>(null);
  const person = useSignal<string | null>(null);
  const query = `days=30${kind.value === null ? "" : `&kind=${kind.value}`}${person.value === null ? "" : `&person=${encodeURIComponent(person.value)}`}`;
  const [loaded] = useLoaded<Shown>(`/performance/discretions?${query}`, 30_000);
  const { value: shown, problem } = loaded.value;
  const exported = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(shown, null, 2)], { type: "application/json" }));
    link.download = "discretions.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const title = person.value === null ? say("allActsOf") : kind.value === null ? person.value : say("actsOf", { person: person.value, kind: named("kind", kind.value) });
  return (
    <Shell pit={pit} at="discretions" title={say("nav.discretions")}>
      <div class="hd">
        <div>
          <h2>{say("discretions")}</h2>
          <p>{say("discretionsNote")}</p>
        </div>
        {shown !== null && (
          <div class="end">
            <button class="btn small" onClick={exported}>
              <Icon name="down" size="small" />
              {say("export")}
            </button>
          </div>
        )}
      </div>
      <div class="filt" role="group" aria-label={say("filter")}>
        <button aria-pressed={kind.value === null} onClick={() => void (kind.value = null)}>
          {say("allKinds")}
        </button>
        {KINDS.map((one) => (
          <button key={one} aria-pressed={kind.value === one} onClick={() => void (kind.value = one)}>
            {named("kind", one)}
          </button>
        ))}
      </div>
      <Trouble problem={problem} />
      {shown === null && problem === null && <p class="none">{common("loading")}</p>}
      {shown !== null && (
        <>
          <People people={shown.people} chosen={person.value} onChoose={(name) => void (person.value = person.value === name ? null : name)} />
          <ActsList acts={shown.acts} title={title} leftOff={shown.left_off} />
          <p class="xs muted">{say("aQuestion")}</p>
        </>
      )}
    </Shell>
  );
}
