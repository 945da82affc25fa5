/** The panels of a table's settings. What this position does not set can be read, and says so. */
import type { Open, TableView } from "../../api/types";
import { currency } from "../../app/session";
import { dollars } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import { Figure } from "../../parts/Figure";
import { Icon } from "../../parts/Icon";
import { amounts, values } from "../../state/may";
import { type Clocks, type Draft, faultOf, inOrder, type LimitPart, LIMITS, methodsOf, openFor, optionalOf, toggled } from "./settings";
import { named, say } from "./say";

interface PanelProps {
  view: TableView;
  now: Draft;
  was: Draft;
  may: readonly Open[];
  edit: (part: Partial<Draft>) => void;
}

const inCurrency = (what: string): string => say("inCurrency", { what, symbol: currency() });

const Was = ({ text, id }: { text: string | null; id?: string }) =>
  text === null ? null : (
    <span class="chg" id={id}>
      {say("was", { value: text })}
    </span>
  );

const NotYours = ({ open }: { open: Open | undefined }) => (open === undefined ? <p class="xs muted">{say("notYours")}</p> : null);

type LimitProps = Omit<PanelProps, "view" | "may"> & { slug: string; title: string; open: Open | undefined };

/** One limit: what it was stands at the field itself, since several of a row may change. */
function LimitField({ slug, title, part, limit, before, bad, open, onCents }: Pick<LimitProps, "slug" | "title" | "open"> & { part: LimitPart; limit: number; before: number; bad: boolean; onCents: (cents: number) => void }) {
  const changed = limit !== before;
  const id = `was-${slug}-${part}`;
  return (
    <td data-l={named("limit", part)}>
      <Figure
        kind="cents"
        value={limit}
        onValue={(cents) => cents !== null && onCents(cents)}
        changed={changed}
        bad={bad}
        label={`${title}, ${named("limit", part)}`}
        note={changed ? id : undefined}
        readOnly={open === undefined}
      />
      {changed && <Was id={id} text={dollars(before)} />}
    </td>
  );
}

function LimitRow({ slug, title, now, was, open, edit }: LimitProps) {
  const limit = now.limits[slug];
  const before = was.limits[slug];
  if (limit === undefined || before === undefined) return null;
  const fault = faultOf(limit, open, slug);
  return (
    <tr>
      <td class="wrapc">
        <b>{title}</b> {fault !== null && fault !== "unread" && <span class="fault">{named("fault", fault)}</span>}
      </td>
      {LIMITS.map((part) => (
        <LimitField
          key={part}
          slug={slug}
          title={title}
          part={part}
          limit={limit[part]}
          before={before[part]}
          bad={fault !== null && fault !== "unread"}
          open={open}
          onCents={(cents) => edit({ limits: { ...now.limits, [slug]: { ...limit, [part]: cents } } })}
        />
      ))}
    </tr>
  );
}

export function LimitsPanel({ view, now, was, may, edit }: PanelProps) {
  const open = openFor(may, "limits");
  const wagers = inOrder(view.rules?.wagers ?? []);
  const faults = wagers.flatMap(({ slug, name }) => {
    const limit = now.limits[slug];
    const fault = limit === undefined ? null : faultOf(limit, open, slug);
    return fault === null ? [] : [`${wagerName(slug, name)}: ${named("fault", fault)}`];
  });
  const optional = optionalOf(may, now);
  const offering = openFor(may, "optional");
  return (
    <section class="pan" aria-label={say("limits")}>
      <header>
        <h3>{inCurrency(say("limits"))}</h3>
        {open?.clause && <span class="end cite">{open.clause}</span>}
      </header>
      <div class="tblbox">
        <table class="tbl lims">
          <thead>
            <tr>
              <th>{say("wager")}</th>
              {LIMITS.map((part) => (
                <th key={part}>{named("limit", part)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {wagers.map(({ slug, name }) => (
              <LimitRow key={slug} slug={slug} title={wagerName(slug, name)} now={now} was={was} open={open} edit={edit} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="bd2">
        <NotYours open={open} />
        <div class={faults.length > 0 ? "tip alert" : "tip"} role={faults.length > 0 ? "alert" : undefined}>
          <Icon name={faults.length > 0 ? "alert" : "info"} />
          <div id="limits-wrong">{faults.length > 0 ? faults.join(" · ") : say("stepsNote")}</div>
        </div>
        {offering !== undefined &&
          optional.map(({ slug, on }) => {
            const before = was.optional === null || was.optional.includes(slug);
            const title = wagers.find((wager) => wager.slug === slug)?.name ?? slug;
            return (
              <button key={slug} class="swrow" role="switch" aria-checked={on} onClick={() => edit({ optional: toggled(optional, slug) })}>
                <span class="sw" />
                <span class="grow">
                  <b class="bold">{wagerName(slug, title)}</b> {before !== on && <Was text={say(before ? "offered" : "notOffered")} />}
                  <br />
                  <span class="xs muted">{say("optionalWager")}</span>
                </span>
              </button>
            );
          })}
      </div>
    </section>
  );
}

function Segments(props: { label: string; values: readonly { value: string; name: string; off?: boolean }[]; why?: string; value: string; onValue: (value: string) => void }) {
  return (
    <div class="seg" role="radiogroup" aria-label={props.label}>
      {props.values.map(({ value, name, off }) => (
        <button key={value} type="button" role="radio" aria-checked={value === props.value} disabled={off} aria-describedby={off ? props.why : undefined} onClick={() => props.onValue(value)}>
          {name}
        </button>
      ))}
    </div>
  );
}

const CAPS = [1, 2, 3];

function Differential({ now, was, may, edit }: PanelProps) {
  const open = openFor(may, "differential");
  const range = amounts(open, "cents");
  const changed = now.differential !== was.differential;
  return (
    <div class="stack8">
      <label class="fld">
        {inCurrency(say("differential"))}
        <Figure
          kind="cents"
          optional={values(open, "cents").includes(null) || range === null}
          value={now.differential}
          onValue={(differential) => edit({ differential })}
          changed={changed}
          placeholder={say("noLimit")}
          readOnly={open === undefined}
        />
      </label>
      {changed && <Was text={was.differential === null ? say("noLimit") : dollars(was.differential)} />}
      <NotYours open={open} />
    </div>
  );
}

export function MorePanel(props: PanelProps) {
  const { view, now, was, may, edit } = props;
  const methods = methodsOf(view, may);
  const cap = openFor(may, "cap");
  const capRange = amounts(cap, "wagers");
  const hasDifferential = view.rules?.differential != null || openFor(may, "differential") !== undefined || now.differential !== null;
  const clauses = (["method", "differential", "cap"] as const).flatMap((what) => openFor(may, what)?.clause ?? []);
  if (methods.length === 0 && now.cap === null && !hasDifferential) return null;
  return (
    <section class="pan" aria-label={say("methodAndMore")}>
      <header>
        <h3>{say("methodAndMore")}</h3>
        {clauses.length > 0 && <span class="end cite">{clauses.join(", ")}</span>}
      </header>
      <div class="bd2">
        {methods.length > 0 && (
          <>
            <Segments
              label={say("methodLabel")}
              value={now.method ?? ""}
              values={methods.map(({ method, may: allowed }) => ({ value: method, name: named("method", method), off: !allowed && method !== now.method }))}
              why="method-why"
              onValue={(method) => edit({ method })}
            />
            <p class="xs muted" id="method-why">
              {openFor(may, "method") === undefined ? say("notYours") : methods.some(({ method, may: allowed }) => method === "C" && !allowed) && say("methodC")}{" "}
              {now.method !== was.method && <Was text={was.method} />}
            </p>
          </>
        )}
        {(hasDifferential || now.cap !== null) && (
          <div class={methods.length > 0 ? "two part" : "two"}>
            {hasDifferential && <Differential {...props} />}
            {now.cap !== null && (
              <div class="fld">
                {say("perArea")}
                <Segments
                  label={say("perArea")}
                  value={String(now.cap)}
                  values={CAPS.map((n) => ({ value: String(n), name: String(n), off: n !== now.cap && (capRange === null || n < capRange.minimum || n > capRange.maximum) }))}
                  why="cap-why"
                  onValue={(n) => edit({ cap: Number(n) })}
                />
                {now.cap !== was.cap && <Was text={String(was.cap)} />}
                <span class="xs muted" id="cap-why">
                  {cap === undefined ? say("notYours") : capRange !== null && say("capRange", { from: capRange.minimum, to: capRange.maximum })}
                </span>
              </div>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

const TIMES = ["betting_ms", "pause_ms", "pace_ms", "answer_ms"] as const satisfies readonly (keyof Clocks)[];

/** Who deals by the settings; a Dealer who signs in deals where the house does, and the pit shows that Dealer. */
function DealtBy({ view, now, was, edit, dealers }: PanelProps & { dealers: readonly string[] }) {
  const byDealer = view.rules?.dealt_by === "dealer" && was.dealtBy === "house";
  return (
    <div class="fld part">
      {say("dealtBy")}
      <Segments label={say("dealtBy")} value={now.dealtBy} values={dealers.map((value) => ({ value, name: named("dealt", value) }))} onValue={(value) => edit({ dealtBy: value })} />
      {now.dealtBy === "house" && (
        <small>
          {say("houseUntil")} {byDealer && say("dealerNow")}
        </small>
      )}
      {now.dealtBy !== was.dealtBy && <Was text={named("dealt", was.dealtBy)} />}
    </div>
  );
}

/** How long the system waits, and who deals. */
export function TimesPanel(props: PanelProps) {
  const { now, was, may, edit } = props;
  const clocks = openFor(may, "clocks");
  const dealt = openFor(may, "dealtBy");
  const dealers = values(dealt, "dealt_by").map(String);
  if (clocks === undefined && dealt === undefined) return null;
  return (
    <section class="pan" aria-label={say("clocks")}>
      <header>
        <h3>{say("clocks")}</h3>
        <span class="end muted xs">{say("inSeconds")}</span>
      </header>
      <div class="bd2">
        {clocks !== undefined && (
          <div class="two">
            {TIMES.map((name) => (
              <label key={name} class="fld">
                {named("clock", name)}
                <Figure
                  kind="seconds"
                  value={now.clocks[name]}
                  onValue={(ms) => ms !== null && edit({ clocks: { ...now.clocks, [name]: ms } })}
                  changed={now.clocks[name] !== was.clocks[name]}
                />
                {now.clocks[name] !== was.clocks[name] && <Was text={String(was.clocks[name] / 1000)} />}
              </label>
            ))}
          </div>
        )}
        {clocks !== undefined && (
          <button class="swrow" role="switch" aria-checked={now.clocks.waits_for_patrons} onClick={() => edit({ clocks: { ...now.clocks, waits_for_patrons: !now.clocks.waits_for_patrons } })}>
            <span class="sw" />
            <span class="grow">
              {named("clock", "waits_for_patrons")}{" "}
              {now.clocks.waits_for_patrons !== was.clocks.waits_for_patrons && <Was text={say(was.clocks.waits_for_patrons ? "yes" : "no")} />}
            </span>
          </button>
        )}
        {dealers.length > 1 && <DealtBy {...props} dealers={dealers} />}
      </div>
    </section>
  );
}
