/** The keys of a screen: listed behind "?" and behind a button beside the settings. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { say } from "../i18n/common";
import { set, settings } from "../state/settings";
import { Reading } from "./Dialog";
import { Icon } from "./Icon";
import { type Listed, listed, useKeys } from "./keys";

export const KeyList = ({ rows }: { rows: readonly Listed[] }) => (
  <dl class="facts keysof">
    {rows.map(({ keys, does }) => (
      <>
        <dt>{does}</dt>
        <dd>
          {keys.map((key) => (
            <kbd key={key} class="key">
              {key}
            </kbd>
          ))}
        </dd>
      </>
    ))}
  </dl>
);

/** The list in a dialog; with single keys switched off it has those that are left, and the switch. */
export function KeysDialog(props: { rows: readonly Listed[]; onBack: () => void; children?: ComponentChildren }) {
  const on = settings.value.keys;
  return (
    <Reading title={say("keyList")} onBack={props.onBack}>
      <KeyList rows={props.rows} />
      <button class="swrow" role="switch" aria-checked={on} onClick={() => set("keys", !on)}>
        <span class="grow">{say("keys")}</span>
        <span class="sw" />
      </button>
      {props.children}
    </Reading>
  );
}

export function KeysButton() {
  const open = useSignal(false);
  const show = (): void => void (open.value = true);
  useKeys({ "?": { does: say("keyHelp"), press: show }, Escape: { does: say("keyEscape") } });
  return (
    <>
      <button class="iconbtn keysbtn" aria-label={say("keyList")} aria-haspopup="dialog" aria-keyshortcuts="?" onClick={show}>
        <Icon name="keyboard" />
      </button>
      {open.value && <KeysDialog rows={listed()} onBack={() => void (open.value = false)} />}
    </>
  );
}
