/**
 * Cards that this patron turns: by right at a table of method A or C, or for these eyes only at an
 * electronic table. The house shows a face when the card is exposed; the page never has it before.
 */
import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import type { CardShown, Side } from "../../api/types";
import { Svg } from "../../draw/Svg";
import { squeeze, type Edge } from "../../draw/squeeze";
import { money } from "../../i18n/money";
import { Card, drawLanguage } from "../../parts/Card";
import { deckOfGame, handOf } from "../../parts/HandCards";
import { Icon } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { values } from "../../state/may";
import { useActs } from "./acts";
import { useHere } from "./table";
import { isVeiled, lift, unveil, veil } from "./veil";
import { say, sideName } from "./words";

const EDGES: readonly Edge[] = ["short", "long", "corner"];
const TURNED = 0.95;
const STEP = 5;

const lying = (card: CardShown): boolean => card.face === null || isVeiled(card.place);

function HeldCard(props: { card: CardShown; edge: Edge }) {
  const { card } = props;
  const { view } = useHere();
  const id = useId();
  const deck = deckOfGame(view.rules?.game);
  const amount = veil.value[card.place] ?? 0;
  if (!lying(card)) return <span class="place"><Card face={card.face} deck={deck} /></span>;
  if (card.face === null || amount === 0) return <span class="place"><Card face={null} deck={deck} /></span>;
  return (
    <span class="place squeezed">
      <Svg of={squeeze(card.face, { edge: props.edge, amount, deck, language: drawLanguage(), id: `sq${id}` })} />
    </span>
  );
}

function Edges(props: { edge: Edge; onChoose: (edge: Edge) => void }) {
  return (
    <div class="edges" role="radiogroup" aria-label={say("edge")}>
      {EDGES.map((edge) => (
        <button key={edge} role="radio" aria-checked={edge === props.edge} onClick={() => props.onChoose(edge)}>
          {say(`edge_${edge}`)}
        </button>
      ))}
    </div>
  );
}

function whose(side: Side, held: boolean, stake: number): { title: string; text: string } {
  if (!held) return { title: say("lookTitle", { side: sideName(side) }), text: say("lookText") };
  const text = stake > 0 ? say("heldText", { side: sideName(side), cents: money(stake) }) : say("heldPlain");
  return { title: say("heldTitle", { side: sideName(side) }), text };
}

/** The cards in hand, a slider that lifts the edge, and buttons that do the same at once. */
export function Squeeze(props: { side: Side; held: boolean }) {
  const { side } = props;
  const { view, betting } = useHere();
  const { open, act, problem, sending } = useActs();
  const edge = useSignal<Edge>("short");
  const cards = handOf(view.hands, side)?.cards ?? [];
  const exposing = open("expose_card");
  const places = values(exposing, "position");
  const turned = cards.some((card) => card.turned);
  const current = cards.find((card) => lying(card) && !card.turned);
  const able = current !== undefined && (current.face !== null || places.includes(current.place));
  const amount = current === undefined ? 0 : (veil.value[current.place] ?? 0);
  // A card is exposed once: the edge may be lifted further before the house shows its face.
  const exposed = useRef("");
  const expose = (place: CardShown["place"]): void => {
    const once = `${view.round} ${place}`;
    if (current?.face !== null || sending || exposed.current === once) return;
    exposed.current = once;
    void act({ type: "expose_card", position: place }).then((done) => {
      if (!done) exposed.current = "";
    });
  };
  const lifted = (to: number): void => {
    if (current === undefined) return;
    if (to >= TURNED) return turn();
    lift(current.place, to);
    expose(current.place);
  };
  const turn = (): void => {
    if (current === undefined) return;
    expose(current.place);
    unveil(current.place);
  };
  const refuse = props.held && values(open("refuse_hand"), "side").includes(side);
  const { title, text } = whose(side, props.held, betting.accepted.value[side] ?? 0);
  return (
    <section class="hold" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p>
          {text} {props.held && exposing?.clause != null && <span class="cite">{exposing.clause}</span>}
        </p>
      </div>
      <div class="two">
        <div class="inhand">
          {cards.map((card) => (
            <HeldCard key={card.place} card={card} edge={edge.value} />
          ))}
        </div>
        <Edges edge={edge.value} onChoose={(chosen) => void (edge.value = chosen)} />
      </div>
      <div id="squeeze-wait">
        {turned && (
          <p class="wait" role="status">
            {say("turnedWait")}
          </p>
        )}
        {!able && current !== undefined && <p class="wait">{say(view.hold === null ? "otherFirst" : "squeezeHeld")}</p>}
        <label class="slider" style={{ "--lifted": amount }}>
          <input
            type="range"
            min="0"
            max="100"
            step={STEP}
            value={Math.round(amount * 100)}
            disabled={!able}
            aria-describedby={able ? undefined : "squeeze-wait"}
            aria-label={say("lift")}
            onInput={(event) => lifted(Number(event.currentTarget.value) / 100)}
          />
          <i aria-hidden="true">
            <Icon name="next" size="small" />
          </i>
          {amount === 0 && <span aria-hidden="true">{say("slide")}</span>}
        </label>
        <div class="acts2">
          <button class="btn" disabled={!able || sending} aria-describedby={able ? undefined : "squeeze-wait"} onClick={turn}>
            {say("turnOver")}
          </button>
          {refuse && (
            <button class="btn quiet" disabled={sending} onClick={() => void act({ type: "refuse_hand", side })}>
              {say("passCards")}
            </button>
          )}
          {!props.held && (
            <button class="btn quiet" onClick={() => unveil()}>
              {say("skipSqueeze")}
            </button>
          )}
        </div>
        <Trouble problem={problem} />
      </div>
    </section>
  );
}

/** A hand that will be this patron's: it may be passed on before it comes. */
export function Offered(props: { side: Side }) {
  const { side } = props;
  const { betting } = useHere();
  const { open, act, problem, sending } = useActs();
  const refuse = values(open("refuse_hand"), "side").includes(side);
  const stake = betting.accepted.value[side] ?? 0;
  return (
    <section class="hold short" aria-label={say("offeredTitle", { side: sideName(side) })}>
      <div>
        <h2>{say("offeredTitle", { side: sideName(side) })}</h2>
        <p>{stake > 0 ? say("heldText", { side: sideName(side), cents: money(stake) }) : say("heldPlain")}</p>
      </div>
      <p class="wait">{say("offeredText")}</p>
      {refuse && (
        <button class="btn quiet wide" disabled={sending} onClick={() => void act({ type: "refuse_hand", side })}>
          {say("passCards")}
        </button>
      )}
      <Trouble problem={problem} />
    </section>
  );
}
