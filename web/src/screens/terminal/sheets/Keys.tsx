/** Shortcuts of the terminal. */
import { KeyList } from "../../../parts/KeyList";
import { listed } from "../../../parts/keys";
import { Sheet } from "../../../parts/Sheet";
import { settings, set } from "../../../state/settings";
import { openSheet, useHere } from "../table";
import { say } from "../words";
import { SwitchRow } from "./parts";

export function Keys() {
  const { name } = useHere();
  return (
    <Sheet title={say("keysTitle")} onClose={() => openSheet(name, null)}>
      <KeyList rows={listed()} />
      <SwitchRow label={say("keysSwitch")} help={say("keysHelp")} on={settings.value.keys} onChange={(on) => set("keys", on)} />
      <button class="btn wide" onClick={() => openSheet(name, "pays")}>
        {say("helpButton")}
      </button>
    </Sheet>
  );
}
