/** Method C: who holds the shoe, in which order it was offered, and that staff see every draw. */
import { told } from "../../i18n/lists";
import { money } from "../../i18n/money";
import { opening } from "../../state/may";
import { begin } from "./Acts";
import type { Desk } from "./context";
import type { Part } from "./course";
import { named, say } from "./say";
import { capital, seatOf, sideName } from "./texts";

const ACTS = ["take_shoe", "refuse_shoe", "relinquish_shoe", "allow_shoe", "end_control", "set_method"];

/** Since which round somebody holds the shoe, and until when. */
export function keeps({ shoe_control: control }: Pick<Part, "shoe_control">): string {
  return told(control?.since == null ? "" : say("keepsSince", { n: control.since }), say("keepsUntil"));
}

export function Holder({ desk, sees }: { desk: Desk; sees: boolean }) {
  const { view, part } = desk;
  if (view.rules?.method !== "C") return null;
  const acts = ACTS.filter((command) => opening(part.may, command) !== undefined);
  const seat = view.shoe_holder;
  return (
    <section class="stack8" aria-label={say("methodC")}>
      <div class="holder">
        <span class="sn">{seat ?? "–"}</span>
        <b>{seat === null ? say("nobodyHolds") : say("seatHolds", { n: seat })}</b>
        <p>
          {seat === null ? say("shoeGoesTo", { who: seatOf(part, part.shoe_due) }) : keeps(part)} {part.shoe_control && <span class="cite">{part.shoe_control.clause}</span>}
        </p>
        {acts.length > 0 && (
          <span class="row wrap">
            {acts.map((command) => (
              <button key={command} class="btn small" disabled={desk.busy} onClick={() => begin(desk, command)}>
                {named("command", command)}
              </button>
            ))}
          </span>
        )}
      </div>
      {sees && <Sees desk={desk} />}
    </section>
  );
}

/** Staff say it once for the draws of a patron in a round; who said it stays in view. */
function Sees({ desk }: { desk: Desk }) {
  const { view, part } = desk;
  const attests = opening(part.may, "attest_draws");
  if (attests === undefined) return null;
  const by = part.draws_attested_by;
  const who = view.shoe_holder === null ? say("thePatron") : say("seatN", { n: view.shoe_holder });
  return (
    <button
      class="swrow attest"
      role="switch"
      aria-checked={by !== null}
      disabled={desk.busy || by !== null}
      aria-describedby="sees-again"
      onClick={() => void desk.act({ type: "attest_draws" })}
    >
      <span class="sw" />
      <span class="grow">
        <b class="bold">{by === null ? say("iSeeDraws", { who }) : say("seesDraws", { name: by, who })}</b>
        <small id="sees-again">{say("seesAgain")}</small>
      </span>
    </button>
  );
}

/** On which hands a patron has stakes: "Player", "Banker", or both. */
const handsOf = (part: Part, patron: string): string =>
  (["player", "banker"] as const)
    .filter((side) => part.stakes.some(({ wager, shares }) => wager === side && shares.some((share) => share.patron === patron)))
    .map(sideName)
    .join(", ");

/** What became of an offer; of those who come later the first takes it when it is given up. */
function answerOf(offers: Part["shoe_offers"], i: number): string {
  const held = offers.some(({ answer }) => answer === "holds");
  const next = offers.findIndex(({ answer }) => answer === "later");
  return held && i === next ? say("offer.next") : named("offer", offers[i]?.answer ?? "later");
}

/** In which order the shoe is offered, and who has answered. */
export function Offers({ desk }: { desk: Desk }) {
  const { part } = desk;
  const clause = opening(part.may, "attest_draws")?.clause;
  return (
    <section class="panel offers" aria-label={say("inView")}>
      <header>
        <h2>{say("inView")}</h2>
        {clause && <span class="end cite">{clause}</span>}
      </header>
      <div class="in3">
        <Sees desk={desk} />
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">{say("offeredOrder")}</th>
              <th scope="col">{say("stake")}</th>
              <th scope="col">{say("answer")}</th>
            </tr>
          </thead>
          <tbody>
            {part.shoe_offers.map(({ patron, cents, answer }, i) => (
              <tr key={patron}>
                <td>{capital(seatOf(part, patron))}</td>
                <td>
                  {money(cents)} {handsOf(part, patron)}
                </td>
                <td>{answer === "holds" || answer === "due" ? <b>{answerOf(part.shoe_offers, i)}</b> : answerOf(part.shoe_offers, i)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
