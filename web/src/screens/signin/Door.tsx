/** The door of the house: felt with four cards at the left, one form at the right. */
import "./signin.css";
import type { ComponentChildren } from "preact";
import { house } from "../../app/session";
import { mark } from "../../draw/house";
import { Svg } from "../../draw/Svg";
import { say as common } from "../../i18n/common";
import { clock } from "../../i18n/money";
import { Card } from "../../parts/Card";
import { Icon } from "../../parts/Icon";
import { now } from "../../state/clock";
import { LANGUAGES, set, settings, type Language } from "../../state/settings";

const FAN = ["9S", "KH", "4D", "AC"];
const LONG_NAMES: Record<Language, string> = { ...LANGUAGES, "zh-Hans": "中文", ms: "Melayu" };

function Print() {
  return (
    <svg class="print" viewBox="0 0 680 800" preserveAspectRatio="none" aria-hidden="true">
      <path d="M-60 -300C60 640 620 640 740 -300" />
      <path d="M-60 -318C60 622 620 622 740 -318" />
    </svg>
  );
}

const Clock = () => <span>{clock(now.value)}</span>;

function Languages() {
  return (
    <div class="langs" role="group" aria-label={common("language")}>
      {(Object.keys(LANGUAGES) as Language[]).map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={settings.value.language === language}
          onClick={() => set("language", language)}
        >
          {LONG_NAMES[language]}
        </button>
      ))}
    </div>
  );
}

/** `backs`: the cards lie face down, as nobody is known yet. */
export function Door(props: { backs?: boolean; place?: string; children: ComponentChildren }) {
  return (
    <div class="si">
      <header class="si-art">
        <Print />
        <div class="brand">
          <span class="dr">
            <Svg of={mark()} />
          </span>
          Croupier
        </div>
        <div class="fan" aria-hidden="true">
          {FAN.map((face) => (
            <span key={face} class="dr">
              <Card face={props.backs ? null : face} />
            </span>
          ))}
        </div>
        <p class="where">
          <span>{props.place ?? house.value?.name ?? ""}</span>
          <Clock />
        </p>
      </header>
      <main class="si-form">
        <Languages />
        {props.children}
      </main>
    </div>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  hint?: string;
  bad?: boolean;
  readOnly?: boolean;
}

/** A name as somebody signs in with it. */
export function NameField(props: FieldProps) {
  return (
    <label class="fld">
      {props.label}
      {props.hint !== undefined && <small>{props.hint}</small>}
      <input
        class={props.bad ? "in bad" : "in"}
        value={props.value}
        onInput={(e) => props.onText(e.currentTarget.value)}
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        maxLength={100}
        required
        readOnly={props.readOnly ?? false}
      />
    </label>
  );
}

export function Refusal(props: { text: string | null; children?: ComponentChildren }) {
  if (props.text === null) return null;
  return (
    <div class="err" role="alert">
      <Icon name="alert" />
      <div>
        {props.text}
        {props.children}
      </div>
    </div>
  );
}
