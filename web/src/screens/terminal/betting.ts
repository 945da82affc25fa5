/**
 * The bets of one patron at one table: what is wanted, what is on its way, what was refused. The
 * server's view says what is accepted; nothing here is shown as accepted before.
 */
import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { Refused } from "../../api/http";
import { command, connection } from "../../api/live";
import type { Topic } from "../../api/topics";
import type { OwnPart, Problem, SocketSchemas, TableView, WagerShown } from "../../api/types";
import { type Barred, barredHere, type Left } from "./model/left";
import { acceptedOf, doubled, freeOf, plan, remedy, repeated, same, sum, tidied, troubleOf, withChip, without, type Answer, type Step, type Targets, type Trouble } from "./model/slip";
import { keepSlip, keptSlip } from "./kept";
import { preferences } from "./preferences";
import { betsOpen } from "./table";

export type Batch = "repeat" | "double";
export type SlipAct = "undo" | "clear" | Batch;
/** Why an act of the slip cannot be done: the state of the table or the terminal, nothing is there for it, or it is done. */
export type Unable = "lost" | "down" | "held" | "closed" | "same" | SlipAct;

/** A wager that is not on the felt, and why. */
export interface Why {
  wager: string | null;
  cents: number;
  trouble: Trouble | null;
  problem: Problem | null;
}

/** Why something is not on the felt; it stays until the next action. */
export interface Notice extends Why {
  /** "chip": it was not put down; "refused": it was, and cannot be placed. */
  kind: "chip" | "refused" | "late" | "unsent" | "unable" | Batch;
  /** What cannot be done, and why not. */
  unable: { act: SlipAct; why: Unable } | null;
  /** An amount that would be accepted instead. */
  remedy: number | null;
  /** What was refused together with it. */
  also: readonly Why[];
}

export interface Betting {
  wanted: ReadonlySignal<Targets>;
  accepted: ReadonlySignal<Targets>;
  /** Wagers whose commands are on their way. */
  sending: Signal<Readonly<Record<string, number>>>;
  refused: Signal<Readonly<Record<string, number>>>;
  notice: Signal<Notice | null>;
  /** Bets are open, and the house hears what is put down or taken back. */
  open: ReadonlySignal<boolean>;
  /** Why the house would take no stake of this patron; null: nothing is in the way. */
  barred: ReadonlySignal<Barred | null>;
  left: ReadonlySignal<Left | null>;
  /** Bets are open, and stakes may be added. */
  able: ReadonlySignal<boolean>;
  free: ReadonlySignal<number>;
  /** Whether something waits for Confirm. */
  unsent: ReadonlySignal<number>;
  undoable: ReadonlySignal<boolean>;
  /** What lay in the newest round before this one with stakes: what Repeat puts down. */
  last: Signal<Targets>;
  /** What lay in the round that is shown, until it was settled or void; empty: nothing did. */
  staked: Signal<Targets>;
  tap: (wager: WagerShown, chip: number) => void;
  clearSpot: (slug: string) => void;
  clear: () => void;
  undo: () => void;
  repeat: () => void;
  double: () => void;
  /** Say why something cannot be done. */
  cannot: (act: SlipAct, why: Unable) => void;
  confirm: () => void;
  /** Want exactly this much on a spot, and send it. */
  place: (slug: string, cents: number) => void;
  /** The house tells what lay in a finished round, of which this page may have seen nothing. */
  recalled: (round: number, stakes: Targets) => void;
  dispose: () => void;
}

type Table = Signal<Topic<TableView> | null>;
type Mine = ReadonlySignal<Topic<SocketSchemas["Mine"]> | null>;
type Own = Pick<OwnPart, "stakes" | "credit_cents" | "seat"> & { left: Left | null };
const NO_OWN: Omit<Own, "left"> = { stakes: [], credit_cents: 0, seat: null };
/** How long it is said that nothing can be changed: no action may follow that takes it away. */
const SAID_MS = 4_000;
const passes = ({ act, why }: NonNullable<Notice["unable"]>): boolean => why !== act;
const LATE = new Set(["other_round", "bets_closed", "bets_not_open", "no_round", "wrong_phase"]);

/** While stakes lie on the felt; afterwards they were paid, or came back. */
const LYING = new Set<TableView["phase"]>(["OPEN", "SHAKE", "CLOSED", "DEALING", "RESULT"]);

class Slip implements Betting {
  private readonly draft = signal<Targets>({});
  private readonly stack = signal<readonly Targets[]>([]);
  /** What Repeat or Double did, while nothing else was done since. */
  private all: { kind: Batch; before: Targets } | null = null;
  private round: number | null | undefined;
  /** What lies in this round: what Repeat puts down in the next one. */
  private lying: Targets = {};
  private lastRound = -1;
  private over = false;
  private readonly stop: () => void;

  readonly sending = signal<Readonly<Record<string, number>>>({});
  readonly refused = signal<Readonly<Record<string, number>>>({});
  readonly notice = signal<Notice | null>(null);
  readonly last = signal<Targets>({});
  readonly staked = signal<Targets>({});
  readonly accepted: ReadonlySignal<Targets>;
  readonly wanted: ReadonlySignal<Targets>;
  readonly open: ReadonlySignal<boolean>;
  readonly barred: ReadonlySignal<Barred | null>;
  readonly left: ReadonlySignal<Left | null>;
  readonly able: ReadonlySignal<boolean>;
  readonly free: ReadonlySignal<number>;
  readonly unsent: ReadonlySignal<number>;
  readonly undoable: ReadonlySignal<boolean>;

  constructor(
    private readonly name: string,
    private readonly table: Table,
    private readonly mine: Mine,
  ) {
    this.accepted = computed(() => acceptedOf(this.own.stakes));
    this.wanted = computed(() => tidied({ ...this.accepted.value, ...this.draft.value }));
    this.open = computed(() => connection.value === "live" && this.view !== undefined && betsOpen(this.view));
    this.left = computed(() => this.mine.value?.view.left ?? null);
    this.barred = computed(() => barredHere(this.left.value, this.own.stakes));
    this.able = computed(() => this.open.value && this.barred.value === null);
    this.free = computed(() => freeOf(this.wanted.value, this.own));
    this.unsent = computed(() => Math.max(0, sum(this.wanted.value) - sum(this.accepted.value)));
    this.undoable = computed(() => this.stack.value.length > 0);
    this.stop = effect(() => this.heard());
  }

  private get view(): TableView | undefined {
    return this.table.value?.view;
  }
  private get own(): Own {
    const { stakes, credit_cents, seat } = this.view?.own ?? NO_OWN;
    return { stakes, credit_cents, seat, left: this.left.value };
  }
  private get wagers(): readonly WagerShown[] {
    return this.view?.rules?.wagers ?? [];
  }

  /** The table moved: a new round forgets what was wanted in the last one. */
  private heard(): void {
    const view = this.view;
    if (view === undefined) return;
    const stakes = this.accepted.value;
    // While several come back one by one, what is left of them is not what was staked last.
    const leaving = Object.values(this.sending.value).some((cents) => cents < 0);
    if (view.round !== this.round) {
      if (this.round != null) this.remember(this.round, this.lying);
      this.lying = {};
      this.staked.value = {};
      const kept = this.round === undefined ? keptSlip(this.name, view.round) : {};
      this.round = view.round;
      this.over = false;
      this.forget(true);
      // A page that is loaded again has what was not sent, and does not send it by itself.
      this.wish(kept);
      // Undo takes that back as a whole: how it was put together is not kept.
      if (Object.keys(kept).length > 0) this.stack.value = [stakes];
    }
    if (!leaving && LYING.has(view.phase)) this.lying = stakes;
    if (LYING.has(view.phase)) this.staked.value = stakes;
    if (view.phase !== "OPEN") this.closed();
    if (!this.over && (view.outcome !== null || view.phase === "VOID")) this.decided();
  }

  /** What lay in a round that is over stands ready for Repeat. */
  private remember(round: number, stakes: Targets): void {
    if (sum(stakes) === 0) return;
    this.lastRound = round;
    this.last.value = stakes;
  }

  /** The result takes the place of what was refused before. */
  private decided(): void {
    this.over = true;
    this.hush();
  }

  private forget(quiet: boolean): void {
    this.all = null;
    batch(() => {
      this.wish({});
      this.stack.value = [];
      this.refused.value = {};
      if (quiet) this.notice.value = null;
    });
  }

  /** Bets are closed: what was not sent is not in the round, and is said once. */
  private closed(): void {
    const said = this.notice.peek();
    if (said?.kind === "chip" || (said?.unable != null && !passes(said.unable))) this.hush();
    const flying = this.sending.peek();
    const wanted = Object.entries(this.draft.peek()).filter(([slug]) => flying[slug] === undefined);
    if (wanted.length === 0) return;
    const cents = wanted.reduce((total, [slug, target]) => total + Math.max(0, target - (this.accepted.peek()[slug] ?? 0)), 0);
    this.forget(false);
    if (cents > 0) this.said({ kind: "unsent", cents });
  }

  private wish(draft: Targets): void {
    this.draft.value = draft;
    keepSlip(this.name, this.round ?? null, draft);
  }

  private hush(): void {
    batch(() => {
      this.refused.value = {};
      this.notice.value = null;
    });
  }

  private want(targets: Targets): void {
    const accepted = this.accepted.peek();
    // What is on its way changes what is accepted: a wish that is equal to it now would be lost.
    const flying = this.sending.peek();
    const slugs = new Set([...Object.keys(accepted), ...Object.keys(targets), ...Object.keys(flying)]);
    const differs = [...slugs].filter((slug) => slug in flying || (targets[slug] ?? 0) !== (accepted[slug] ?? 0));
    this.wish(Object.fromEntries(differs.map((slug) => [slug, targets[slug] ?? 0])));
  }

  private acted(targets: Targets, kind: Batch | null = null): void {
    const before = this.wanted.peek();
    if (same(before, targets)) return;
    batch(() => {
      this.stack.value = [...this.stack.peek(), before];
      this.all = kind === null ? null : { kind, before };
      this.hush();
      this.want(targets);
    });
    this.pump(preferences.peek().autoConfirm);
  }

  private said(notice: Partial<Notice> & Pick<Notice, "kind">): void {
    this.notice.value = { wager: null, cents: 0, trouble: null, problem: null, unable: null, remedy: null, also: [], ...notice };
  }

  /** The table would not take these amounts: every one is marked, and all reasons are said. */
  private troubled(troubles: readonly Trouble[], kind: Notice["kind"]): void {
    const [first, ...others] = troubles;
    if (first === undefined) return;
    const marked = troubles.flatMap(({ wager, cents }) => (wager === null ? [] : [[wager, cents] as const]));
    if (kind === "refused" || kind === "chip") this.refused.value = Object.fromEntries(marked);
    const why = (trouble: Trouble): Why => ({ wager: trouble.wager, cents: trouble.cents, trouble, problem: null });
    this.said({ kind, ...why(first), also: others.map(why), remedy: kind === "refused" || kind === "chip" ? this.remedyOf(first, kind) : null });
  }

  /** What could lie there instead; a chip that did not fit needs no word on what lies there already. */
  private remedyOf(trouble: Trouble, kind: Notice["kind"]): number | null {
    const there = trouble.wager === null ? 0 : (this.wanted.peek()[trouble.wager] ?? 0);
    const found = remedy(trouble, this.wagers, this.free.peek() + there);
    return kind === "chip" && found !== null && found <= there ? null : found;
  }

  tap = (wager: WagerShown, chip: number): void => {
    if (!this.able.peek()) return;
    const answer = withChip(this.wanted.peek(), wager, chip, this.own);
    if ("trouble" in answer) this.troubled([answer.trouble], "chip");
    else this.acted(answer.targets);
  };

  clearSpot = (slug: string): void => {
    if (this.open.peek()) this.acted(without(this.wanted.peek(), slug, this.wagers));
    if (this.refused.peek()[slug] !== undefined) this.hush();
  };

  clear = (): void => {
    if (this.open.peek()) this.acted({});
  };

  undo = (): void => {
    const before = this.stack.peek().at(-1);
    if (before === undefined || !this.open.peek()) return;
    batch(() => {
      this.stack.value = this.stack.peek().slice(0, -1);
      this.all = null;
      this.hush();
      this.want(before);
    });
    this.pump(preferences.peek().autoConfirm);
  };

  private allOrNothing(kind: Batch, answer: Answer): void {
    if ("trouble" in answer) this.troubled([answer.trouble], kind);
    else this.acted(answer.targets, kind);
  }

  repeat = (): void => {
    if (this.able.peek()) this.allOrNothing("repeat", repeated(this.last.peek(), this.wagers, this.own));
  };

  double = (): void => {
    if (this.able.peek()) this.allOrNothing("double", doubled(this.wanted.peek(), this.wagers, this.own));
  };

  cannot = (act: SlipAct, why: Unable): void => {
    this.said({ kind: "unable", unable: { act, why } });
    const notice = this.notice.peek();
    if (passes({ act, why })) setTimeout(() => this.notice.peek() === notice && this.hush(), SAID_MS);
  };

  confirm = (): void => {
    if (!this.open.peek()) return;
    this.hush();
    this.pump(true);
  };

  place = (slug: string, cents: number): void => {
    if (!this.open.peek()) return;
    this.hush();
    this.acted({ ...this.wanted.peek(), [slug]: cents });
    this.pump(true);
  };

  /** What the table would refuse is not sent: it stays in the slip and says why; the others go. */
  private sendable(steps: readonly Step[]): Step[] {
    const wanted = this.wanted.peek();
    const kept: Step[] = [];
    const troubles: Trouble[] = [];
    for (const step of steps) {
      const others = this.wagers.filter((wager) => wager.slug !== step.wager).map((wager) => wager.slug);
      const trouble = step.cents > 0 ? troubleOf(wanted, this.wagers, this.own, others) : null;
      if (trouble === null || trouble.wager === null) kept.push(step);
      else troubles.push(trouble);
    }
    const marked = this.refused.peek();
    if (!troubles.every(({ wager }) => wager !== null && wager in marked)) batch(() => this.troubled(troubles, "refused"));
    return kept;
  }

  private fallBack(slug: string): void {
    const { [slug]: _, ...rest } = this.draft.peek();
    this.wish(rest);
  }

  /** Send what may go now: what comes back at once, what is added when it was confirmed. */
  private pump(confirmed: boolean): void {
    const { seat } = this.own;
    if (seat === null || !this.open.peek() || Object.keys(this.sending.peek()).length > 0) return;
    const shared = preferences.peek().share && this.shareable();
    const steps = plan(this.wanted.peek(), this.own.stakes, this.wagers, seat, shared);
    const due = this.sendable(confirmed && this.able.peek() ? steps : steps.filter((step) => step.cents < 0));
    if (due.length > 0) void this.send(due, confirmed);
  }

  /** Others may add to a stake only where the table says so. */
  private shareable(): boolean {
    const open = this.view?.own?.may.find((one) => one.command === "place_wager");
    return (open?.ways ?? []).some((list) => list.some((way) => Array.isArray(way["shared"]) && way["shared"].includes(true)));
  }

  private async send(steps: readonly Step[], confirmed: boolean): Promise<void> {
    const round = this.round ?? null;
    const whole = this.all;
    this.all = null;
    this.sending.value = Object.fromEntries(steps.map((step) => [step.wager, step.cents]));
    const one = (step: Step): Promise<number> => command(this.name, step.command, round === null ? {} : { round }).then((done) => done.sequence);
    let reached = 0;
    const refused: [Step, Problem][] = [];
    // What stands together is sent one by one, so that the first refusal stops the rest.
    const answers = whole === null ? steps.map((step) => one(step).catch((error: unknown) => error)) : null;
    for (const [place, step] of steps.entries()) {
      const answer = answers === null ? await one(step).catch((error: unknown) => error) : await answers[place];
      if (typeof answer === "number") reached = Math.max(reached, answer);
      else if (answer instanceof Refused) refused.push([step, answer.problem]);
      else throw answer;
      if (whole !== null && refused.length > 0) break;
    }
    await this.shows(reached);
    batch(() => this.answered(steps, refused, whole, round));
    if (whole !== null && refused.length > 0) this.restore(whole.before);
    else this.pump(confirmed && preferences.peek().autoConfirm);
  }

  private answered(steps: readonly Step[], refused: [Step, Problem][], whole: typeof this.all, round: number | null): void {
    this.sending.value = {};
    if (round !== (this.round ?? null) && refused.length === 0) return;
    // A chip that was put down meanwhile stays wanted; what is there by now is no wish any more.
    const accepted = this.accepted.peek();
    const failed = new Set(refused.map(([step]) => step.wager));
    for (const { wager } of steps) {
      if (failed.has(wager) || this.draft.peek()[wager] === (accepted[wager] ?? 0)) this.fallBack(wager);
    }
    const reasons = refused.map(([{ wager, cents }, problem]): Why => ({ wager, cents, trouble: null, problem }));
    const [first, ...others] = reasons;
    if (first === undefined) return;
    const kind = whole?.kind ?? (LATE.has(first.problem?.code ?? "") ? "late" : "refused");
    if (kind !== "refused") return this.said({ kind, ...first });
    // What was held back before it was sent is still in the slip, and still marked.
    const before = this.notice.peek();
    const held = before?.kind === "refused" ? [before, ...before.also] : [];
    this.refused.value = { ...this.refused.peek(), ...Object.fromEntries(refused.map(([one]) => [one.wager, one.cents])) };
    this.said({ kind, ...first, also: [...others, ...held] });
  }

  /** Repeat or Double was refused in part: what was accepted of it is taken back. */
  private restore(before: Targets): void {
    this.want(before);
    this.pump(true);
  }

  /** Wait until the view shows the record of an answer. */
  private shows(sequence: number): Promise<void> {
    return new Promise((done) => {
      const stop = effect(() => {
        if ((this.table.value?.sequence ?? 0) < sequence) return;
        queueMicrotask(() => stop());
        done();
      });
    });
  }

  recalled = (round: number, stakes: Targets): void => {
    // What this page saw of a later round is newer.
    if (round >= this.lastRound) this.remember(round, stakes);
    if (round === this.round) this.staked.value = stakes;
  };

  dispose = (): void => this.stop();
}

export const makeBetting = (name: string, table: Table, mine: Mine = signal(null)): Betting => new Slip(name, table, mine);
