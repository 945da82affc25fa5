/** Join a stake that its owner shares: one wins and loses by one's own part. */
import { currency } from "../../../app/session";
import type { AreaShown, TableView } from "../../../api/types";
import { centsOf, dollars, money } from "../../../i18n/money";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { amounts, opening, values } from "../../../state/may";
import { useActs } from "../acts";
import { prefer, preferences } from "../preferences";
import { stopId } from "../slipacts";
import { openSheet, useHere, useTyped } from "../table";
import { nameOf, payWords, say } from "../words";
import { Choices, SwitchRow } from "./parts";

type Stake = AreaShown["stakes"][number];

interface Candidate {
  area: AreaShown;
  stake: Stake;
  joinable: boolean;
}

/** Stakes of others on a wager; only what `may` names can be joined. */
function candidatesOf(view: TableView, wager: string): Candidate[] {
  const own = new Set((view.own?.stakes ?? []).map((stake) => stake.number));
  const joinable = values(opening(view.own?.may, "place_wager"), "join", { wager });
  return Object.values(view.areas)
    .filter((area) => area.wager === wager)
    .flatMap((area) => area.stakes.filter((stake) => !own.has(stake.number)).map((stake) => ({ area, stake, joinable: joinable.includes(stake.number) })));
}

const MAIN = ["player", "tie", "banker"];

/** The wagers that are asked about: the main ones as they lie on the felt, and whatever else has stakes. */
function askedAbout(view: TableView): string[] {
  const offered = (view.rules?.wagers ?? []).map(({ slug }) => slug);
  const others = offered.filter((slug) => !MAIN.includes(slug) && candidatesOf(view, slug).length > 0);
  return [...MAIN.filter((slug) => offered.includes(slug)), ...others];
}

/** A wager with something to join comes first, then one that others have a stake on. */
function firstOf(view: TableView): string {
  const slugs = askedAbout(view);
  const has = (joinable: boolean) => (slug: string) => candidatesOf(view, slug).some((one) => one.joinable || !joinable);
  return slugs.find(has(true)) ?? slugs.find(has(false)) ?? slugs[0] ?? "player";
}

function StakeRow(props: { candidate: Candidate; on: boolean; most: number; onChoose: () => void }) {
  const { area, stake, joinable } = props.candidate;
  const parts = stake.shares.map((share) => money(share.cents)).join(" · ");
  return (
    <button class="pick" role="radio" aria-checked={props.on} disabled={!joinable} aria-describedby={`stake-${stake.number}`} onClick={props.onChoose}>
      <b>
        <span class="rad" />
        {say("positionTitle", { position: area.position })}
        <span class="end">{money(stake.cents)}</span>
      </b>
      <p id={`stake-${stake.number}`}>{joinable ? say("sharedBy", { count: stake.shares.length, parts, most: dollars(props.most) }) : say("notShared")}</p>
    </button>
  );
}

export function Shared() {
  const here = useHere();
  const { name, view, own, betting } = here;
  const { act, sending, problem } = useActs();
  const wagers = view.rules?.wagers ?? [];
  const wager = useTyped("wager", firstOf(view));
  const chosen = useTyped<number | null>("stake", null);
  /** What was typed; null: nothing yet, and the least that may be added stands there. */
  const text = useTyped<string | null>("part", null);
  const candidates = candidatesOf(view, wager.value);
  const joined = candidates.find(({ stake, joinable }) => joinable && stake.number === chosen.value) ?? candidates.find(({ joinable }) => joinable);
  const rules = wagers.find((one) => one.slug === wager.value);
  const open = opening(own.may, "place_wager");
  const allowed = joined === undefined ? null : amounts(open, "cents", { wager: wager.value, join: joined.stake.number, position: joined.area.position });
  const written = text.value ?? money(allowed?.minimum ?? 0);
  const cents = centsOf(written) ?? 0;
  const fits = allowed !== null && cents >= allowed.minimum && cents <= allowed.maximum;
  const add = (): void => {
    if (joined === undefined) return;
    const content = { type: "place_wager", wager: wager.value, position: joined.area.position, join: joined.stake.number, cents };
    void act(content, view.round === null ? {} : { round: view.round }).then((done) => done && openSheet(name, null));
  };
  return (
    <Sheet
      title={say("joinTitle")}
      sub={say(betting.open.value ? "joinOpen" : "joinClosed", { wager: nameOf(view, wager.value) })}
      onClose={() => openSheet(name, null)}
      foot={
        <button class="btn second" disabled={!fits || sending || !betting.able.value} aria-describedby={stopId(here) ?? (joined === undefined ? "join-text" : "join-part")} onClick={add}>
          {joined === undefined ? say("nothingToJoin") : say("addTo", { cents: money(cents), position: joined.area.position })}
        </button>
      }
    >
      <p class="muted" id="join-text">
        {say("joinText")}
      </p>
      <Choices label={say("wager")} value={wager.value} choices={askedAbout(view).map((slug) => [slug, nameOf(view, slug)])} onChoose={(slug) => void (wager.value = slug)} />
      <div class="stack8" role="radiogroup" aria-label={say("sharedStakes")}>
        {candidates.length === 0 && <p class="sm muted">{say("noStakes")}</p>}
        {candidates.map((candidate) => (
          <StakeRow
            key={candidate.stake.number}
            candidate={candidate}
            on={candidate === joined}
            most={rules?.maximum_cents ?? 0}
            onChoose={() => void (chosen.value = candidate.stake.number)}
          />
        ))}
      </div>
      {joined !== undefined && allowed !== null && (
        <>
          <label class="fld">
            {say("yourPart", { currency: currency() })}
            <small id="join-part">{say("partHelp", { step: dollars(allowed.step ?? 1), balance: money(own.credit_cents) })}</small>
            <input class="in num" inputMode="decimal" value={written} onInput={(event) => void (text.value = event.currentTarget.value)} />
          </label>
          <dl class="facts">
            <dt>{say("wouldBe")}</dt>
            <dd>{money(joined.stake.cents + cents)}</dd>
            <dt>{say("yourShare")}</dt>
            <dd>
              {money(cents)} · {((100 * cents) / (joined.stake.cents + cents)).toFixed(2)} %
            </dd>
            {rules !== undefined && (
              <>
                <dt>{say("pays")}</dt>
                <dd>{payWords(rules, view.power).usual}</dd>
              </>
            )}
          </dl>
        </>
      )}
      <Trouble problem={problem} />
      <SwitchRow label={say("shareMine")} help={say("shareHelp")} on={preferences.value.share} onChange={(on) => prefer("share", on)} />
    </Sheet>
  );
}
