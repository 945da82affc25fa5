/** Somebody signs in place by name and password, for one thing; the password is forgotten at once. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { say } from "../i18n/common";
import { useSending } from "./sending";
import { Trouble } from "./Trouble";

export interface Signed {
  name: string;
  password: string;
}

export function SigningFields(props: { value: Signed; onValue: (value: Signed) => void }) {
  const { value, onValue } = props;
  return (
    <div class="two">
      <label class="fld">
        {say("name")}
        <input class="in" autocomplete="off" required value={value.name} onInput={(e) => onValue({ ...value, name: e.currentTarget.value })} />
      </label>
      <label class="fld">
        {say("password")}
        <input
          class="in"
          type="password"
          autocomplete="off"
          required
          value={value.password}
          onInput={(e) => onValue({ ...value, password: e.currentTarget.value })}
        />
      </label>
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
      <SigningFields value={signed.value} onValue={(value) => void (signed.value = value)} />
      <Trouble problem={problem.value} />
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
