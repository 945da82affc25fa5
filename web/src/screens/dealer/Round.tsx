/** A round in three columns: seats, the step that is due, tools; one primary button below. */
import { useSignal } from "@preact/signals";
import type { Ref } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Schemas } from "../../api/types";
import { say as common } from "../../i18n/common";
import { told } from "../../i18n/lists";
import { clock, money } from "../../i18n/money";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Ring } from "../../parts/Ring";
import { Trouble } from "../../parts/Trouble";
import { opening } from "../../state/may";
import { begin } from "./Acts";
import { AlarmsOf } from "./Alarms";
import type { Desk } from "./context";
import { between, cardNumber, type Due, dueOf, houseDeals, houseFinishes, sideOfPlace } from "./course";
import { EMPTY, type Entry, entered } from "./entry";
import { stillMissing } from "./Fields";
import { blank, commandOf, type Draft, missing } from "./form";
import { Hands } from "./Hands";
import { nextOf, type PayRow, paySums } from "./pay";
import { usePaying } from "./PayList";
import { ofRow, type Primary, primaryOf } from "./primary";
import { Prompt } from "./Prompt";
import { named, say } from "./say";
import { dismiss, entryOf, outOfTurn, queued, useTaker, waiting } from "./scan";
import { Seats } from "./Seats";
import { Holder } from "./ShoeHolder";
import { faceDown, oneOf, promptOf, seatOf } from "./texts";
import { Tools } from "./Tools";
import { Top } from "./Top";
import { WhyNot } from "./WhyNot";
import { offersShown, takesFace, Work } from "./Work";

/** The start of what is due: what has one value only, and the card that comes next. */
function startOf(desk: Desk, due: Due): Draft {
  if (due.open === null) return {};
  const draft = blank(due.open);
  const handed = desk.part.hands.find((hand) => hand.due !== null && hand.held_by === null);
  if (due.command === "pass_hand" && handed !== undefined) return { ...draft, side: handed.side, patron: handed.due };
  const place = faceDown(desk.view);
  const position = due.open.fields?.find(({ name }) => name === "position");
  if (due.command !== "expose_card" || position === undefined || !Array.isArray(position.allowed)) return draft;
  const first = position.allowed.find((one) => one === place) ?? position.allowed[0];
  return first === undefined ? draft : { ...draft, position: first };
}

interface Drafted {
  /** The step that it is put together for. */
  step: string;
  draft: Draft;
  entry: Entry;
}

/**
 * What is due, as it is being put together. It is kept with its step, so that nothing that was put
 * together for one step is ever shown, entered or brought back at another.
 */
function useDraft(desk: Desk, due: Due) {
  const step = `${desk.view.round}/${due.command}/${cardNumber(desk.view)}/${faceDown(desk.view)}/${due.open === null}/${desk.part.hands.map(({ held_by }) => held_by).join()}`;
  const start = useRef<Drafted | null>(null);
  if (start.current?.step !== step) start.current = { step, draft: startOf(desk, due), entry: EMPTY };
  const kept = useSignal<Drafted>(start.current);
  const ofStep = (one: Drafted): Drafted => (start.current === null || one.step === start.current.step ? one : start.current);
  const peek = (): Drafted => ofStep(kept.peek());
  const put = (part: Partial<Drafted>): Drafted => (kept.value = { ...peek(), ...part });
  return { ...ofStep(kept.value), peek, put };
}

type Drafting = ReturnType<typeof useDraft>;

/**
 * Keys of the next card while the last one is on its way. Once that one lies, they are of the step
 * that follows; where it was refused, or none follows, they are nobody's.
 */
function useAhead(desk: Desk, face: boolean, { peek, put }: Drafting) {
  const ahead = useSignal<Entry>(EMPTY);
  const open = face && desk.busy && !desk.away;
  useEffect(() => {
    if (desk.busy || waiting.peek().length > 0) return;
    const kept = ahead.peek();
    if (kept === EMPTY) return;
    ahead.value = EMPTY;
    if (face && peek().entry === EMPTY) put({ entry: kept, draft: { ...peek().draft, cards: facesOf(kept) } });
  });
  return {
    ahead,
    /** Keys are taken, and are the next card's. */
    open,
    enter: (): void => {
      const whole = entered(ahead.peek());
      if (whole === null) return;
      ahead.value = EMPTY;
      queued(whole);
    },
  };
}

type Ahead = ReturnType<typeof useAhead>;

const facesOf = (entry: Entry): string[] => {
  const whole = entered(entry);
  return whole === null ? [] : [whole];
};

/** "Losing wagers taken. Pay seat 6 next: 1,140.00." */
function payLine(rows: readonly PayRow[]): string {
  if (rows.length === 0) return say("payNothing");
  const { row, taken } = nextOf(rows);
  if (row === null) return say("payAllDone");
  return told(taken ? say("losersTaken") : "", say(`payNext.${row.doing}`, { who: ofRow(row), amount: money(row.cents) }));
}

function PromptOf({ desk, done, rows }: { desk: Desk; done: number; rows: readonly PayRow[] }) {
  const { view, part } = desk;
  if (houseDeals(view, part)) return <Prompt icon="shield" title={say("houseDeals")} why={named("phase", view.phase)} tag={<Ring until={view.closes_at} of={15} />} />;
  if (houseFinishes(view, part)) return <Prompt icon="shield" title={say("houseFinishes")} why={say("youDealNext")} tag={<Ring until={view.closes_at} of={15} />} />;
  const { title, why } = promptOf(view, part);
  const winner = view.outcome?.winner ?? null;
  const over = between(view, part);
  const side = over ? null : (winner ?? (view.next === null ? null : sideOfPlace(view.next.place)));
  const paying = view.phase === "SETTLED" && !over;
  const tag = paying ? (
    <span class="tag">{say("nDone", { done, all: rows.length })}</span>
  ) : view.phase === "OPEN" && view.closes_at !== null ? (
    <Ring until={view.closes_at} of={15} />
  ) : view.next !== null ? (
    <span class="tag brass">{say("cardN", { n: cardNumber(view) })}</span>
  ) : undefined;
  const die = view.die !== null && (
    <span class="tag brass">
      <Icon name="dice" />
      {say(view.power ? "powerHand" : "dieIs", { n: view.die })}
    </span>
  );
  const clause = view.next?.clause ?? part.next.clause;
  return <Prompt title={title} why={paying ? payLine(rows) : why} clause={paying ? null : clause} side={side} icon={view.phase === "OPEN" || over ? "chip" : "arrow"} tag={<span class="row">{die}{tag}</span>} />;
}

/** What else can be done at this step, beside the primary button. */
function Beside({ desk, due, keyed }: { desk: Desk; due: Due; keyed: boolean }) {
  const { part, busy } = desk;
  if (houseDeals(desk.view, part) || houseFinishes(desk.view, part)) return null;
  const shown: preact.ComponentChildren[] = [];
  const add = (command: string, label: string): void => {
    if (due.command === command || opening(part.may, command) === undefined || shown.length >= 2) return;
    shown.push(
      <button key={command} class="btn" disabled={busy} onClick={() => begin(desk, command)}>
        {label}
      </button>,
    );
  };
  if (due.command === "draw_card" && due.open !== null && keyed) {
    shown.push(
      <button key="down" class="btn" disabled={busy} onClick={() => void desk.act({ type: "draw_card" })}>
        {say("drawFaceDown")}
      </button>,
    );
  }
  add("expose_card", say("exposeMyself"));
  add("pass_hand", say("passNext"));
  add("call_shake_invalid", say("command.call_shake_invalid"));
  add("end_shoe", say("command.end_shoe"));
  add("remove_cards", say("command.remove_cards"));
  return <>{shown}</>;
}

/** What was reported in this round, where nothing more is to do about it than to go on. */
function GoesOn({ desk }: { desk: Desk }) {
  const { ruled } = desk.part;
  if (ruled === null) return null;
  return (
    <>
      <div class="tip brass" role="status">
        <Icon name={ruled.situation === "power_failure" ? "bolt" : "check"} />
        <div>
          <b>{named("situation", ruled.situation)}.</b> {say("reportedAt", { time: clock(ruled.reported, true) })}{" "}
          {say(ruled.dismissed ? "reportDismissed" : "roundGoesOn")} {ruled.clause !== null && <span class="cite">{ruled.clause}</span>}
        </div>
      </div>
      <WhyNot instead={ruled.instead} />
    </>
  );
}

/** Who or what is waited for, between the buttons. */
function Waiting({ desk, due, keyed, draft }: { desk: Desk; due: Due; keyed: boolean; draft: Draft }) {
  const { view, part } = desk;
  if (view.phase === "SETTLED") {
    const sums = paySums(part.lines);
    return <>{say("houseSums", { taken: money(sums.taken), paid: money(sums.paid) })}</>;
  }
  // A card that a device reads comes by itself; from a sealed shoe the Dealer draws it by the button.
  if (keyed && due.open !== null && due.command === "draw_card")
    return (
      <>
        <Icon name="shoe" />
        {say("waitingCard")}
      </>
    );
  if (due.open !== null) return <>{stillMissing(missing(due.open, draft))}</>;
  const who = [...part.next.patrons.map((name) => seatOf(part, name)), oneOf(part.next.positions)].filter((one) => one !== "");
  if (part.next.system && who.length === 0) return <>{say("houseActs")}</>;
  return who.length === 0 ? <>{say("nothingDue")}</> : <>{say("waitsFor", { who: who.join(", ") })}</>;
}

/** The last card is taken back before the result: whoever may corrects it, and says why. */
function corrects(desk: Desk, keyed: boolean): boolean {
  const lies = keyed && desk.view.outcome === null && desk.view.hands.some(({ cards }) => cards.some(({ face }) => face !== null));
  if (!lies) return false;
  if (opening(desk.part.may, "correct_card") !== undefined) begin(desk, "correct_card");
  else desk.over.value = { kind: "here", command: "correct_card" };
  return true;
}

function useSubmit(desk: Desk, due: Due, doNext: () => void) {
  return (primary: Primary, draft: Draft): void => {
    if (!primary.enabled) return;
    if (primary.does === "takeover") void desk.act({ type: "sign_in" });
    else if (primary.does === "row") doNext();
    else if (primary.does === "second" && due.open !== null) desk.over.value = { kind: "form", command: due.open.command };
    else if (primary.does === "command" && due.open !== null) {
      const { command, more } = commandOf(due.open, draft);
      void desk.act(command, more);
    }
  };
}

/** In which the same face again may be one card that was read twice: the Dealer looks. */
const TWICE_MS = 1_000;

/**
 * Scanned cards: one is entered at once where a card is due, or behind the one on its way;
 * all others wait for the Dealer's Enter.
 * Answers what the primary button is held by.
 */
function useScanned(desk: Desk, face: boolean, { entry, peek, put }: Drafting, { ahead }: Ahead, enter: (draft: Draft) => void): Ref<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  const asks = useRef(false);
  const sent = useRef({ face: "", at: 0 });
  const dealing = face && desk.over.value === null;
  const takes = dealing && !desk.busy;
  const free = (): boolean => takes && entered(peek().entry) === null;
  const show = (card: string): Draft => put({ entry: entryOf(card), draft: { ...peek().draft, cards: [card] } }).draft;
  const give = (card: string): void => {
    sent.current = { face: card, at: performance.now() };
    enter(show(card));
  };
  useTaker({
    take: (card) => {
      const last = waiting.peek().at(-1);
      const again = last === undefined ? sent.current.face === card && performance.now() - sent.current.at < TWICE_MS : last.face === card;
      if (!dealing || again || last?.next === false) return false;
      if (desk.busy) return !desk.away && "next";
      if (!free() || last !== undefined) return false;
      give(card);
      return true;
    },
    mark: () => {
      const [before, next] = [peek(), ahead.peek()];
      return () => {
        ahead.value = next;
        put(before.step === peek().step ? before : {});
      };
    },
  });
  const [next] = waiting.value;
  useEffect(() => {
    if (!face && !desk.busy) outOfTurn();
  }, [face, desk.busy]);
  useEffect(() => {
    if (!free() || next === undefined) return;
    dismiss(0);
    if (next.next) give(next.face);
    else {
      show(next.face);
      asks.current = true;
    }
  }, [takes, next, entry]);
  useEffect(() => {
    // Enter is for the card that waited, not for what had the focus before.
    if (!asks.current || button.current?.disabled !== false) return;
    button.current.focus();
    asks.current = false;
  });
  return button;
}

export function Round({ desk, shoe }: { desk: Desk; shoe: Schemas["ShoeKnown"] | null }) {
  const { view, part } = desk;
  const due = dueOf(part);
  const keyed = shoe?.source === "device";
  const drafted = useDraft(desk, due);
  const { draft, entry, peek, put } = drafted;
  const paying = usePaying(desk);
  const face = takesFace({ due, keyed });
  const typing = useAhead(desk, face, drafted);
  const card = (): Entry => (typing.open ? typing.ahead.peek() : peek().entry);
  const setCard = (next: Entry): void => {
    if (typing.open) typing.ahead.value = next;
    else put({ entry: next, draft: { ...peek().draft, cards: facesOf(next) } });
  };
  const primary = primaryOf(desk, due, draft, face, paying.now);
  const give = useSubmit(desk, due, paying.doNext);
  const submit = (): void => (typing.open ? typing.enter() : give(primary, peek().draft));
  const button = useScanned(desk, face, drafted, typing, (made) => give(primaryOf(desk, due, made, face, paying.now), made));
  useKeys({
    Enter: {
      does: say("key.enter"),
      press: (event) => {
        const target = event.target instanceof HTMLElement ? event.target : null;
        // A whole card is entered, also from the keypad's button that was pressed last.
        const whole = target?.closest(".pad") && entered(card()) !== null;
        if (desk.over.peek() !== null || (!whole && target?.closest("button, a, input, select"))) return false;
        submit();
        return undefined;
      },
    },
    n: { does: say("key.n"), press: () => (due.command === "close_bets" ? submit() : false) },
    Backspace: {
      does: say("key.backspace"),
      press: () => {
        if (card().colour === null) return !typing.open && corrects(desk, keyed);
        setCard(EMPTY);
        return undefined;
      },
    },
    F4: { does: say("key.f4"), press: () => void (desk.over.value = { kind: "here" }) },
  });
  return (
    <div class={`dealer app ${view.phase === "SETTLED" ? "paying" : ""}`}>
      <Top desk={desk} />
      <main class={view.rules?.method === "C" ? "mid mc" : "mid"} aria-label={say("round")}>
        <div class="stack8">
          <AlarmsOf desk={desk} />
          <PromptOf desk={desk} done={paying.done} rows={paying.rows} />
          <Trouble problem={desk.problem} title={say("notDone")} />
          <GoesOn desk={desk} />
        </div>
        <div class="stack8">
          <Hands desk={desk} />
          <Holder desk={desk} sees={!offersShown(desk, due)} />
        </div>
        <Work
          desk={desk}
          due={due}
          keyed={keyed}
          draft={draft}
          onDraft={(next) => void put({ draft: next })}
          entry={typing.open ? typing.ahead.value : entry}
          onEntry={setCard}
          ahead={typing.open}
          onEnter={submit}
          rows={paying.rows}
        />
      </main>
      <Seats desk={desk} />
      <Tools desk={desk} shoe={shoe} />
      <footer class="foot">
        {view.phase === "SETTLED" && !between(view, part) && paying.done > 0 ? (
          <button class="btn" onClick={paying.undo}>
            <Icon name="undo" />
            {say("rowBack")}
          </button>
        ) : (
          <Beside desk={desk} due={due} keyed={keyed} />
        )}
        <div id="foot-line" class={desk.away ? "sp told" : "sp"}>
          {desk.away ? common("awayNote") : <Waiting desk={desk} due={due} keyed={keyed} draft={draft} />}
        </div>
        <button ref={button} class="btn primary tall" disabled={!primary.enabled} aria-describedby={primary.enabled || desk.busy ? undefined : "foot-line"} onClick={submit}>
          {desk.busy && !desk.away ? say("sending") : primary.label}
        </button>
      </footer>
    </div>
  );
}
