/** All that a terminal offers beside bets, and what a patron prefers here. */
import { go } from "../../../app/router";
import { say as calls } from "../../../i18n/calls";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { useActs } from "../acts";
import { isLive } from "../model/spots";
import { prefer, preferences } from "../preferences";
import { openSheet, useHere } from "../table";
import { say } from "../words";
import { LinkRow, SwitchRow } from "./parts";

export function Menu() {
  const { name, view } = useHere();
  const { open, act, problem, sending } = useActs();
  const to = (sheet: string) => () => openSheet(name, sheet);
  const leave = open("leave_seat");
  const live = isLive(view.rules);
  const { autoConfirm, share, squeeze } = preferences.value;
  return (
    <Sheet
      title={say("menu")}
      onClose={() => openSheet(name, null)}
      foot={
        <>
          <button class="btn grow" onClick={() => go("/lobby")}>
            {say("toTables")}
          </button>
          {leave !== undefined && (
            <button class="btn grow" disabled={sending} onClick={() => void act({ type: "leave_seat" }).then((done) => done && go("/lobby"))}>
              {say("leaveSeat")}
            </button>
          )}
        </>
      }
    >
      <div>
        <LinkRow icon="list" label={say("rounds")} onClick={to("history")} />
        <LinkRow icon="grid" label={say("roadsTitle")} onClick={to("roads")} />
        <LinkRow icon="help" label={say("helpButton")} onClick={to("pays")} />
        <LinkRow icon="cash" label={say("moneyButton")} onClick={to("wallet")} />
        <LinkRow icon="clock" label={say("timeButton")} onClick={to("time")} />
        <LinkRow icon="shield" label={say("verifyButton")} onClick={to("verify")} />
        {live && <LinkRow icon="users" label={say("joinTitle")} onClick={to("shared")} />}
        <LinkRow icon="bell" label={calls("call")} onClick={to("attendant")} />
        <LinkRow icon="keyboard" label={say("keysTitle")} onClick={to("keys")} />
      </div>
      <div>
        <SwitchRow label={say("autoConfirm")} help={say("autoConfirmHelp")} on={autoConfirm} onChange={(on) => prefer("autoConfirm", on)} />
        {live && <SwitchRow label={say("shareMine")} help={say("shareHelp")} on={share} onChange={(on) => prefer("share", on)} />}
        {!live && <SwitchRow label={say("squeezePref")} help={say("squeezeHelp")} on={squeeze} onChange={(on) => prefer("squeeze", on)} />}
      </div>
      <Trouble problem={problem} />
      {leave === undefined && <p class="xs muted">{say("leaveLater")}</p>}
    </Sheet>
  );
}
