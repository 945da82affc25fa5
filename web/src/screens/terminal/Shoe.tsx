/** Method C: a patron takes the dealing device, draws the cards, or gives it up. */
import { Trouble } from "../../parts/Trouble";
import { useActs } from "./acts";
import { useHere } from "./table";
import { say, sideName } from "./words";

/** Whoever keeps the shoe from round to round may give it up then, too. */
export function KeptShoe() {
  const { open, act, problem, sending } = useActs();
  const giveUp = open("relinquish_shoe");
  if (giveUp === undefined) return null;
  return (
    <div class="hint">
      {say("shoeYours")}{" "}
      <button class="btn small" disabled={sending} onClick={() => void act({ type: "relinquish_shoe" })}>
        {say("giveUpShoe")} {giveUp.clause != null && <span class="cite">{giveUp.clause}</span>}
      </button>
      <Trouble problem={problem} />
    </div>
  );
}

export function ShoePanel() {
  const { view, own } = useHere();
  const { open, act, problem, sending } = useActs();
  const [take, refuse, draw, giveUp] = [open("take_shoe"), open("refuse_shoe"), open("draw_card"), open("relinquish_shoe")];
  const next = view.next?.place;
  const side = next === undefined ? null : next.startsWith("P") ? "player" : "banker";
  const title = own.shoe_held ? (side === null ? say("shoeYours") : say("youDraw", { side: sideName(side) })) : say("shoeOffered");
  const clause = (draw ?? take)?.clause ?? null;
  return (
    <section class="hold short" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p>
          {own.shoe_held ? say("shoeHeldText") : say("shoeText")} {clause !== null && <span class="cite">{clause}</span>}
        </p>
      </div>
      <div class="stack8">
        {draw !== undefined && (
          <button class="btn primary tall wide" disabled={sending} onClick={() => void act({ type: "draw_card" })}>
            {say("drawCard")}
          </button>
        )}
        {take !== undefined && (
          <button class="btn primary tall wide" disabled={sending} onClick={() => void act({ type: "take_shoe" })}>
            {say("takeShoe")}
          </button>
        )}
        {refuse !== undefined && (
          <button class="btn quiet wide" disabled={sending} onClick={() => void act({ type: "refuse_shoe" })}>
            {say("refuseShoe")}
          </button>
        )}
        {giveUp !== undefined && (
          <button class="btn quiet wide" disabled={sending} onClick={() => void act({ type: "relinquish_shoe" })}>
            {say("giveUpShoe")} {giveUp.clause != null && <span class="cite">{giveUp.clause}</span>}
          </button>
        )}
        <Trouble problem={problem} />
      </div>
    </section>
  );
}
