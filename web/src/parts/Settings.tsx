/** What somebody sets for this browser, behind one button in the same place on every screen. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { somebody, signOut } from "../app/session";
import { go } from "../app/router";
import type { Problem } from "../api/types";
import { say } from "../i18n/common";
import { positionName } from "../i18n/names";
import { LANGUAGES, set, settings, type Language } from "../state/settings";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";
import { Trouble } from "./Trouble";

function Choice<V extends string | number | null>(props: {
  label: string;
  value: V;
  choices: readonly (readonly [V, string])[];
  onChoose: (value: V) => void;
}) {
  return (
    <div class="stack8">
      <span class="h3">{props.label}</span>
      <div class="seg" role="radiogroup" aria-label={props.label}>
        {props.choices.map(([value, name]) => (
          <button key={name} role="radio" aria-checked={value === props.value} onClick={() => props.onChoose(value)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function Switch(props: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button class="swrow" role="switch" aria-checked={props.on} onClick={() => props.onChange(!props.on)}>
      <span class="grow">{props.label}</span>
      <span class="sw" />
    </button>
  );
}

export function SettingsDialog(props: { onBack: () => void; children?: ComponentChildren }) {
  const { language, theme, size, leftHanded, keys, sound, fourColours } = settings.value;
  const who = somebody.value;
  const problem = useSignal<Problem | null>(null);
  const leave = async (): Promise<void> => {
    problem.value = await signOut();
    if (problem.value === null) go("/signin");
  };
  return (
    <Dialog
      title={say("settings")}
      onBack={props.onBack}
      foot={
        <>
          {who && (
            <button class="btn quiet" onClick={() => void leave()}>
              {say("signOut")}
            </button>
          )}
          <span class="sp grow" />
          <button class="btn" onClick={props.onBack}>
            {say("close")}
          </button>
        </>
      }
    >
      <div class="stack16">
        <Trouble problem={problem.value} title={say("notSignedOut")} />
        {who && (
          <p class="muted">
            {who.name}
            {who.position !== null && ` · ${positionName(who.position)}`}
          </p>
        )}
        <Choice
          label={say("language")}
          value={language}
          choices={Object.entries(LANGUAGES) as [Language, string][]}
          onChoose={(chosen) => set("language", chosen)}
        />
        <Choice
          label={say("theme")}
          value={theme}
          choices={[
            [null, say("themeScreen")],
            ["dark", say("themeDark")],
            ["light", say("themeLight")],
          ]}
          onChoose={(chosen) => set("theme", chosen)}
        />
        <Choice
          label={say("textSize")}
          value={size}
          choices={[
            [100, "100 %"],
            [112, "112 %"],
            [125, "125 %"],
          ]}
          onChoose={(chosen) => set("size", chosen)}
        />
        <div>
          <Switch label={say("leftHanded")} on={leftHanded} onChange={(on) => set("leftHanded", on)} />
          <Switch label={say("keys")} on={keys} onChange={(on) => set("keys", on)} />
          <Switch label={say("sound")} on={sound} onChange={(on) => set("sound", on)} />
          <Switch label={say("fourColours")} on={fourColours} onChange={(on) => set("fourColours", on)} />
        </div>
        {props.children}
      </div>
    </Dialog>
  );
}

export function SettingsButton() {
  const open = useSignal(false);
  return (
    <>
      <button class="iconbtn" aria-label={say("settings")} aria-haspopup="dialog" onClick={() => void (open.value = true)}>
        <Icon name="globe" />
      </button>
      {open.value && <SettingsDialog onBack={() => void (open.value = false)} />}
    </>
  );
}
