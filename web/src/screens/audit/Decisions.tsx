/** The records of one stream: who asked for what, and what came of it; page by page. */
import { useSignal } from "@preact/signals";
import type { Schemas } from "../../api/types";
import { say as common } from "../../i18n/common";
import { eventName } from "../../i18n/events";
import { clock, count, day } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { refusal, refusalName } from "../../i18n/refusals";
import { Dialog } from "../../parts/Dialog";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { commandName, factsOf, factValue, FREE } from "./facts";
import { say, streamName } from "./say";
import { short, tableOf } from "./verification";

type DecisionShown = Schemas["DecisionShown"];
type DecisionsShown = Schemas["DecisionsShown"];

const PAGE = 50;

/** Why it was refused; the house's own sentence with its figures stands below. */
function RefusedWith(problem: { code: string; detail: string }) {
  const { sentence, own } = refusal(problem as Parameters<typeof refusal>[0]);
  return (
    <span>
      {sentence}
      {own !== null && <small lang="en"> {own}</small>}
    </span>
  );
}

function who(shown: Schemas["WhoShown"]): string {
  if (shown.kind === "system") return say("system");
  const name = shown.name ?? shown.kind;
  return shown.position == null ? name : `${name}, ${positionName(shown.position)}`;
}

/** Facts as lines of name and value; what is nested stands inside. */
function Facts(props: { facts: object | null | undefined; of?: string }) {
  if (props.facts == null) return <p class="sm muted">{say("untold")}</p>;
  return (
    <dl class="facts">
      {factsOf(props.of ?? "", props.facts).flatMap(([name, key, value]) => [
        <dt key={`${name}-name`}>{name}</dt>,
        <dd key={name} class="mono" lang={FREE.has(key) ? "en" : undefined}>
          {factValue(key, value) ?? <Facts facts={value as object} of={key} />}
        </dd>,
      ])}
    </dl>
  );
}

function Record(props: { decision: DecisionShown; onBack: () => void }) {
  const { decision } = props;
  return (
    <Dialog
      title={commandName(decision.command.type)}
      above={<span class="tag">{say("record", { n: count(decision.sequence) })}</span>}
      onBack={props.onBack}
      wide
      foot={
        <button class="btn" onClick={props.onBack}>
          {common("close")}
        </button>
      }
    >
      <div class="stack16">
        <p class="muted">
          {day(decision.moment)} {clock(decision.moment, true)} · {who(decision.by)}
          {decision.approved_by != null && ` · ${say("approved")}: ${who(decision.approved_by)}`}
          {decision.clauses.map((clause) => (
            <span key={clause} class="cite">
              {clause}
            </span>
          ))}
        </p>
        <h3 class="h3">{say("command")}</h3>
        <Facts facts={decision.command.content} />
        {decision.refusal != null && (
          <div class="tip alert">
            <RefusedWith code={decision.refusal.code} detail={decision.refusal.sentence} />
            {decision.refusal.clause != null && <span class="cite">{decision.refusal.clause}</span>}
          </div>
        )}
        <h3 class="h3">{say("events")}</h3>
        {decision.events.length === 0 && <p class="sm muted">{say("noEvents")}</p>}
        {decision.events.map((event, i) => (
          <section key={i} class="event">
            <b>{eventName(event.name)}</b>
            <Facts facts={event.facts} />
          </section>
        ))}
        <dl class="facts">
          <dt>{say("hash")}</dt>
          <dd class="mono">{decision.hash}</dd>
          <dt>{say("id")}</dt>
          <dd class="mono">{decision.command_id}</dd>
          <dt>{say("epoch")}</dt>
          <dd>{decision.epoch}</dd>
          <dt>{say("release")}</dt>
          <dd class="mono">{decision.release}</dd>
        </dl>
      </div>
    </Dialog>
  );
}

export function Decisions(props: { stream: string }) {
  const table = tableOf(props.stream);
  const name = streamName(props.stream);
  const before = useSignal<number | null>(null);
  const kind = useSignal("");
  const opened = useSignal<DecisionShown | null>(null);
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (before.value !== null) query.set("before", String(before.value));
  if (kind.value !== "") query.set("kind", kind.value);
  const [loaded] = useLoaded<DecisionsShown>(`/journal/streams/${encodeURIComponent(props.stream)}/decisions?${query}`);
  const { value, problem } = loaded.value;
  const kinds = [...new Set((value?.decisions ?? []).map((one) => one.command.type))].sort();
  const columns: Column<DecisionShown>[] = [
    {
      name: say("records"),
      cell: (one) => (
        <button class="linkb" aria-label={say("open", { n: one.sequence })} onClick={() => void (opened.value = one)}>
          {count(one.sequence)}
        </button>
      ),
      words: true,
    },
    { name: say("when"), cell: (one) => clock(one.moment, true), words: true },
    { name: say("command"), cell: (one) => commandName(one.command.type), words: true },
    { name: say("by"), cell: (one) => who(one.by), words: true },
    { name: say("approved"), cell: (one) => (one.approved_by == null ? "" : who(one.approved_by)), words: true },
    {
      name: say("result"),
      cell: (one) => (one.accepted ? say("accepted") : <span class="tag alert">{one.refusal == null ? say("refused") : refusalName(one.refusal.code)}</span>),
      words: true,
    },
    { name: say("clause"), cell: (one) => one.clauses.join(", "), words: true, wraps: true },
    { name: say("hash"), cell: (one) => <span class="mono">{short(one.hash)}</span> },
  ];
  const choose = (wanted: string): void => {
    kind.value = wanted;
    before.value = null;
  };
  return (
    <>
      <div class="hd">
        <div>
          <h2>{say("decisionsOf", { stream: name })}</h2>
          <p>{say("decisionsNote", { n: value?.head ?? 0 })}</p>
        </div>
        <div class="end">
          {table !== null && (
            <Link class="btn" to={`/audit/${encodeURIComponent(props.stream)}/rounds`}>
              {say("rounds")}
            </Link>
          )}
          <Link class="btn" to="/audit">
            {say("backToJournal")}
          </Link>
        </div>
      </div>
      <Trouble problem={problem} />
      <section class="pan">
        <header>
          <label class="fld">
            <span class="sr">{say("filter")}</span>
            <select class="in" value={kind.value} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">{say("all")}</option>
              {[...new Set([kind.value, ...kinds])].filter(Boolean).map((one) => (
                <option key={one} value={one}>
                  {commandName(one)}
                </option>
              ))}
            </select>
          </label>
          <span class="end row">
            <span class="sm muted" id="decisions-end">
              {before.value === null && say("newestShown")} {value?.before == null && say("oldestShown")}
            </span>
            <button class="btn small" disabled={before.value === null} aria-describedby="decisions-end" onClick={() => void (before.value = null)}>
              {say("newest")}
            </button>
            <button class="btn small" disabled={value?.before == null} aria-describedby="decisions-end" onClick={() => void (before.value = value?.before ?? null)}>
              {say("older")}
            </button>
          </span>
        </header>
        <Listing
          label={say("decisionsOf", { stream: name })}
          columns={columns}
          rows={value?.decisions ?? []}
          keyOf={(one) => one.sequence}
          none={say("none")}
          marked={(one) => one.approved_by != null}
        />
      </section>
      {opened.value !== null && <Record decision={opened.value} onBack={() => void (opened.value = null)} />}
    </>
  );
}
