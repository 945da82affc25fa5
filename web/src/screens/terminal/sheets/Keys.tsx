/** Shortcuts of the terminal. */
import { Sheet } from "../../../parts/Sheet";
import { settings, set } from "../../../state/settings";
import { openSheet, useHere } from "../table";
import { say } from "../words";
import { SwitchRow } from "./parts";

const KEYS = [
  ["1–9", "key_chips"],
  ["P B T", "key_main"],
  ["← ↑ ↓ →", "key_arrows"],
  ["Enter", "key_enter"],
  ["Del", "key_delete"],
  ["Z", "undo"],
  ["X", "clear"],
  ["R", "repeat"],
  ["D", "double"],
  ["C", "confirm"],
  ["A", "keyAttendant"],
  ["F6", "key_regions"],
  ["?", "keysTitle"],
  ["Esc", "key_escape"],
] as const;

export function Keys() {
  const { name } = useHere();
  return (
    <Sheet title={say("keysTitle")} onClose={() => openSheet(name, null)}>
      <dl class="facts keysof">
        {KEYS.map(([keys, word]) => (
          <>
            <dt>{say(word)}</dt>
            <dd>
              {keys.split(" ").map((key) => (
                <kbd key={key} class="key">
                  {key}
                </kbd>
              ))}
            </dd>
          </>
        ))}
      </dl>
      <SwitchRow label={say("keysSwitch")} help={say("keysHelp")} on={settings.value.keys} onChange={(on) => set("keys", on)} />
      <button class="btn wide" onClick={() => openSheet(name, "pays")}>
        {say("helpButton")}
      </button>
    </Sheet>
  );
}
