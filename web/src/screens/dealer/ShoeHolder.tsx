/** Method C: who holds the shoe, in which order it was offered, and that staff see every draw. */
import { money } from "../../i18n/money";
import { opening } from "../../state/may";
import { begin } from "./Acts";
import type { Desk } from "./context";
import { named, say } from "./say";
import { seatOf } from "./texts";

export function Holder({ desk }: { desk: Desk }) {
  const { view, part } = desk;
  if (view.rules?.method !== "C") return null;
  const attests = opening(part.may, "attest_draws");
  const acts = ["take_shoe", "refuse_shoe", "relinquish_shoe", "allow_shoe", "end_control"].filter(
    (command) => opening(part.may, command) !== undefined,
  );
  const seat = view.shoe_holder;
  // Staff say it once for the draws of a patron in a round; who said it stays in view.
  const by = part.draws_attested_by;
  return (
    <section class="stack8" aria-label={say("methodC")}>
      <div class="holder">
        <span class="sn">{seat ?? "–"}</span>
        <b>{seat === null ? say("nobodyHolds") : say("seatHolds", { n: seat })}</b>
        <p>{seat === null ? say("shoeGoesTo", { who: seatOf(part, part.shoe_due) }) : say("keepsUntil")}</p>
        <span class="row wrap">
          {acts.map((command) => (
            <button key={command} class="btn small" disabled={desk.busy} onClick={() => begin(desk, command)}>
              {say(`command.${command}` as never)}
            </button>
          ))}
        </span>
      </div>
      {attests !== undefined && (
        <button
          class="swrow attest"
          role="switch"
          aria-checked={by !== null}
          disabled={desk.busy || by !== null}
          onClick={() => void desk.act({ type: "attest_draws" })}
        >
          <span class="sw" />
          <span class="grow">
            <b class="bold">{by === null ? say("iSeeDraws") : say("seesDraws", { name: by })}</b>{" "}
            {attests.clause && <span class="cite">{attests.clause}</span>}
          </span>
        </button>
      )}
    </section>
  );
}

/** In which order the shoe is offered, and who has answered. */
export function Offers({ desk }: { desk: Desk }) {
  const { part } = desk;
  return (
    <section class="panel offers" aria-label={say("offeredOrder")}>
      <div class="tblbox">
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">{say("offeredOrder")}</th>
              <th scope="col">{say("stake")}</th>
              <th scope="col">{say("answer")}</th>
            </tr>
          </thead>
          <tbody>
            {part.shoe_offers.map(({ patron, cents, answer }) => (
              <tr key={patron}>
                <td>{seatOf(part, patron)}</td>
                <td>{money(cents)}</td>
                <td>
                  <b>{named("offer", answer)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
