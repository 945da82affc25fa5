/** The first administrator, by the one-time link that the first start of a house prints. */
import { type Signal, useSignal } from "@preact/signals";
import { post, Refused } from "../../api/http";
import { go } from "../../app/router";
import { homeOf, house, signIn } from "../../app/session";
import { Icon } from "../../parts/Icon";
import { secretOf } from "./entering";
import { Door, Refusal, NameField } from "./Door";
import { NewPassword, whyNot } from "./NewPassword";
import { useTitle } from "../../parts/title";
import { say } from "./say";
import { Used } from "./Used";
import { refusalLine } from "../../i18n/refusals";

export default function Setup() {
  useTitle(say("setupTitle"));
  const secret = useSignal(secretOf(location.hash));
  const name = useSignal("");
  const password = useSignal("");
  const wrong = useSignal<string | null>(null);
  const sending = useSignal(false);
  const used = useSignal(secret.value === "");
  const typed = (field: Signal<string>, text: string): void => {
    field.value = text;
    wrong.value = null;
  };
  const create = async (): Promise<void> => {
    wrong.value = name.value.trim() === "" ? say("nameMissing") : whyNot(password.value, name.value);
    if (wrong.value !== null || sending.value) return;
    sending.value = true;
    try {
      await post("/setup", { secret: secret.value, name: name.value.trim(), password: password.value });
      go(homeOf(await signIn(name.value.trim(), password.value)), true);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.code === "bad_link") used.value = true;
      else wrong.value = refusalLine(error.problem);
    } finally {
      sending.value = false;
    }
  };
  if (used.value) return <Used how={say("usedSetup")} />;
  const version = house.value === null ? "" : ` · ${say("version", { version: house.value.version })}`;
  return (
    <Door backs place={`${say("firstStart")}${version}`}>
      <form
        class="si-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <div>
          <span class="tag">
            <Icon name="lock" />
            {say("setupTag")}
          </span>
          <h1 class="below">{say("setupTitle")}</h1>
          <p class="lead">{say("setupLead")}</p>
        </div>
        <NameField
          label={say("yourName")}
          hint={say("yourNameHint")}
          value={name.value}
          onText={(text) => typed(name, text)}
        />
        <NewPassword
          label={say("password")}
          value={password.value}
          onText={(text) => typed(password, text)}
          bad={wrong.value !== null && whyNot(password.value, name.value) !== null}
        />
        <Refusal text={wrong.value} />
        <div class="tip">
          <Icon name="info" />
          <div>
            <b>{say("mayTitle")}</b> {say("may")}
          </div>
        </div>
        <button class="btn primary tall" disabled={sending.value}>
          {sending.value ? say("creating") : say("create")}
        </button>
      </form>
    </Door>
  );
}
