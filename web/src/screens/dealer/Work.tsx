/** The middle below the hands: what the step that is due needs. */
import type { ComponentChildren } from "preact";
import type { OwnedStake, WagerShown } from "../../api/types";
import { money } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import { deckOfGame } from "../../parts/HandCards";
import { Icon } from "../../parts/Icon";
import { Road, RoadsNotice, useRoads } from "../../parts/Roads";
import { opening, values } from "../../state/may";
import { settings } from "../../state/settings";
import { begin } from "./Acts";
import { Fields } from "./CommandForm";
import type { Desk } from "./context";
import { type Due, houseDeals, houseFinishes } from "./course";
import { DiePad, Shaking } from "./Die";
import type { Entry } from "./entry";
import type { Draft } from "./form";
import { Keypad } from "./Keypad";
import { PayList } from "./PayList";
import type { PayRow } from "./pay";
import { named, say } from "./say";
import { Offers } from "./ShoeHolder";
import { placeName } from "./texts";
import { stakeName } from "./values";

export interface Working {
  desk: Desk;
  due: Due;
  /** The faces are keyed in or read by a device: the shoe is of paper. */
  keyed: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  entry: Entry;
  onEntry: (entry: Entry) => void;
  /** The last card is on its way: what is keyed in is the next one's. */
  ahead: boolean;
  onEnter: () => void;
  rows: readonly PayRow[];
}

const Note = ({ icon, title, children }: { icon: Parameters<typeof Icon>[0]["name"]; title: string; children?: ComponentChildren }) => (
  <section class="panel note" aria-label={title}>
    <span class="bigic">
      <Icon name={icon} size="large" />
    </span>
    <h2>{title}</h2>
    <div class="muted">{children}</div>
  </section>
);

function CardPad(props: Working) {
  const { desk, due, entry } = props;
  const position = props.draft["position"];
  const title = due.command === "expose_card" && typeof position === "string" ? placeName(position) : say("enterByHand");
  const hint = props.ahead ? say("forNextCard") : due.command === "draw_card" ? say("ifSensorMisses") : say("whatItShows");
  return (
    <Keypad
      deck={deckOfGame(desk.view.rules?.game)}
      title={title}
      hint={hint}
      entry={entry}
      onEntry={props.onEntry}
      onEnter={props.onEnter}
      disabled={(desk.busy && !props.ahead) || desk.over.value !== null}
    />
  );
}

/** Stakes by seat, and at a seat in the order of the rules. */
const bySeat = (stakes: readonly OwnedStake[], wagers: readonly WagerShown[]): OwnedStake[] => {
  const at = (slug: string): number => wagers.findIndex((wager) => wager.slug === slug);
  return [...stakes].sort((a, b) => a.position - b.position || at(a.wager) - at(b.wager) || a.number - b.number);
};

/** Whose stake it is; with each part where several share it. */
function sharesOf({ shares, found }: OwnedStake): string {
  const parts = shares.map(({ patron, cents, placed_by }) =>
    [shares.length > 1 ? `${patron} ${money(cents)}` : patron, placed_by ? say("placedBy", { name: placed_by }) : ""].filter(Boolean).join(" · "),
  );
  return [parts.join(" + "), found ? say("found") : ""].filter(Boolean).join(" · ");
}

const CHANGES = ["raise_wager", "lower_wager", "remove_wager"] as const;

/** What the Dealer may do to a stake that lies. */
function Changes({ desk, stake }: { desk: Desk; stake: OwnedStake }) {
  const opens = CHANGES.flatMap((command) => opening(desk.part.may, command) ?? []).filter((open) => values(open, "stake").includes(stake.number));
  const [share] = stake.shares;
  if (opens.length === 0) return null;
  return (
    <span class="row acts">
      {opens.map((open) => (
        <button
          key={open.command}
          class="btn small"
          aria-label={`${named("command", open.command)}: ${stakeName(desk, stake.number)}`}
          onClick={() => void (desk.over.value = { kind: "form", command: open.command, start: { stake: stake.number, ...(share ? { patron: share.patron } : {}) } })}
        >
          {named("short", open.command)}
        </button>
      ))}
    </span>
  );
}

/** Stakes while bets are open: wagers for patrons, raised, lowered and removed by the Dealer. */
export function Bets({ desk }: { desk: Desk }) {
  const { part } = desk;
  const place = opening(part.may, "place_wager");
  const find = opening(part.may, "find_stake");
  const wagers = desk.view.rules?.wagers ?? [];
  const nameOf = (slug: string): string => wagerName(slug, wagers.find((wager) => wager.slug === slug)?.name ?? slug);
  return (
    <section class="panel bets" aria-label={say("stakesOnTable")}>
      <header>
        <h2>{say("stakesOnTable")}</h2>
        {part.stakes.length > 0 && <span class="sm muted">{say("nStakes", { n: part.stakes.length })}</span>}
        <span class="end row">
          {place !== undefined && (
            <button class="btn small" onClick={() => begin(desk, "place_wager")}>
              <Icon name="plus" />
              {say("placeForPatron")}
            </button>
          )}
          {find !== undefined && (
            <button class="btn small" onClick={() => begin(desk, "find_stake")}>
              {say("stakeFound")}
            </button>
          )}
        </span>
      </header>
      <div class="betlist">
        {bySeat(part.stakes, wagers).map((stake) => (
          <div key={stake.number} class="betrow">
            <span class="sn">{stake.position}</span>
            <span class="grow">
              <b>{nameOf(stake.wager)}</b>
              <small>{sharesOf(stake)}</small>
            </span>
            <b class="sum">{money(stake.cents)}</b>
            <Changes desk={desk} stake={stake} />
          </div>
        ))}
        {part.stakes.length === 0 && <p class="muted sm">{say("noStakesYet")}</p>}
      </div>
    </section>
  );
}

/** The results of this shoe: between rounds, and under a note that leaves room for them. */
function Shoes({ desk, note }: { desk: Desk; note?: ComponentChildren }) {
  const roads = useRoads(desk.view);
  return (
    <section class="panel results" tabIndex={0} aria-label={say("results")}>
      {note}
      <header>
        <h2>{say("results")}</h2>
        <span class="end sm muted">{say("nRounds", { n: desk.view.results.length })}</span>
      </header>
      <div class="in3">
        <Road roads={roads} kind="big" columns={26} cell={22} />
        {note === undefined && <Road roads={roads} kind="bead" columns={20} cell={28} signs={settings.value.language === "zh-Hans"} />}
        <RoadsNotice />
      </div>
    </section>
  );
}

/** What the step that is due needs said, where it is more than a card. */
function Asked(props: Working) {
  const { due, desk } = props;
  if (due.open === null) return null;
  return (
    <section class="panel asked" aria-label={say("toSay")}>
      <div class="in3">
        <Fields desk={desk} open={due.open} draft={props.draft} onDraft={props.onDraft} />
      </div>
    </section>
  );
}

const dieField = (due: Due) => due.open?.fields?.find(({ kind }) => kind === "die");

/** Whether a face comes with what is due: keyed in, or read by the device. */
export const takesFace = (props: Pick<Working, "due" | "keyed">): boolean =>
  props.due.face === "must" || (props.due.face === "may" && props.keyed);

/** Whether to whom the shoe is offered stands in the middle: nothing else is due from the Dealer. */
export const offersShown = ({ view, part }: Pick<Desk, "view" | "part">, due: Due): boolean =>
  due.open === null && part.shoe_offers.length > 0 && !["SETTLED", "OPEN", "SHAKE"].includes(view.phase) && !houseDeals(view, part) && !houseFinishes(view, part);

export function Work(props: Working) {
  const { desk, due, draft } = props;
  const { view, part } = desk;
  if (view.phase === "SETTLED") return <PayList desk={desk} rows={props.rows} />;
  if (houseDeals(view, part)) {
    return (
      <Note icon="shield" title={say("houseDealsTitle")}>
        {say("houseDealsNote")}
      </Note>
    );
  }
  if (houseFinishes(view, part)) {
    return (
      <Note icon="shield" title={say("houseFinishes")}>
        {say("youDealNextNote")}
      </Note>
    );
  }
  if (view.phase === "OPEN") return <Bets desk={desk} />;
  const face = dieField(due);
  if (face !== undefined) {
    const range = face.allowed && !Array.isArray(face.allowed) ? face.allowed : { minimum: 1, maximum: 6 };
    const value = draft[face.name];
    return (
      <DiePad
        from={range.minimum}
        to={range.maximum}
        value={typeof value === "number" ? value : null}
        onValue={(n) => props.onDraft({ ...draft, [face.name]: n })}
      />
    );
  }
  if (takesFace(props)) return <CardPad {...props} />;
  if (view.phase === "SHAKE" || due.command === "shake_die") return <Shaking desk={desk} />;
  if (due.open !== null && due.said === null) return <Asked {...props} />;
  if (due.command === "draw_card" && due.open !== null) {
    const note = (
      <div class="said">
        <span class="bigic">
          <Icon name="shoe" />
        </span>
        <div>
          <h2>{say("sealedTitle")}</h2>
          <p>{say("sealedNote")}</p>
        </div>
      </div>
    );
    return <Shoes desk={desk} note={note} />;
  }
  if (offersShown(desk, due)) return <Offers desk={desk} />;
  return part.stakes.length === 0 ? <Shoes desk={desk} /> : <Bets desk={desk} />;
}

