/** One table: what lies on it, who sits there, its bank, and all that this position may do. */
import { useSignal } from "@preact/signals";
import type { TableView } from "../../api/types";
import { say as common } from "../../i18n/common";
import { clock, count, money, range } from "../../i18n/money";
import { gameTitle, roomName, wagerName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { useActing } from "../../parts/acting";
import { announce } from "../../parts/announce";
import { Dialog } from "../../parts/Dialog";
import { deckOfGame, handOf } from "../../parts/HandCards";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { Road, RoadsNotice, useRoads } from "../../parts/Roads";
import { Trouble } from "../../parts/Trouble";
import { named as commandNamed } from "../dealer/say";
import { type Act, actsOf, atOnce, settable } from "./acts";
import { DecideDialog } from "./Decide";
import { Felt } from "./Felt";
import { type PitTable } from "./floor";
import { PitForm } from "./Form";
import { named, say } from "./say";
import { matterText, matterTitle } from "./Side";
import { sourceOf, StateTag } from "./Tile";
import { choicesOf } from "./decide";
import { type Matter, mattersOf, questionOf } from "./waiting";

/** Ask before what cannot be taken back, such as closing a table. */
function Sure({ act, table, onBack }: { act: Act; table: string; onBack: () => void }) {
  const acting = useActing(table);
  const doIt = async (): Promise<void> => {
    if ((await acting.act({ type: act.command })) === null) return;
    announce(say("done"));
    onBack();
  };
  const title = commandNamed("command", act.command);
  return (
    <Dialog
      title={title}
      onBack={onBack}
      above={<span class="tag">{tableWords(table)}</span>}
      foot={
        <>
          <span class="sp">{say("recorded")}</span>
          <button class="btn" onClick={onBack}>
            {common("back")}
          </button>
          <button class="btn primary" disabled={acting.sending || acting.away} onClick={() => void doIt()}>
            {title}
          </button>
        </>
      }
    >
      <Trouble problem={acting.problem} />
    </Dialog>
  );
}

function Acts({ view, onAct }: { view: TableView; onAct: (act: Act) => void }) {
  const groups = actsOf(view.pit?.may ?? []);
  return (
    <section class="pan" aria-label={say("youMay")}>
      <header>
        <h3>{say("youMay")}</h3>
        <span class="end xs muted">{say("youMayNote")}</span>
      </header>
      <div class="bd2">
        {groups.map(([group, acts]) => (
          <div key={group} class="stack8">
            <h4 class="h3">{named("acts", group)}</h4>
            <div class="acts">
              {acts.map((act) => (
                <button key={act.command} class="btn" onClick={() => onAct(act)}>
                  {commandNamed("command", act.command)}
                  {act.opens[0]?.clause && <span class="cite">{act.opens[0].clause}</span>}
                </button>
              ))}
            </div>
          </div>
        ))}
        {groups.length === 0 && <p class="sm muted">{say("nothingOpen")}</p>}
      </div>
    </section>
  );
}

function Matters({ matters, name, onDecide }: { matters: readonly Matter[]; name: string; onDecide: (matter: Matter) => void }) {
  return (
    <>
      {matters.map((matter) => (
        <div key={matter.kind} class="sched" role="status">
          <div class="grow">
            <b class="bold">{matterTitle(matter)}</b>{" "}
            {matterText(matter)}{" "}
            {matter.clause !== null && <span class="cite">{matter.clause}</span>}
          </div>
          <div class="end">
            {matter.kind === "referral" ? (
              <Link class={matter.answers.length > 0 ? "btn primary" : "btn"} to={`/pit/${encodeURIComponent(name)}/referral`}>
                {say(matter.answers.length > 0 ? "decide" : "seeReferral")}
              </Link>
            ) : (
              matter.answers.length > 0 && (
                <button class="btn primary" onClick={() => onDecide(matter)}>
                  {say("decide")}
                </button>
              )
            )}
          </div>
        </div>
      ))}
    </>
  );
}

function People({ view }: { view: TableView }) {
  const { pit } = view;
  if (pit === undefined) return null;
  const names = new Map((view.rules?.wagers ?? []).map(({ slug, name }) => [slug, wagerName(slug, name)]));
  const credit = new Map(pit.credits.map((one) => [one.patron, one.cents]));
  const staked = (patron: string) =>
    pit.stakes.flatMap((stake) => stake.shares.filter((share) => share.patron === patron).map((share) => `${names.get(stake.wager) ?? stake.wager} ${money(share.cents)}`));
  const lost = new Set(view.lost_terminals);
  const columns: Column<{ patron: string; position: number }>[] = [
    { name: say("patron"), cell: ({ patron }) => patron, words: true },
    {
      name: say("seat"),
      words: true,
      cell: ({ position }) => (
        <>
          {position} {lost.has(position) && <span class="tag alert">{say("terminalLost")}</span>}
        </>
      ),
    },
    { name: say("credit"), cell: ({ patron }) => money(credit.get(patron) ?? 0) },
    { name: say("stakesNow"), cell: ({ patron }) => staked(patron).join(" · "), words: true, wraps: true },
  ];
  return (
    <section class="pan" aria-label={say("patrons")}>
      <header>
        <h3>{say("patrons")}</h3>
        <span class="end xs muted">{say("inPlayNow", { amount: money(pit.in_play_cents) })}</span>
      </header>
      <Listing label={say("patrons")} none={say("nobodySits")} columns={columns} rows={pit.patrons} keyOf={({ patron }) => patron} />
    </section>
  );
}

function BankPanel({ view, table }: { view: TableView; table: PitTable | undefined }) {
  const { pit, rules, shoe, differential } = view;
  if (pit === undefined || rules === null) return null;
  const facts: [string, string][] = [
    [say("dealer"), pit.dealer ?? named("dealt", rules.dealt_by)],
    [say("limits"), range(rules.limits.minimum_cents, rules.limits.maximum_cents)],
    [say("differential"), differential?.limit_cents == null ? say("noLimit") : say("differentialNow", { now: money(differential.cents), limit: money(differential.limit_cents) })],
    [say("shoe"), shoe === null ? say("noShoe") : say("shoeLeft", { name: shoe.name, left: count(shoe.left), of: count(shoe.cards) })],
    [say("inPlay"), money(pit.in_play_cents)],
    [say("bankWin"), money(pit.bank_cents)],
    [say("commission"), money(pit.commission_cents)],
    [say("brought"), money(pit.brought_cents)],
    [say("turnoverToday"), money(table?.turnover_cents ?? 0)],
    [say("dropToday"), money(table?.drop_cents ?? 0)],
  ];
  return (
    <section class="pan" aria-label={say("bank")}>
      <header>
        <h3>{say("tableBank")}</h3>
        <Link class="end btn small" to={`/pit/${encodeURIComponent(table?.summary.name ?? "")}/win`}>
          {say("nav.win")}
        </Link>
      </header>
      <div class="bd2 tight">
        <dl class="facts">
          {facts.map(([name, value]) => (
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

function FeltNow({ view }: { view: TableView }) {
  const hand = (side: "player" | "banker") => {
    const found = handOf(view.hands, side);
    return { cards: (found?.cards ?? []).map(({ face }) => face), points: found?.points ?? null };
  };
  return (
    <Felt
      player={hand("player")}
      banker={hand("banker")}
      deck={deckOfGame(view.rules?.game)}
      label={say("tableNow")}
      head={
        <div class="row">
          <b class="bold">{say("tableNow")}</b>
          {view.power && <span class="end tag brass">Power hand</span>}
        </div>
      }
    >
      {view.waiting > 0 && <p class="aside">{say("besideShoe", { n: view.waiting })}</p>}
    </Felt>
  );
}

export function TablePage({ name, view, table }: { name: string; view: TableView; table: PitTable | undefined }) {
  const acting = useSignal<Act | null>(null);
  const deciding = useSignal<Matter | null>(null);
  const roads = useRoads(view);
  const matters = mattersOf(name, view);
  const rules = view.rules;
  const at = `/pit/${encodeURIComponent(name)}`;
  const begin = (act: Act): void => {
    const matter = matters.find(({ answers }) => answers.some(({ command }) => command === act.command));
    if (matter !== undefined && choicesOf(matter) !== null) deciding.value = matter;
    else acting.value = act;
  };
  const close = (): void => {
    acting.value = null;
    deciding.value = null;
  };
  return (
    <>
      <div class="hd">
        <div>
          <h2>
            {rules === null ? name : gameTitle({ game: rules.game, name: rules.title })} {table !== undefined && <StateTag summary={table.summary} class="phase" />}
          </h2>
          <p>
            {[roomName(rules?.room ?? ""), table === undefined ? "" : sourceOf(table), rules === null ? say("notOpen") : say("version", { rulebook: rules.rulebook, n: rules.version }), view.round === null ? "" : say("roundN", { n: view.round }), view.table_closes === null ? "" : say("closesAt", { time: clock(view.table_closes) })]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <div class="end">
          {rules !== null && settable(view.pit?.may ?? []) && (
            <Link class="btn" to={`${at}/settings`}>
              {say("tableSettings")}
            </Link>
          )}
          <Link class="btn" to={`${at}/recall`}>
            {say("nav.recall")}
          </Link>
          <Link class="btn quiet" to="/pit">
            {say("backToFloor")}
          </Link>
        </div>
      </div>
      <Matters matters={matters} name={name} onDecide={(matter) => void (deciding.value = matter)} />
      <div class="c2">
        <div class="col">
          {rules !== null && <FeltNow view={view} />}
          <People view={view} />
          <Acts view={view} onAct={begin} />
        </div>
        <div class="col">
          <BankPanel view={view} table={table} />
          {rules !== null && (
            <section class="pan" aria-label={say("road")}>
              <header>
                <h3>{say("road")}</h3>
              </header>
              <div class="bd2">
                <Road roads={roads} kind="big" columns={24} cell={18} />
                <RoadsNotice />
              </div>
            </section>
          )}
        </div>
      </div>
      {acting.value !== null &&
        (atOnce(acting.value) ? (
          <Sure act={acting.value} table={name} onBack={close} />
        ) : (
          <PitForm key={acting.value.command} table={name} view={view} commands={[acting.value.command]} onBack={close} />
        ))}
      {deciding.value !== null && <DecideDialog key={questionOf(deciding.value)} asked={deciding.value} matters={matters} view={view} onBack={close} />}
    </>
  );
}
