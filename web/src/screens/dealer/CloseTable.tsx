/** Closing: patrons have left, the shoe is out of play, the tray is counted afterwards. */
import { say as common } from "../../i18n/common";
import { Checklist } from "../../parts/Checklist";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Trouble } from "../../parts/Trouble";
import { opening } from "../../state/may";
import { begin } from "./Acts";
import type { Desk } from "./context";
import { between } from "./course";
import { Foot } from "./Foot";
import { GameSheet, inTray, useBank } from "./GameSheet";
import { say } from "./say";
import { tableMark, Top } from "./Top";
import { CountAgain, TrayTable, useTray } from "./Tray";

export function CloseTable({ desk }: { desk: Desk }) {
  const { view, part } = desk;
  const closes = opening(part.may, "close_table");
  const ends = opening(part.may, "end_shoe");
  const seated = part.patrons.length;
  const over = between(view, part);
  const [bank] = useBank(desk);
  const tray = useTray(desk.table, "closing");
  const title = say("closeThis", { table: tableMark(desk.table) });
  const back = (): void => void (desk.mode.value = { kind: "round" });
  useKeys({ Escape: back });
  const act = (): void => {
    if (closes === undefined) desk.over.value = { kind: "here", command: "close_table" };
    else begin(desk, "close_table");
  };
  return (
    <div class="dealer app full">
      <Top desk={desk} steps={false} />
      <main class="mid" aria-label={title}>
        <div class="rtitle">
          <div>
            <h2>{title}</h2>
            <p>{seated === 0 ? say("allLeft") : say("stillSeated", { n: seated })}</p>
          </div>
        </div>
        <Trouble problem={desk.problem} title={say("notDone")} />
        <div class="split">
          <TrayTable tray={tray} expected={inTray(bank)} />
          <section class="stack12">
            <GameSheet bank={bank} />
            <section class="panel" aria-label={say("beforeClosing")}>
              <header>
                <h2>{say("beforeClosing")}</h2>
              </header>
              <Checklist
                label={say("beforeClosing")}
                steps={[
                  { title: say("lastRound"), note: view.table_closes === null ? say("noNotice") : "", state: over ? "done" : "now" },
                  { title: say("patronsLeft"), note: say("stillSeated", { n: seated }), state: seated === 0 ? "done" : over ? "now" : "later" },
                  { title: say("closeTable"), note: say("closesNote"), state: over && seated === 0 ? "now" : "later" },
                  { title: say("tray.count_closer"), note: say("countNote"), state: "later" },
                ]}
              />
            </section>
            <div class="row wrap">
              {ends !== undefined && (
                <button class="btn" disabled={desk.busy} onClick={() => begin(desk, "end_shoe")}>
                  {say("command.end_shoe")}
                </button>
              )}
              {opening(part.may, "leave_seat") !== undefined && (
                <button class="btn" onClick={() => begin(desk, "leave_seat")}>
                  {say("command.leave_seat")}
                </button>
              )}
              {opening(part.may, "announce_closure") !== undefined && (
                <button class="btn" onClick={() => begin(desk, "announce_closure")}>
                  {say("command.announce_closure")}
                </button>
              )}
            </div>
            {closes === undefined && (
              <div class="tip">
                <Icon name="info" />
                <div>{say("closesHere")}</div>
              </div>
            )}
          </section>
        </div>
      </main>
      <Foot
        left={
          <>
            <button class="btn" onClick={back}>
              {common("back")}
            </button>
            <CountAgain tray={tray} />
          </>
        }
        line={over ? (seated === 0 ? "" : say("stillSeated", { n: seated })) : say("roundFirst")}
        primary={closes === undefined ? say("signToClose", { table: tableMark(desk.table) }) : title}
        enabled={over && seated === 0}
        busy={desk.busy}
        onPrimary={act}
      />
    </div>
  );
}
