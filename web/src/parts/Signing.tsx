/** Somebody signs in place by name and password, for one thing; the password is forgotten at once. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { say } from "../i18n/common";
import { PasswordField } from "./PasswordField";
import { useSending } from "./sending";
import { Trouble } from "./Trouble";

export interface Signed {
  name: string;
  password: string;
}

/** `bad`: what stands there was refused; nobody says whether the name or the password was wrong. */
export function SigningFields(props: { value: Signed; bad?: boolean; onValue: (value: Signed) => void }) {
  const { value, onValue } = props;
  return (
    <div class="two">
      <label class="fld">
        {say("name")}
        <input class={props.bad ? "in bad" : "in"} autocomplete="off" required value={value.name} onInput={(e) => onValue({ ...value, name: e.currentTarget.value })} />
      </label>
      <PasswordField label={say("password")} autocomplete="off" bad={props.bad ?? false} value={value.password} onText={(password) => onValue({ ...value, password })} />
    </div>
  );
}

export function SigningForm(props: {
  /** What the button says. */
  label: string;
  name?: string;
  class?: string;
  onSigned: (signed: Signed) => Promise<unknown>;
  /** Leaves without signing, where nothing else beside the form does. */
  onBack?: (() => void) | undefined;
  /** What stands beside the buttons. */
  note?: string;
  children?: ComponentChildren;
}) {
  const signed = useSignal<Signed>({ name: "", password: "" });
  const { sending, problem, send } = useSending();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await send(() => props.onSigned(signed.value).finally(() => void (signed.value = { ...signed.value, password: "" })));
  };
  const act = (
    <button class="btn primary" disabled={sending.value}>
      {props.label}
    </button>
  );
  return (
    <form class={`stack12 ${props.class ?? ""}`} aria-label={props.name} onSubmit={(event) => void submit(event)}>
      {props.children}
      <SigningFields value={signed.value} bad={problem.value !== null && problem.value.code !== "unreached"} onValue={(value) => void (signed.value = value)} />
      <Trouble problem={problem.value} icon />
      {props.onBack === undefined ? (
        act
      ) : (
        <div class="dfoot">
          <span class="sp">{props.note}</span>
          <button type="button" class="btn" onClick={props.onBack}>
            {say("cancel")}
          </button>
          {act}
        </div>
      )}
    </form>
  );
}
