/** The right column: shoe, reports, who handles the cards, help. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Schemas, Situation } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { opening } from "../../state/may";
import { begin } from "./Acts";
import type { Desk } from "./context";
import { houseDeals } from "./course";
import { type Reason, refusalOf, WhyNoAct, whyNoReport } from "./mayNot";
import { type Key, named, say } from "./say";
import { canReport } from "./situations";
import { seatOf, sideName } from "./texts";

type ShoeKnown = Schemas["ShoeKnown"];

function Shoe({ desk, shoe }: { desk: Desk; shoe: ShoeKnown | null }) {
  const shown = desk.view.shoe;
  if (shown === null) return <p class="sm muted">{say("noShoe")}</p>;
  const rows: [string, ComponentChildren][] = [
    [
      say("dealt"),
      <>
        {shown.cards - shown.left} <span class="sub">{say("of", { n: shown.cards })}</span>
      </>,
    ],
    [say("cutCard"), say(shown.cut_card_seen ? "seen" : "notYetSeen")],
    [say("source"), shoe === null ? "–" : say(shoe.source === "virtual" ? "sealedShoe" : "paperCards")],
  ];
  // By method A alone the Dealer says which hand is revealed first.
  if (desk.view.rules?.method === "A") rows.push([say("revealFirst"), desk.view.first_hand === null ? "–" : sideName(desk.view.first_hand)]);
  if (desk.view.waiting > 0) rows.push([say("waitingCards"), desk.view.waiting]);
  return (
    <dl class="kv">
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

const QUICK: readonly Situation[] = ["wrong_order", "drawn_together", "face_up_card", "missing_card"];

/** On a button of half the rail's width there is room for no more. */
const quickName = (situation: Situation): string => (situation === "face_up_card" ? say("cardFaceUp") : named("situation", situation));

const WHY = "reports-why";

/** A button that tells why it does nothing where it can do nothing; the line below says it. */
function Quick(props: { can: boolean; class?: string; act: () => void; why: () => void; children: ComponentChildren }) {
  return (
    <button class={`btn ${props.class ?? ""}`} aria-disabled={!props.can} aria-describedby={props.can ? undefined : WHY} onClick={props.can ? props.act : props.why}>
      {props.children}
    </button>
  );
}

/** Why a card cannot be corrected here: what came out of a virtual shoe is proved by its seal. */
function whyNoCorrection(desk: Desk, sealed: boolean): Key | null {
  if (sealed) return "correctSealed";
  return desk.view.hands.some(({ cards }) => cards.some(({ face }) => face !== null)) ? null : "correctNone";
}

/** What the line below the buttons says: the reason that was asked for, until the table changes. */
function useReason(desk: Desk) {
  const said = useSignal<{ at: unknown; what: string; why: Reason } | null>(null);
  return {
    shown: said.value?.at === desk.part.may ? said.value : null,
    say: async (what: string, why: Promise<Reason> | string): Promise<void> => {
      const at = desk.part.may;
      said.value = { at, what, why: await why };
    },
  };
}

type Asking = ReturnType<typeof useReason>;

function Reports({ desk, sealed, reason }: { desk: Desk; sealed: boolean; reason: Asking }) {
  const { may } = desk.part;
  const corrects = opening(may, "correct_card");
  const report = (situation?: Situation): void =>
    void (desk.mode.value = situation === undefined ? { kind: "report" } : { kind: "report", situation });
  const cut = opening(may, "show_cut_card") !== undefined;
  const uncorrected = whyNoCorrection(desk, sealed);
  const all = uncorrected === null && cut && canReport(desk.part, "other") && QUICK.every((situation) => canReport(desk.part, situation));
  return (
    <>
      <h2>
        {say("report")} <span>{desk.view.outcome === null ? say("beforeResult") : ""}</span>
      </h2>
      <div class="irr">
        <Quick
          can={uncorrected === null}
          act={() => (corrects !== undefined ? begin(desk, "correct_card") : void (desk.over.value = { kind: "here", command: "correct_card" }))}
          why={() => void reason.say(say("correctCard"), uncorrected === null ? "" : say(uncorrected))}
        >
          {say("correctCard")}
        </Quick>
        {QUICK.map((situation) => (
          <Quick
            key={situation}
            can={canReport(desk.part, situation)}
            act={() => report(situation)}
            why={() => void reason.say(quickName(situation), whyNoReport(desk, situation))}
          >
            {quickName(situation)}
          </Quick>
        ))}
        <Quick
          can={cut}
          act={() => !desk.busy && begin(desk, "show_cut_card")}
          why={() => void reason.say(say("cutCardSeen"), refusalOf(desk.table, { type: "show_cut_card" }))}
        >
          {say("cutCardSeen")}
        </Quick>
        <button class="btn whole" onClick={() => report()}>
          <Icon name="list" />
          {say("allSituations")}
        </button>
      </div>
      <p class="sm muted" role="status" id={WHY}>
        {reason.shown !== null ? <WhyNoAct what={reason.shown.what} why={reason.shown.why} /> : all ? "" : say("pressForWhy")}
      </p>
    </>
  );
}

function Handling({ desk }: { desk: Desk }) {
  const { hands } = desk.part;
  const handled = hands.some(({ held_by, due, refused }) => held_by !== null || due !== null || refused.length > 0);
  const acts = ["name_handler", "permit_squeeze", "pass_hand", "refuse_hand"].filter((command) => opening(desk.part.may, command) !== undefined);
  if (!handled && acts.length === 0) return null;
  return (
    <>
      <h2>{say("whoHandles")}</h2>
      <dl class="kv">
        {hands.map(({ side, held_by, due, refused }) => (
          <>
            <dt>{say("handOf", { side: sideName(side) })}</dt>
            <dd>
              {held_by === null && due === null ? say("dealerHand") : seatOf(desk.part, held_by ?? due)}{" "}
              {held_by === null && due !== null && <span class="sub">{say("due")}</span>}
              {refused.length > 0 && <span class="sub"> {say("refusedBy", { who: refused.map((name) => seatOf(desk.part, name)).join(", ") })}</span>}
            </dd>
          </>
        ))}
      </dl>
      {acts.length > 0 && (
        <div class="irr">
          {acts.map((command) => (
            <button key={command} class="btn" onClick={() => begin(desk, command)}>
              {say(`command.${command}` as never)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

export function Tools({ desk, shoe }: { desk: Desk; shoe: ShoeKnown | null }) {
  const shown = desk.view.shoe;
  // Whoever has not taken the table over finds what they may do under all commands.
  const watches = houseDeals(desk.view, desk.part);
  const reason = useReason(desk);
  const holds = canReport(desk.part, "other");
  const hold = (): void => void (desk.mode.value = { kind: "report", situation: "other", note: say("heldNote") });
  const whyNot = (): void => void reason.say(say("holdRound"), whyNoReport(desk, "other"));
  // The key does what the button does: where nothing can be held, it says why.
  useKeys(watches ? {} : { F2: { does: say("key.f2"), press: holds ? hold : whyNot } });
  return (
    <section class="col tools" aria-label={say("tools")}>
      <h2>
        {shown === null ? say("shoe") : say("shoeN", { n: shown.name })}{" "}
        <span>{shown !== null && say("decksCards", { decks: desk.view.rules?.decks ?? 8, cards: shown.cards })}</span>
      </h2>
      <Shoe desk={desk} shoe={shoe} />
      {!watches && <Reports desk={desk} sealed={shoe?.source === "virtual"} reason={reason} />}
      <Handling desk={desk} />
      <div class="call">
        <button class="btn warn" onClick={() => void (desk.over.value = { kind: "here" })}>
          <Icon name="hand" />
          {say("callSupervisor")}
        </button>
        {!watches && (
          <Quick class="quiet" can={holds} act={hold} why={whyNot}>
            <Icon name="pause" />
            {say("holdRound")}
          </Quick>
        )}
        <button class="btn" onClick={() => void (desk.over.value = { kind: "acts" })}>
          <Icon name="grid" />
          {say("allActs")}
        </button>
      </div>
    </section>
  );
}
