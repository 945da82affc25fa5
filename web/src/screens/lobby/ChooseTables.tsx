/** Which tables are pinned: up to four of those that are open. */
import { gameName } from "../../i18n/names";
import { sourceWords, tableWords, say as words } from "../../i18n/tables";
import { Dialog } from "../../parts/Dialog";
import { Icon } from "../../parts/Icon";
import { useTables } from "../../state/table";
import { ordered, stateOf } from "../../state/tables";
import { PINS_MAX } from "./pins";
import { say } from "./saySeveral";
import type { Pins } from "./usePinned";

export function ChooseTables(props: { pins: Pins; onBack: () => void }) {
  const topic = useTables().value;
  const pinned = props.pins.tables.value.map(({ name }) => name);
  const full = pinned.length >= PINS_MAX;
  return (
    <Dialog
      title={say("choose")}
      onBack={props.onBack}
      foot={
        <>
          <span class="sp" role="status" id="choose-full">
            {full ? say("full") : say("chosen", { n: pinned.length, most: PINS_MAX })}
          </span>
          <button class="btn primary" onClick={props.onBack}>
            {say("done")}
          </button>
        </>
      }
    >
      <div class="picks">
        {topic === null && <p class="muted">{say("asking")}</p>}
        {ordered(topic?.view ?? {}).map((table) => {
          const on = pinned.includes(table.name);
          return (
            <button
              key={table.name}
              class="pickrow"
              role="checkbox"
              aria-checked={on}
              disabled={!on && full}
              aria-describedby={full ? "choose-full" : undefined}
              onClick={() => props.pins.toggle(table.name)}
            >
              <span class="box">{on && <Icon name="check" />}</span>
              <span class="grow">
                <b>{gameName(table)}</b>
                <small>{[tableWords(table.name, table.number), sourceWords(table)].filter(Boolean).join(" · ")}</small>
              </span>
              <span class="xs dim">{words(stateOf(table, null))}</span>
            </button>
          );
        })}
      </div>
    </Dialog>
  );
}
