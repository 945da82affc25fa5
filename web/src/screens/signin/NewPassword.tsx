/** A password that is new: its rule, how strong it is, and why it is not taken. */
import { PASSWORD_MAX, PASSWORD_MIN, strength, unsuitable } from "./entering";
import { PasswordField } from "../../parts/PasswordField";
import { say } from "./say";

/** Why it is not taken, in words; null: it may be tried. */
export function whyNot(password: string, name: string): string | null {
  switch (unsuitable(password, name)) {
    case "short":
      return say("short", { got: password.length, n: PASSWORD_MIN });
    case "long":
      return say("long", { got: password.length, n: PASSWORD_MAX });
    case "name":
      return say("sameAsName");
    default:
      return null;
  }
}

export function NewPassword(props: { label: string; value: string; onText: (text: string) => void; bad: boolean }) {
  const strong = strength(props.value);
  return (
    <div class="stack8">
      <PasswordField
        label={props.label}
        hint={say("passwordHint", { n: PASSWORD_MIN })}
        value={props.value}
        onText={props.onText}
        bad={props.bad}
        autocomplete="new-password"
      />
      <div class="meter3" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <b key={step} class={step <= strong ? "on" : ""} />
        ))}
      </div>
      <span class="xs muted" role="status">
        {props.value === "" ? " " : say("strength", { word: say(`strength${strong}`) })}
      </span>
    </div>
  );
}
