/** Everything that is open to whoever works here: nothing that the table takes is out of reach. */
import type { Open } from "../../api/types";
import { say as common } from "../../i18n/common";
import { positionName } from "../../i18n/names";
import { Dialog } from "../../parts/Dialog";
import { openings } from "../../state/may";
import type { Desk } from "./context";
import { between } from "./course";
import { ACT_GROUPS } from "./groups";
import { named, say } from "./say";

/** Do what needs no words, else ask for them. */
export function begin(desk: Desk, command: string, opens: readonly Open[] = openings(desk.part.may, command)): void {
  const [only] = opens;
  if (only === undefined) return;
  if (command === "report") {
    desk.over.value = null;
    desk.mode.value = { kind: "report" };
  } else if (opens.length === 1 && (only.fields ?? []).length === 0 && !only.approver) {
    desk.over.value = null;
    void desk.act({ type: command });
  } else desk.over.value = { kind: "form", command };
}

export function ActsDialog({ desk, onBack }: { desk: Desk; onBack: () => void }) {
  const commands = new Map<string, Open[]>();
  for (const open of desk.part.may) commands.set(open.command, [...(commands.get(open.command) ?? []), open]);
  const listed = new Set(ACT_GROUPS.flatMap(({ commands: names }) => names));
  const rest = [...commands.keys()].filter((name) => !listed.has(name));
  const close = (): void => {
    desk.over.value = null;
    desk.mode.value = { kind: "close" };
  };
  const groups = [...ACT_GROUPS, { name: "other", commands: rest }];
  return (
    <Dialog
      title={say("allActs")}
      onBack={onBack}
      wide
      foot={
        <>
          <button class="btn quiet" onClick={onBack}>
            {common("back")}
          </button>
          <span class="sp">{say("allActsNote")}</span>
          {between(desk.view, desk.part) && (
            <button class="btn quiet" onClick={close}>
              {say("closeTable")}
            </button>
          )}
          <button class="btn" onClick={() => void (desk.over.value = { kind: "here" })}>
            {say("anotherActs")}
          </button>
        </>
      }
    >
      <div class="stack16">
        {groups.map(({ name, commands: names }) => {
          const open = names.filter((command) => commands.has(command));
          if (open.length === 0) return null;
          return (
            <section key={name} class="stack8" aria-label={named("acts", name)}>
              <h3 class="h3">{named("acts", name)}</h3>
              <div class="actgrid">
                {open.map((command) => {
                  const opens = commands.get(command) ?? [];
                  const approver = opens[0]?.approver;
                  return (
                    <button key={command} class="btn" disabled={desk.busy} onClick={() => begin(desk, command, opens)}>
                      <span>
                        {named("command", command)}
                        {(opens[0]?.clause || approver) && (
                          <small>
                            {[opens[0]?.clause, approver ? say("with", { who: positionName(approver) }) : null].filter(Boolean).join(" · ")}
                          </small>
                        )}
                      </span>
                    </button>
                  );
                })}
              </div>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
