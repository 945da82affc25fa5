/** Verify a shoe in this browser: its commitment while it is in play, all its cards afterwards. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OwnRound, ShoeKnown } from "../../../api/types";
import { clock, day } from "../../../i18n/money";
import { Icon } from "../../../parts/Icon";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { useLoaded } from "../../../state/loaded";
import { checked, type Checked } from "../model/seal";
import { rememberRoot, type Sight, sightOf } from "../model/seen";
import { openSheet, useHere } from "../table";
import { say } from "../words";
import { Choices, ShortCard } from "./parts";

const ROWS = 24;

/** The shoes of the last hundred rounds, the one in play first. */
function shoesOf(playing: string | null, rounds: readonly Pick<OwnRound, "shoe">[]): string[] {
  const known = rounds.map((round) => round.shoe).filter((shoe): shoe is string => shoe !== null);
  return [...new Set([...(playing === null ? [] : [playing]), ...known])];
}

const grouped = (root: string): string => root.replace(/(.{4})/g, "$1 ").trim();
const short = (salt: string): string => `${salt.slice(0, 4)}…${salt.slice(-4)}`;

/** What came of checking; null: it could not be checked. */
interface Done {
  at: number;
  result: Checked | null;
}

function Finding(props: { good: boolean; title: string; children: string }) {
  return (
    <div class={props.good ? "vres" : "vres bad"} role={props.good ? "status" : "alert"}>
      <span class="n">
        <Icon name={props.good ? "check" : "alert"} />
      </span>
      <div>
        <b>{props.title}</b>
        <p>{props.children}</p>
      </div>
    </div>
  );
}

export function Verdict(props: { shoe: ShoeKnown; done: Done | null; sight: Sight }) {
  const { shoe, done, sight } = props;
  if (shoe.root === null) return <p class="tip">{say("notSealed")}</p>;
  // Nothing else counts where the house promised another shoe than it shows.
  if (sight.kind === "other") {
    return (
      <Finding good={false} title={say("otherRoot")}>
        {say("otherRootText", { time: when(sight.at) })}
      </Finding>
    );
  }
  if (shoe.lost) return <p class="tip">{say("shoeLost")}</p>;
  if (shoe.in_play) {
    return (
      <div class="tip">
        <Icon name="lock" />
        <div>
          <b>{say("sealedInPlay")}</b> {say("sealedText")}
        </div>
      </div>
    );
  }
  if (done === null) return <p class="sm muted">{say("checking")}</p>;
  if (done.result === null) {
    return (
      <Finding good={false} title={say("notChecked")}>
        {say("notCheckedText")}
      </Finding>
    );
  }
  const { matches, cards, wrong } = done.result;
  return (
    <Finding good={matches} title={matches ? say("asSealed", { cards }) : say("notAsSealed", { cards: wrong.length > 0 ? wrong.length : shoe.cards })}>
      {say("checkedAt", { time: clock(done.at, true) })}
    </Finding>
  );
}

/** Whether the root is the one that this browser saw while the shoe was in play. */
const sightWords = (sight: Sight): string => {
  if (sight.kind === "none") return say("rootNotSeen");
  return say(sight.kind === "same" ? "rootSeen" : "rootOther", { time: when(sight.at) });
};

type Drawn = Pick<ShoeKnown["rest"][number], "round" | "place">;

/** For which round and place a card was drawn: "round 1, P1". */
export function dealtIn({ round, place }: Drawn, exposed: boolean): string {
  if (round === null || place === null) return say(exposed ? "wasDealt" : "neverDealt");
  const named = say(place.startsWith("P") ? "placeP" : "placeB", { n: place.slice(1) });
  return say(exposed ? "dealtIn" : "lainIn", { round, place: named });
}

/** When it was, with the day where that is not today. */
const when = (moment: string | number): string => (day(moment) === day(Date.now()) ? clock(moment, true) : `${day(moment)} ${clock(moment, true)}`);

function Openings(props: { shoe: ShoeKnown; wrong: readonly number[] }) {
  const { shoe } = props;
  const all = useSignal(false);
  const exposed = new Set(shoe.openings.map((one) => one.number));
  const open = [...shoe.openings, ...shoe.rest].sort((a, b) => a.number - b.number);
  const rows = all.value ? open : open.slice(0, ROWS);
  return (
    <>
      <div class="tblbox">
        <table class="tbl openings">
          <thead>
            <tr>
              <th>{say("number")}</th>
              <th class="l">{say("card")}</th>
              <th class="l">{say("salt")}</th>
              <th class="l">{say("dealt")}</th>
              <th>{say("leads")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.number}>
                <td>{one.number + 1}</td>
                <td class="l">
                  <ShortCard face={one.card} />
                </td>
                <td class="l mono">{short(one.salt)}</td>
                <td class="l">{dealtIn(one, exposed.has(one.number))}</td>
                <td>{say(props.wrong.includes(one.number) ? "no" : "yes")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!all.value && open.length > ROWS && (
        <button class="btn small" onClick={() => void (all.value = true)}>
          {say("showAll", { cards: open.length })}
        </button>
      )}
    </>
  );
}

/** Give the openings as a file, for a program of one's own. */
function download(shoe: ShoeKnown): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(shoe, null, 2)], { type: "application/json" }));
  link.download = `shoe-${shoe.table}-${shoe.shoe}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Facts(props: { shoe: ShoeKnown; sight: Sight }) {
  const { shoe, sight } = props;
  return (
    <>
      <dl class="facts">
        <dt>{say("sealedBy")}</dt>
        <dd>{say("record", { record: shoe.sealed_by, time: when(shoe.sealed) })}</dd>
        <dt>{say(shoe.in_play ? "sealedInAll" : "sealedCards")}</dt>
        <dd>{shoe.in_play ? shoe.cards : `${shoe.cards} · ${shoe.openings.length} · ${shoe.rest.length}`}</dd>
        <dt>{say("root")}</dt>
        <dd />
      </dl>
      <div class="tip">
        <span class="mono root" data-root>
          {shoe.root === null ? say("none") : grouped(shoe.root)}
        </span>
      </div>
      {shoe.root !== null && <p class={sight.kind === "other" ? "tip alert" : "sm muted"}>{sightWords(sight)}</p>}
    </>
  );
}

/** How many shoes stand beside each other; more are a list that unfolds. */
const BESIDE = 4;

export function ShoeChoice(props: { shoes: readonly string[]; value: string; playing: string | null; onChoose: (shoe: string) => void }) {
  const choices = props.shoes.map((one) => [one, say(one === props.playing ? "shoeInPlay" : "shoeEnded", { shoe: one })] as const);
  if (choices.length <= BESIDE) return <Choices label={say("verifyButton")} value={props.value} choices={choices} onChoose={props.onChoose} />;
  return (
    <select class="in" aria-label={say("verifyButton")} value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
      {choices.map(([shoe, words]) => (
        <option key={shoe} value={shoe} selected={shoe === props.value}>
          {words}
        </option>
      ))}
    </select>
  );
}

export function Verify() {
  const { name, view } = useHere();
  const [rounds] = useLoaded<Pick<OwnRound, "shoe">[]>(`/tables/${name}/rounds?limit=100`);
  const shoes = shoesOf(view.shoe?.name ?? null, rounds.value.value ?? []);
  const chosen = useSignal<string | null>(null);
  const shoe = chosen.value ?? shoes[0] ?? null;
  const [loaded, again] = useLoaded<ShoeKnown>(shoe === null ? null : `/tables/${name}/shoes/${encodeURIComponent(shoe)}`);
  const known = loaded.value.value?.shoe === shoe ? loaded.value.value : null;
  const done = useSignal<Done | null>(null);
  const out = known !== null && known.root !== null && !known.in_play && !known.lost;
  useEffect(() => {
    done.value = null;
    if (known === null || !out) return undefined;
    let gone = false;
    const tell = (result: Checked | null): void => {
      if (!gone) done.value = { at: Date.now(), result };
    };
    checked(known).then(tell, () => tell(null));
    return () => void (gone = true);
  }, [known]);
  if (known !== null) rememberRoot(known);
  const sight: Sight = known === null ? { kind: "none" } : sightOf(known);
  return (
    <Sheet
      title={say("verifyButton")}
      sub={say("verifySub")}
      onClose={() => openSheet(name, null)}
      foot={
        out ? (
          <>
            <button class="btn" onClick={() => download(known)}>
              <Icon name="down" />
              {say("downloadOpenings")}
            </button>
            <button class="btn second" onClick={again}>
              {say("checkAgain")}
            </button>
          </>
        ) : undefined
      }
    >
      {shoes.length === 0 && <p class="sm muted">{say("noShoe")}</p>}
      {shoe !== null && (
        <ShoeChoice shoes={shoes} value={shoe} playing={view.shoe?.name ?? null} onChoose={(one) => void (chosen.value = one)} />
      )}
      <Trouble problem={loaded.value.problem} />
      {known !== null && (
        <>
          <Verdict shoe={known} done={done.value} sight={sight} />
          <Facts shoe={known} sight={sight} />
          {out && <Openings shoe={known} wrong={done.value?.result?.wrong ?? []} />}
          <p class="xs muted">{say("verifyHelp")}</p>
        </>
      )}
    </Sheet>
  );
}
