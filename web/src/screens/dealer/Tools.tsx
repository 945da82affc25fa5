/** The right column: shoe, reports, who handles the cards, help. */
import type { Schemas, Situation } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { opening } from "../../state/may";
import { begin } from "./Acts";
import type { Desk } from "./context";
import { houseDeals } from "./course";
import { named, say } from "./say";
import { canReport } from "./situations";
import { seatOf, sideName } from "./texts";

type ShoeKnown = Schemas["ShoeKnown"];

function Shoe({ desk, shoe }: { desk: Desk; shoe: ShoeKnown | null }) {
  const shown = desk.view.shoe;
  if (shown === null) return <p class="sm muted">{say("noShoe")}</p>;
  const rows: [string, preact.ComponentChildren][] = [
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

function Reports({ desk, sealed }: { desk: Desk; sealed: boolean }) {
  const { may } = desk.part;
  const corrects = opening(may, "correct_card");
  const report = (situation?: Situation): void =>
    void (desk.mode.value = situation === undefined ? { kind: "report" } : { kind: "report", situation });
  const cut = opening(may, "show_cut_card");
  return (
    <>
      <h2>
        {say("report")} <span>{desk.view.outcome === null ? say("beforeResult") : ""}</span>
      </h2>
      <div class="irr">
        <button
          class="btn"
          // What came out of a virtual shoe is proved by its seal.
          disabled={sealed || !desk.view.hands.some(({ cards }) => cards.some(({ face }) => face !== null))}
          onClick={() => (corrects !== undefined ? begin(desk, "correct_card") : void (desk.over.value = { kind: "here", command: "correct_card" }))}
        >
          {say("correctCard")}
        </button>
        {QUICK.map((situation) => (
          <button
            key={situation}
            class="btn"
            disabled={!canReport(desk.part, situation)}
            onClick={() => report(situation)}
          >
            {named("situation", situation)}
          </button>
        ))}
        <button class="btn" disabled={cut === undefined || desk.busy} onClick={() => begin(desk, "show_cut_card")}>
          {say("cutCardSeen")}
        </button>
        <button class="btn whole" disabled={opening(may, "report") === undefined} onClick={() => report()}>
          <Icon name="list" />
          {say("allSituations")}
        </button>
      </div>
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
  return (
    <section class="col tools" aria-label={say("tools")}>
      <h2>
        {shown === null ? say("shoe") : say("shoeN", { n: shown.name })}{" "}
        <span>{shown !== null && say("decksCards", { decks: desk.view.rules?.decks ?? 8, cards: shown.cards })}</span>
      </h2>
      <Shoe desk={desk} shoe={shoe} />
      {!watches && <Reports desk={desk} sealed={shoe?.source === "virtual"} />}
      <Handling desk={desk} />
      <div class="call">
        <button class="btn warn" onClick={() => void (desk.over.value = { kind: "here" })}>
          <Icon name="hand" />
          {say("callSupervisor")}
        </button>
        {!watches && (
          <button
            class="btn quiet"
            disabled={!canReport(desk.part, "other")}
            onClick={() => void (desk.mode.value = { kind: "report", situation: "other", note: say("heldNote") })}
          >
            <Icon name="pause" />
            {say("holdRound")}
          </button>
        )}
        <button class="btn" onClick={() => void (desk.over.value = { kind: "acts" })}>
          <Icon name="grid" />
          {say("allActs")}
        </button>
      </div>
    </section>
  );
}
