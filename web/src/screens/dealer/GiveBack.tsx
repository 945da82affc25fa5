/** The Dealer gives the table back: the house deals on, and what is half written is gone. */
import { say as common } from "../../i18n/common";
import { Dialog } from "../../parts/Dialog";
import { Icon } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { opening } from "../../state/may";
import type { Desk } from "./context";
import { between } from "./course";
import { say } from "./say";

/** Whether something would be cut short: a round that is on, or a form that is open. */
export const cutsShort = ({ view, part, mode }: Pick<Desk, "view" | "part" | "mode">): boolean =>
  !between(view, part) || mode.value.kind !== "round";

const signOut = (desk: Desk) => desk.act({ type: "sign_out" });

export function GiveBackButton({ desk }: { desk: Desk }) {
  if (opening(desk.part.may, "sign_out") === undefined || desk.part.dealer === null) return null;
  const press = (): void => {
    if (cutsShort(desk)) desk.over.value = { kind: "giveBack" };
    else void signOut(desk);
  };
  return (
    <button class="btn small giveback" title={say("giveBack")} disabled={desk.busy} onClick={press}>
      <Icon name="seat" />
      <span>{say("giveBackShort")}</span>
    </button>
  );
}

export function GiveBackDialog({ desk, onBack }: { desk: Desk; onBack: () => void }) {
  const doIt = async (): Promise<void> => {
    if ((await signOut(desk)) === null) return;
    desk.mode.value = { kind: "round" };
    onBack();
  };
  return (
    <Dialog
      title={say("giveBackAsk")}
      onBack={onBack}
      foot={
        <>
          <span class="sp" />
          <button class="btn" onClick={onBack}>
            {say("keepDealing")}
          </button>
          <button class="btn primary" disabled={desk.busy} onClick={() => void doIt()}>
            {say("giveBackShort")}
          </button>
        </>
      }
    >
      <div class="stack16">
        {!between(desk.view, desk.part) && <p class="muted">{say("giveBackRound", { n: desk.view.round ?? "" })}</p>}
        {desk.mode.value.kind !== "round" && <p class="muted">{say("giveBackForm")}</p>}
        {desk.away && <p class="muted">{common("awayNote")}</p>}
        <Trouble problem={desk.problem} title={say("notDone")} />
      </div>
    </Dialog>
  );
}
