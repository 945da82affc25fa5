/** The journal at a glance: verified to where, the chain, the streams, and who acted with whom. */
import type { Schemas } from "../../api/types";
import { call, Refused } from "../../api/http";
import { house } from "../../app/session";
import { useSignal } from "@preact/signals";
import type { Problem } from "../../api/types";
import { clock, count, day } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { NotForYou, notFor } from "../../parts/NotForYou";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { commandName } from "./facts";
import { say, streamName } from "./say";
import { asVerified, chained, coverage, finished, linksOf, percent, running, seconds, short, type StreamShown, tableOf, type Verification } from "./verification";

type StreamsShown = Schemas["StreamsShown"];
type Discretion = Schemas["Discretion"];

const FRESH_MS = 5_000;
const RUNNING_MS = 1_000;
const DAYS = 7;

function Banner(props: { all: readonly Verification[] }) {
  const now = running(props.all);
  const last = finished(props.all);
  if (now !== undefined) {
    const note = { done: count(now.decisions_done ?? 0), all: count(now.decisions ?? 0), by: now.by, time: clock(now.began, true) };
    return (
      <div class="okbig" role="status">
        <span class="n">
          <Icon name="clock" />
        </span>
        <div class="grow">
          <b>{say("running")}</b>
          <span class="sm muted">{say("runningNote", note)}</span>
          <progress class="prog" max={100} value={percent(now)} aria-label={say("running")} />
        </div>
      </div>
    );
  }
  if (last?.result == null) {
    return (
      <div class="okbig">
        <span class="n open">
          <Icon name="info" />
        </span>
        <div>
          <b>{say("notVerified")}</b>
          <span class="sm muted">{say("notVerifiedNote")}</span>
        </div>
      </div>
    );
  }
  const { result } = last;
  const words = {
    time: clock(last.ended ?? last.began, true),
    seconds: seconds(last),
    decisions: count(result.decisions),
    checkpoints: count(result.checkpoints),
    postings: count(result.postings),
    findings: result.findings.length,
  };
  return (
    <div class={result.holds ? "okbig" : "okbig off"} role="status">
      <span class="n">
        <Icon name={result.holds ? "check" : "alert"} />
      </span>
      <div>
        <b>{result.holds ? say("verifiedTo", { n: count(result.decisions) }) : say("found", { n: result.findings.length })}</b>
        <span class="sm muted">{say("verifiedNote", words)}</span>
        {result.otherwise > 0 && <p class="sm muted">{say("otherwise", { n: result.otherwise })}</p>}
      </div>
    </div>
  );
}

/** Records of one stream one after the other, the last checkpoint where it covers them; what comes behind it is dashed. */
function Links({ stream, checkpoint }: { stream: StreamShown; checkpoint: Schemas["CheckpointShown"] }) {
  const query = Object.entries(linksOf(stream)).map(([name, value]) => `${name}=${value}`).join("&");
  const [loaded] = useLoaded<Schemas["DecisionsShown"]>(`/journal/streams/${encodeURIComponent(stream.name)}/decisions?${query}`);
  const records = (loaded.value.value?.decisions ?? []).toSorted((a, b) => a.sequence - b.sequence);
  const covered = records.filter(({ sequence }) => sequence <= stream.signed);
  const tail = records.filter(({ sequence }) => sequence > stream.signed);
  const link = (one: Schemas["DecisionShown"], open: boolean) => (
    <div key={one.sequence} class={open ? "bl tailb" : "bl"}>
      <b>{say("record", { n: count(one.sequence) })}</b>
      {open ? say("chainOnly") : commandName(one.command.type)}
      <br />
      <span class="mono">{short(one.hash)}</span>
    </div>
  );
  const signed = (
    <div key="checkpoint" class="bl cp">
      <b>{say("checkpoint", { n: count(checkpoint.number) })}</b>
      {say("signedAt", { time: clock(checkpoint.moment, true) })}
      <br />
      <span class="mono">{short(checkpoint.signature)}</span>
    </div>
  );
  const blocks = [...covered.map((one) => link(one, false)), signed, ...tail.map((one) => link(one, true))];
  return (
    <div class="chainv" role="img" aria-label={say("chainOf", { stream: streamName(stream.name) })}>
      {blocks.flatMap((block, i) => (i === 0 ? [block] : [<span key={`line${i}`} class="ln" />, block]))}
    </div>
  );
}

function Chain(props: { streams: StreamsShown }) {
  const { checkpoint, streams, decisions } = props.streams;
  const stream = chained(streams);
  if (checkpoint == null || stream === undefined) return <p class="xs muted">{say("noCheckpoint")}</p>;
  const behind = decisions - checkpoint.decisions;
  const name = streamName(stream.name);
  const words = { number: count(checkpoint.number), time: clock(checkpoint.moment, true), key: short(checkpoint.key) };
  return (
    <>
      <Links key={stream.name} stream={stream} checkpoint={checkpoint} />
      <p class="xs muted">
        {behind === 0 ? `${name} · ${say("coveredAll", words)}` : say("covered", { ...words, stream: name, own: stream.decisions - stream.signed, n: count(behind) })}
      </p>
    </>
  );
}

/** Those of the house first, then tables by their number. */
const byNumber = (a: StreamShown, b: StreamShown): number =>
  Number(tableOf(a.name) !== null) - Number(tableOf(b.name) !== null) || streamName(a.name).localeCompare(streamName(b.name));

function Streams(props: { streams: readonly StreamShown[] }) {
  const columns: Column<StreamShown>[] = [
    {
      name: say("stream"),
      cell: (stream) => (
        <Link to={`/audit/${encodeURIComponent(stream.name)}`} class="linkb">
          {streamName(stream.name)}
        </Link>
      ),
      words: true,
    },
    { name: say("records"), cell: (stream) => count(stream.decisions) },
    { name: say("head"), cell: (stream) => <span class="mono">{short(stream.hash)}</span> },
    { name: say("behind"), cell: (stream) => count(stream.decisions - stream.signed) },
    {
      name: say("state"),
      cell: (stream) => {
        const known = coverage(stream);
        return known === "partly" ? say("state.partly", { n: count(stream.verified ?? 0) }) : say(`state.${known}`);
      },
      words: true,
    },
  ];
  return (
    <section class="pan" aria-labelledby="audit-streams">
      <header>
        <h3 id="audit-streams">{say("streams")}</h3>
      </header>
      <Listing label={say("streams")} columns={columns} rows={props.streams.toSorted(byNumber)} keyOf={(stream) => stream.name} none={say("none")} />
    </section>
  );
}

function Checks(props: { verified: Schemas["VerifiedShown"] | null }) {
  const { verified } = props;
  const rows: [string, string | null][] = [
    [say("check.chain"), verified && say("check.chainNote")],
    [say("check.decisions"), verified && say("check.decisionsNote", { n: count(verified.decisions), refusals: count(verified.refusals) })],
    [say("check.checkpoints"), verified && say("check.checkpointsNote", { n: count(verified.checkpoints) })],
    [say("check.shoes"), verified && say("check.shoesNote", { n: count(verified.openings), lost: count(verified.lost_shoes) })],
    [say("check.ledger"), verified && say("check.ledgerNote", { n: count(verified.postings), settlements: count(verified.settlements) })],
  ];
  return (
    <section class="pan" aria-labelledby="audit-checked">
      <header>
        <h3 id="audit-checked">{say("checked")}</h3>
      </header>
      <ul class="ck">
        {rows.map(([name, note], i) => (
          <li key={name} class={note === null ? "" : "done"}>
            <span class="n">{note === null ? i + 1 : <Icon name="check" size="small" />}</span>
            <b>{name}</b>
            <p>{note ?? say("check.notYet")}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Findings(props: { findings: readonly Schemas["Finding"][] }) {
  if (props.findings.length === 0) return null;
  const columns: Column<Schemas["Finding"]>[] = [
    { name: say("stream"), cell: (finding) => streamName(finding.stream), words: true },
    { name: say("records"), cell: (finding) => count(finding.sequence) },
    { name: say("finding"), cell: (finding) => finding.sentence, words: true, wraps: true },
  ];
  return (
    <section class="pan">
      <Listing label={say("finding")} columns={columns} rows={props.findings} keyOf={(f) => `${f.stream}-${f.sequence}-${f.kind}`} none="" marked={() => true} />
    </section>
  );
}

function SecondPeople() {
  const [loaded] = useLoaded<Schemas["DiscretionsShown"]>(`/performance/discretions?days=${DAYS}`);
  const acts = (loaded.value.value?.acts ?? []).filter((act) => act.second != null);
  const columns: Column<Discretion>[] = [
    { name: say("when"), cell: (act) => `${day(act.moment)} ${clock(act.moment, true)}`, words: true },
    { name: say("table"), cell: (act) => (act.table === null ? say("cage") : tableWords(act.table)), words: true },
    { name: say("act"), cell: (act) => commandName(act.command), words: true },
    { name: say("by"), cell: (act) => (act.position == null ? act.by : `${act.by}, ${positionName(act.position)}`), words: true },
    { name: say("approved"), cell: (act) => act.second ?? "", words: true },
    { name: say("clause"), cell: (act) => act.clause ?? "", words: true },
    { name: say("reason"), cell: (act) => act.reason && <span lang="en">{act.reason}</span>, words: true, wraps: true },
  ];
  return (
    <section class="pan" aria-labelledby="audit-second">
      <header>
        <h3 id="audit-second">{say("second")}</h3>
        <span class="end xs muted">
          {acts.length} · {say("lastDays", { n: DAYS })}
        </span>
      </header>
      <Trouble problem={loaded.value.problem} />
      <Listing label={say("second")} columns={columns} rows={acts} keyOf={(act) => `${act.table}-${act.sequence}`} none={say("secondNone")} />
    </section>
  );
}

function Checkpoints() {
  const [loaded] = useLoaded<Schemas["CheckpointShown"][]>("/journal/checkpoints?limit=20");
  const columns: Column<Schemas["CheckpointShown"]>[] = [
    { name: say("number"), cell: (one) => count(one.number), words: true },
    { name: say("when"), cell: (one) => `${day(one.moment)} ${clock(one.moment, true)}`, words: true },
    { name: say("decisions"), cell: (one) => count(one.decisions) },
    { name: say("key"), cell: (one) => <span class="mono">{short(one.key)}</span> },
    { name: say("signature"), cell: (one) => <span class="mono">{short(one.signature)}</span> },
  ];
  return (
    <section class="pan" aria-labelledby="audit-checkpoints">
      <header>
        <h3 id="audit-checkpoints">{say("checkpoints")}</h3>
      </header>
      <div class="tall" tabIndex={0} role="group" aria-label={say("checkpoints")}>
        <Listing label={say("checkpoints")} columns={columns} rows={loaded.value.value ?? []} keyOf={(one) => one.number} none={say("noCheckpoint")} />
      </div>
    </section>
  );
}

export function Overview() {
  const [verifications, again] = useLoaded<Verification[]>("/journal/verifications", RUNNING_MS);
  const [streams] = useLoaded<StreamsShown>("/journal/streams", FRESH_MS);
  const problem = useSignal<Problem | null>(null);
  const all = verifications.value.value ?? [];
  const last = finished(all);
  const now = running(all);
  const verifying = now !== undefined;
  const verify = async (): Promise<void> => {
    problem.value = null;
    try {
      await call("POST", "/journal/verifications");
      again();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    }
  };
  if (streams.value.value === null && notFor(streams.value.problem)) return <NotForYou />;
  return (
    <>
      <div class="hd">
        <div>
          <h2>{say("journal")}</h2>
          <p>{say("streamsOf", { house: house.value?.name ?? "", n: streams.value.value?.streams.length ?? 0 })}</p>
        </div>
        <div class="end">
          <a class="btn" href="/api/v1/journal/export?form=json" download>
            <Icon name="down" />
            {say("exportJson")}
          </a>
          <a class="btn" href="/api/v1/journal/export?form=csv" download>
            <Icon name="down" />
            {say("exportCsv")}
          </a>
          <button class="btn primary" disabled={verifying} onClick={() => void verify()}>
            {!verifying ? say(last === undefined ? "verify" : "verifyAgain") : say("verifying", { percent: percent(now) })}
          </button>
        </div>
      </div>
      <Trouble problem={problem.value ?? verifications.value.problem ?? streams.value.problem} />
      <section class="pan">
        <div class="bd2">
          <Banner all={all} />
          {streams.value.value !== null && <Chain streams={streams.value.value} />}
        </div>
      </section>
      <Findings findings={last?.result?.findings ?? []} />
      <div class="c2 even">
        <Streams streams={asVerified(streams.value.value?.streams ?? [], last)} />
        <Checks verified={last?.result ?? null} />
      </div>
      <SecondPeople />
      <Checkpoints />
    </>
  );
}
