/** A password that somebody sets by the one-time link of an administrator. */
import { useSignal } from "@preact/signals";
import { post, Refused } from "../../api/http";
import { go } from "../../app/router";
import { secretOf } from "./entering";
import { Door, Refusal } from "./Door";
import { NewPassword, whyNot } from "./NewPassword";
import { useTitle } from "../../parts/title";
import { say } from "./say";
import { Used } from "./Used";
import { refusalLine } from "../../i18n/refusals";

export default function Password() {
  useTitle(say("passwordTitle"));
  const secret = useSignal(secretOf(location.hash));
  const password = useSignal("");
  const wrong = useSignal<string | null>(null);
  const sending = useSignal(false);
  const used = useSignal(secret.value === "");
  const whose = useSignal<string | null>(null);
  const setIt = async (): Promise<void> => {
    wrong.value = whyNot(password.value, "");
    if (wrong.value !== null || sending.value) return;
    sending.value = true;
    try {
      const set = await post<{ name: string }>("/passwords", { secret: secret.value, password: password.value });
      whose.value = set.name;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.code === "bad_link") used.value = true;
      else wrong.value = refusalLine(error.problem);
    } finally {
      sending.value = false;
    }
  };
  if (used.value) return <Used how={say("usedPassword")} />;
  if (whose.value !== null) {
    return (
      <Door>
        <div class="si-body">
          <div role="status">
            <h1>{say("setDone", { name: whose.value })}</h1>
            <p class="lead">{say("setDoneLead")}</p>
          </div>
          <button class="btn primary tall" onClick={() => go("/signin", true)}>
            {say("button")}
          </button>
        </div>
      </Door>
    );
  }
  return (
    <Door backs>
      <form
        class="si-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void setIt();
        }}
      >
        <div>
          <h1>{say("passwordTitle")}</h1>
          <p class="lead">{say("passwordLead")}</p>
        </div>
        <NewPassword
          label={say("newPassword")}
          value={password.value}
          onText={(text) => {
            password.value = text;
            wrong.value = null;
          }}
          bad={wrong.value !== null}
        />
        <Refusal text={wrong.value} />
        <button class="btn primary tall" disabled={sending.value}>
          {sending.value ? say("setting") : say("setPassword")}
        </button>
      </form>
    </Door>
  );
}
