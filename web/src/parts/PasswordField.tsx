/** A field for a password, at the door and wherever somebody signs in place. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { say } from "../i18n/common";
import { Icon } from "./Icon";

/** A password: it may be pasted, and the eye shows it. */
export function PasswordField(props: {
  label: string;
  value: string;
  onText: (text: string) => void;
  hint?: string;
  bad?: boolean;
  autocomplete: "current-password" | "new-password" | "off";
}) {
  const shown = useSignal(false);
  const id = useId();
  const described = props.hint === undefined ? {} : { "aria-describedby": `${id}-hint` };
  const input = {
    id,
    class: props.bad ? "in bad" : "in",
    value: props.value,
    onInput: (e: { currentTarget: HTMLInputElement }) => props.onText(e.currentTarget.value),
    autocomplete: props.autocomplete,
    required: true,
    ...described,
  };
  return (
    <div class="fld">
      <label for={id}>{props.label}</label>
      {props.hint !== undefined && <small id={`${id}-hint`}>{props.hint}</small>}
      <span class="inwrap">
        {shown.value ? <input type="text" {...input} /> : <input type="password" {...input} />}
        <button
          type="button"
          class="iconbtn"
          aria-label={say("showPassword")}
          aria-pressed={shown.value}
          onClick={() => void (shown.value = !shown.value)}
        >
          <Icon name="eye" />
        </button>
      </span>
    </div>
  );
}
