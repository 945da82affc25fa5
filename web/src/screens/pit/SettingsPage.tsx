/** Settings of a table: changed here, with what each was, and in force with the next call for bets. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { give, Refused } from "../../api/http";
import { away } from "../../api/live";
import type { Problem, TableView } from "../../api/types";
import { somebody } from "../../app/session";
import { listed, told } from "../../i18n/lists";
import { dollars } from "../../i18n/money";
import { positionName, roomName, wagerName } from "../../i18n/names";
import { approvedBy } from "../../parts/acting";
import { announce } from "../../parts/announce";
import { unread } from "../../parts/figures";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { Trouble } from "../../parts/Trouble";
import { LimitsPanel, MorePanel, TimesPanel } from "./SettingsPanels";
import { carried, type Change, type Changed, changesOf, type Clash, type Clocks, countOf, type Draft, draftOf, faultOf, openFor, roundPlayed, type SettingsShown, stands } from "./settings";
import { named, say } from "./say";

interface Second {
  name: string;
  password: string;
  reason: string;
}

interface NotTaken {
  what: Changed;
  problem: Problem;
}

/**
 * Give the changes one after the other; those that need a second person with an approval each.
 * Returns the first that was not taken: what was given before it is set, what comes behind it is not.
 */
async function given(table: string, changes: readonly Change[], second: Second): Promise<NotTaken | null> {
  const reason = second.reason.trim();
  for (const { what, command, open } of changes) {
    const said = reason === "" ? command : { ...command, reason };
    try {
      if (!open.approver) await give(table, said);
      else await approvedBy(second.name, second.password, table, said, somebody.peek()?.name ?? "", (approval) => give(table, said, { approval }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { what, problem: error.problem };
    }
  }
  return null;
}

/** What is edited, over what is set: it stays when something else is set, by whomever. */
function useDraft(base: Draft | null) {
  const draft = useSignal<Draft | null>(null);
  const clashes = useSignal<readonly Clash[]>([]);
  const before = useRef<Draft | null>(null);
  const sent = useRef<Draft | null>(null);
  useEffect(() => {
    const mine = draft.peek();
    if (base === null || before.current === null || mine === null) draft.value = base;
    else {
      const over = carried(before.current, mine, base, sent.current);
      draft.value = over.draft;
      clashes.value = [...clashes.peek().filter((clash) => stands(clash, base, over.draft)), ...over.clashes];
    }
    before.current = base;
  }, [JSON.stringify(base)]);
  const now = draft.value ?? base;
  return {
    now,
    clashes: base === null || now === null ? [] : clashes.value.filter((clash) => stands(clash, base, now)),
    edit: (part: Partial<Draft>): void => void (now !== null && (draft.value = { ...now, ...part })),
    sends: (): void => void (sent.current = now),
    discard: (): void => {
      draft.value = base;
      clashes.value = [];
    },
  };
}

function SecondPanel({ second, needed, onSecond }: { second: Second; needed: readonly string[]; onSecond: (second: Second) => void }) {
  return (
    <section class="pan" aria-label={say("secondPerson")}>
      <header>
        <h3>{say(needed.length > 0 ? "secondPerson" : "record")}</h3>
        {needed.length > 0 && <span class="end muted xs">{say("forThese", { what: needed.map((what) => named("setting", what)).join(", ") })}</span>}
      </header>
      <div class="bd2">
        <label class="fld">
          {say("reasonFree")}
          <input class="in" value={second.reason} onInput={(e) => onSecond({ ...second, reason: e.currentTarget.value })} />
        </label>
        {needed.length > 0 && (
          <div class="two">
            <label class="fld">
              {say("secondName")}
              <input class="in" autocomplete="off" value={second.name} onInput={(e) => onSecond({ ...second, name: e.currentTarget.value })} />
            </label>
            <label class="fld">
              {say("password")}
              <input
                class="in"
                type="password"
                autocomplete="off"
                value={second.password}
                onInput={(e) => onSecond({ ...second, password: e.currentTarget.value })}
              />
            </label>
          </div>
        )}
      </div>
    </section>
  );
}

function Scheduled({ view }: { view: TableView }) {
  if (view.pit?.scheduled == null) return null;
  return (
    <div class="sched" role="status">
      <Icon name="clock" />
      <div class="grow">{say("alreadyWaits")}</div>
    </div>
  );
}

/** Values that somebody else set while they were edited here: by name, with what they are now. */
function Clashes({ clashes, base, view }: { clashes: readonly Clash[]; base: Draft; view: TableView }) {
  if (clashes.length === 0) return null;
  const wager = (slug: string): string => wagerName(slug, view.rules?.wagers.find((one) => one.slug === slug)?.name ?? slug);
  const value = ({ what, of, part }: Clash): string | null => {
    if (what === "limits" && part !== null) return dollars(base.limits[of]?.[part] ?? 0);
    if (what === "differential") return base.differential === null ? say("noLimit") : dollars(base.differential);
    const clock = what === "clocks" ? base.clocks[of as keyof Clocks] : null;
    return typeof clock === "number" ? String(clock / 1000) : null;
  };
  const name = ({ what, of, part }: Clash): string => {
    if (what === "limits" && part !== null) return `${wager(of)}, ${named("limit", part)}`;
    return what === "clocks" ? named("clock", of) : named("setting", what);
  };
  const all = [...new Set(clashes.map((clash) => (value(clash) === null ? name(clash) : say("clash", { what: name(clash), now: value(clash) ?? "" }))))];
  return (
    <div class="tip alert" role="alert">
      <Icon name="alert" />
      <div>{told(say("changedMeanwhile", { what: listed(all) }), say("yoursStays"))}</div>
    </div>
  );
}

const Refusal = ({ refused }: { refused: NotTaken | null }) => refused && <Trouble title={say("notSet", { what: named("setting", refused.what) })} problem={refused.problem} />;

function Bar(props: { n: number; round: number | null; changes: readonly Change[]; approvers: readonly string[]; wanting: boolean; sending: boolean; refused: NotTaken | null; onDiscard: () => void; onSet: (changes: readonly Change[]) => void }) {
  const free = props.changes.filter(({ open }) => !open.approver);
  const mixed = free.length > 0 && free.length < props.changes.length;
  return (
    <div class="sched stick" role="status">
      <Icon name="clock" />
      <div class="grow" id="settings-wait">
        <b class="bold">{say("changesWait", { n: props.n })}</b> {say("fromNextCall")} {props.round !== null && say("roundUntouched", { n: props.round })}{" "}
        {props.approvers.length > 0 && <b class="bold">{say("secondFirst", { who: props.approvers.map(positionName).join(", ") })}</b>}
        <Refusal refused={props.refused} />
      </div>
      <div class="end">
        <button class="btn" onClick={props.onDiscard}>
          {say("discard")}
        </button>
        {mixed && (
          <button class="btn" disabled={props.sending || unread(free)} aria-describedby="settings-wait limits-wrong" onClick={() => props.onSet(free)}>
            {say("onlyFree", { what: free.map(({ what }) => named("setting", what)).join(", ") })}
          </button>
        )}
        <button class="btn primary" disabled={props.sending || props.wanting || props.changes.length === 0} aria-describedby="settings-wait limits-wrong" onClick={() => props.onSet(props.changes)}>
          {say(props.sending ? "sending" : "setFromNext")}
        </button>
      </div>
    </div>
  );
}

const NOBODY: Second = { name: "", password: "", reason: "" };

export function SettingsPage({ name, view }: { name: string; view: TableView }) {
  const { pit, rules } = view;
  const inForce = (pit?.settings ?? null) as SettingsShown | null;
  const second = useSignal<Second>(NOBODY);
  const refused = useSignal<NotTaken | null>(null);
  const sending = useSignal(false);
  const slugs = (rules?.wagers ?? []).map(({ slug }) => slug);
  const cap = rules?.wagers_per_area ?? null;
  const latest = (pit?.scheduled ?? inForce) as SettingsShown | null;
  const base = latest === null ? null : draftOf(latest, slugs, cap);
  const { now, clashes, edit, sends, discard } = useDraft(base);
  if (pit === undefined || rules === null || inForce === null || latest === null || base === null || now === null) return <p class="none">{say("notOpenSettings")}</p>;
  const was = draftOf(inForce, slugs, cap);
  const changes = changesOf(latest, now, pit.may, cap);
  const needed = changes.filter(({ open }) => open.approver).map(({ what }) => what);
  const faulty = unread(now) || Object.entries(now.limits).some(([slug, limit]) => faultOf(limit, openFor(pit.may, "limits"), slug) !== null);
  const unsigned = needed.length > 0 && (second.value.name === "" || second.value.password === "");
  const approvers = [...new Set(changes.flatMap(({ open }) => (open.approver ? [open.approver] : [])))];
  const set = async (wanted: readonly Change[]): Promise<void> => {
    sending.value = true;
    refused.value = null;
    sends();
    try {
      refused.value = await given(name, wanted, second.value);
      if (refused.value !== null) return;
      second.value = NOBODY;
      announce(say("settingsSet"));
    } finally {
      sending.value = false;
    }
  };
  const n = countOf(base, now);
  const shared = { view, now, was, may: pit.may, edit };
  return (
    <>
      <div class="hd">
        <div>
          <h2>{say("tableSettings")}</h2>
          <p>
            {[roomName(rules.room), say(rules.dealt_by === "system" ? "electronic" : "live"), say("version", { rulebook: rules.rulebook, n: rules.version }), view.round === null ? "" : say(roundPlayed(view) === null ? "roundOver" : "inProgress", { n: view.round })]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <div class="end">
          <Link class="btn" to={`/pit/${encodeURIComponent(name)}`}>
            {say("backToTable")}
          </Link>
        </div>
      </div>
      <Scheduled view={view} />
      <Clashes clashes={clashes} base={base} view={view} />
      {n === 0 && <Refusal refused={refused.value} />}
      <div class="c2">
        <div class="col">
          <LimitsPanel {...shared} />
          <TimesPanel {...shared} />
        </div>
        <div class="col">
          <MorePanel {...shared} />
          {changes.length > 0 && <SecondPanel second={second.value} needed={needed} onSecond={(value) => void (second.value = value)} />}
        </div>
      </div>
      {n > 0 && (
        <Bar
          n={n}
          round={roundPlayed(view)}
          changes={changes}
          approvers={unsigned ? approvers : []}
          wanting={faulty || unsigned}
          sending={sending.value || away.value}
          refused={refused.value}
          onDiscard={() => {
            refused.value = null;
            discard();
          }}
          onSet={(wanted) => void set(wanted)}
        />
      )}
    </>
  );
}
