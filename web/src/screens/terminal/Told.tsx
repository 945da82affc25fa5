/**
 * A round that is void, or a settlement that was put right, told until it was read: in place of
 * the hint, covering nothing. Whoever was away finds it on coming back.
 */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { listed, told as sentences } from "../../i18n/lists";
import { money, signed } from "../../i18n/money";
import { wagerBySlug } from "../../i18n/names";
import { voidReason } from "../../i18n/voids";
import { announce } from "../../parts/announce";
import { Icon } from "../../parts/Icon";
import { keep, kept, ownPlace } from "../../state/kept";
import { correctedOf, toTell, wasRead, whatOf, type Happened, type Read } from "./model/happened";
import { sum } from "./model/slip";
import { ShortCard } from "./sheets/parts";
import { openSheet, useHere, type Here } from "./table";
import { mendedWords, nameOf, say } from "./words";

const place = (table: string): string => ownPlace("told", table);
/** It changes when something was read, so that whoever shows it looks again. */
const readings = signal(0);

function lastRead(table: string): Read | null {
  const found = kept(place(table)) as Partial<Read> | null;
  return typeof found?.round === "number" && typeof found.what === "string" ? { round: found.round, what: found.what } : null;
}

function read(of: Happened): void {
  keep(place(of.table), { round: of.round, what: whatOf(of) } satisfies Read);
  readings.value += 1;
}

/** What is to be told here now; while a corrected round is being paid, from the table itself. */
function happenedHere({ name, view, own, rounds }: Here): Happened | null {
  const paying = view.phase === "SETTLED" && view.round !== null ? correctedOf(name, view.round, own) : null;
  const found = paying ?? toTell(rounds, name, lastRead(name));
  return found === null || wasRead(found, lastRead(name)) ? null : found;
}

/** It is of a round before the one that is shown. */
export const isEarlier = (of: Happened, { round }: Here["view"]): boolean => round !== null && of.round < round;

/** The same, read as soon as bets of a later round are confirmed; what comes after them was not read with them. */
export function useTold(): Happened | null {
  const here = useHere();
  void readings.value;
  const found = happenedHere(here);
  const staked = sum(here.betting.accepted.value) > 0 ? here.view.round : null;
  const before = useRef(staked);
  const confirmed = found !== null && staked !== null && staked !== before.current && staked !== found.round;
  useEffect(() => {
    before.current = staked;
    if (confirmed) read(found);
  }, [staked]);
  return confirmed ? null : found;
}

/** Names of wagers of a table that plays another game by now are known by their slugs. */
const wagerOf = ({ view }: Here, slug: string): string => (view.rules?.wagers.some((one) => one.slug === slug) ? nameOf(view, slug) : wagerBySlug(slug));

function whyCorrected({ view }: Here, { decided, round }: Happened): string {
  if (decided) return say("toldByPit");
  return view.mended !== null && view.round === round ? mendedWords(view.mended) : say("toldAnew");
}

/** What happened and why, in sentences. */
function textOf(here: Here, of: Happened): string {
  if (of.kind === "corrected") return whyCorrected(here, of);
  const why = of.why === null ? say("voidWhy") : voidReason(of.why).trim();
  const back = say("voidText", { why, cents: money(of.rows.reduce((all, { cents }) => all + cents, 0)) });
  return sentences(back, of.reversed ? say("toldReversed") : "");
}

const rowsOf = (here: Here, { kind, rows }: Happened): string[] =>
  rows.map(({ wager, before, cents }) =>
    kind === "void" ? say("toldBack", { wager: wagerOf(here, wager), cents: money(cents) }) : say("toldChanged", { wager: wagerOf(here, wager), before: signed(before), after: signed(cents) }),
  );

const titleOf = ({ kind, round }: Happened): string => say(kind === "void" ? "toldVoid" : "toldCorrected", { round });

/** What became of cards and die. */
function Gone({ of }: { of: Happened }) {
  if (of.cards.length === 0 && of.die === null) return null;
  return (
    <p class="gone">
      {of.cards.length > 0 && (
        <>
          {say("toldCards")} {of.cards.map((face, n) => <ShortCard key={n} face={face} />)}{" "}
        </>
      )}
      {of.die !== null && say("toldDie", { die: of.die })}
    </p>
  );
}

export function Told({ of, small }: { of: Happened; small?: boolean }) {
  const here = useHere();
  const box = useRef<HTMLDivElement>(null);
  const [title, text, rows] = [titleOf(of), textOf(here, of), rowsOf(here, of)];
  useEffect(() => announce(sentences(title, text, `${listed(rows)}.`), true), [of.round, whatOf(of)]);
  const close = (): void => {
    const around = box.current?.closest<HTMLElement>("main, article");
    read(of);
    // The focus stays near: at the spots, which the message stood above.
    around?.querySelector<HTMLElement>("[data-wager]")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  const id = `told-${of.table}`;
  return (
    <div class={small ? "told small" : "toast told"} role="dialog" aria-labelledby={id} aria-describedby={`${id}-text`} ref={box} data-region onKeyDown={onKeyDown}>
      <Icon name="info" />
      <div class="grow" id={`${id}-text`}>
        <b id={id}>{title}</b>
        <p>
          {text} {of.clause !== null && <span class="cite">{of.clause}</span>}
        </p>
        <p class="rows">
          {rows.map((row, n) => [n > 0 && <i key={n}> · </i>, <span key={row}>{row}</span>])}
        </p>
        <Gone of={of} />
      </div>
      {!small && (
        <button class="btn" onClick={() => openSheet(here.name, "history")}>
          {say("seeRound")}
        </button>
      )}
      <button class="iconbtn" aria-label={say("closeTold")} onClick={close}>
        <Icon name="clear" />
      </button>
    </div>
  );
}
