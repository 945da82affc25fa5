/** Settings of a table: changed here, with what each was, and in force with the next call for bets. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { give, Refused } from "../../api/http";
import { away } from "../../api/live";
import type { Problem, TableView } from "../../api/types";
import { somebody } from "../../app/session";
import { positionName, roomName } from "../../i18n/names";
import { approvedBy } from "../../parts/acting";
import { announce } from "../../parts/announce";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { Trouble } from "../../parts/Trouble";
import { LimitsPanel, MorePanel, TimesPanel } from "./SettingsPanels";
import { type Change, changesOf, countOf, type Draft, draftOf, faultOf, openFor, roundPlayed, type SettingsShown } from "./settings";
import { named, say } from "./say";

interface Second {
  name: string;
  password: string;
  reason: string;
}

/** Give the changes one after the other; those that need a second person with an approval each. */
async function given(table: string, changes: readonly Change[], second: Second): Promise<void> {
  const reason = second.reason.trim();
  for (const { command, open } of changes) {
    const said = reason === "" ? command : { ...command, reason };
    if (!open.approver) await give(table, said);
    else await approvedBy(second.name, second.password, table, said, somebody.peek()?.name ?? "", (approval) => give(table, said, { approval }));
  }
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

function Bar(props: { n: number; round: number | null; changes: readonly Change[]; approvers: readonly string[]; wanting: boolean; sending: boolean; problem: Problem | null; onDiscard: () => void; onSet: (changes: readonly Change[]) => void }) {
  const free = props.changes.filter(({ open }) => !open.approver);
  const mixed = free.length > 0 && free.length < props.changes.length;
  return (
    <div class="sched stick" role="status">
      <Icon name="clock" />
      <div class="grow" id="settings-wait">
        <b class="bold">{say("changesWait", { n: props.n })}</b> {say("fromNextCall")} {props.round !== null && say("roundUntouched", { n: props.round })}{" "}
        {props.approvers.length > 0 && <b class="bold">{say("secondFirst", { who: props.approvers.map(positionName).join(", ") })}</b>}
        <Trouble problem={props.problem} />
      </div>
      <div class="end">
        <button class="btn" onClick={props.onDiscard}>
          {say("discard")}
        </button>
        {mixed && (
          <button class="btn" disabled={props.sending} onClick={() => props.onSet(free)}>
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
  const draft = useSignal<Draft | null>(null);
  const second = useSignal<Second>(NOBODY);
  const problem = useSignal<Problem | null>(null);
  const sending = useSignal(false);
  const slugs = (rules?.wagers ?? []).map(({ slug }) => slug);
  const cap = rules?.wagers_per_area ?? null;
  const latest = (pit?.scheduled ?? inForce) as SettingsShown | null;
  const basis = latest === null ? null : JSON.stringify([latest, slugs]);
  useEffect(() => {
    draft.value = latest === null ? null : draftOf(latest, slugs, cap);
  }, [basis]);
  if (pit === undefined || rules === null || inForce === null || latest === null) return <p class="none">{say("notOpenSettings")}</p>;
  const base = draftOf(latest, slugs, cap);
  const now = draft.value ?? base;
  const was = draftOf(inForce, slugs, cap);
  const changes = changesOf(latest, now, pit.may, cap);
  const needed = changes.filter(({ open }) => open.approver).map(({ what }) => what);
  const faulty = Object.entries(now.limits).some(([slug, limit]) => faultOf(limit, openFor(pit.may, "limits"), slug) !== null);
  const unsigned = needed.length > 0 && (second.value.name === "" || second.value.password === "");
  const approvers = [...new Set(changes.flatMap(({ open }) => (open.approver ? [open.approver] : [])))];
  const set = async (wanted: readonly Change[]): Promise<void> => {
    sending.value = true;
    problem.value = null;
    try {
      await given(name, wanted, second.value);
      second.value = NOBODY;
      announce(say("settingsSet"));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    } finally {
      sending.value = false;
    }
  };
  const edit = (part: Partial<Draft>): void => void (draft.value = { ...now, ...part });
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
          problem={problem.value}
          onDiscard={() => void (draft.value = base)}
          onSet={(wanted) => void set(wanted)}
        />
      )}
    </>
  );
}
