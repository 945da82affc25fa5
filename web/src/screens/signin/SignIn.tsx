/** The door: sign in, refused with the tries that are left, or signed out with the reason. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../../api/http";
import type { ScreenProps } from "../../app/App";
import { go } from "../../app/router";
import { house, type SignedOut, signedOut, signIn, somebody } from "../../app/session";
import { say as common } from "../../i18n/common";
import { money } from "../../i18n/money";
import { refusalLine } from "../../i18n/refusals";
import { tableWords } from "../../i18n/tables";
import { Icon } from "../../parts/Icon";
import { PasswordField } from "../../parts/PasswordField";
import { DemoLogins } from "./DemoLogins";
import { afterSignIn } from "./entering";
import { Door, Refusal, NameField } from "./Door";
import { useTitle } from "../../parts/title";
import { say } from "./say";

/** Why somebody was not let in, in the words of the page. */
function wordsOf({ problem, retrySeconds }: Refused): string {
  if (problem.code === "unreached") return common("unreached");
  if (problem.code === "too_many" && retrySeconds !== null) return say("triesAgain", { n: Math.ceil(retrySeconds / 60) });
  if (problem.code === "too_many") return say("noTries");
  if (problem.code !== "wrong_login") return refusalLine(problem);
  const left = problem.tries_left ?? null;
  if (left === null) return say("refused");
  return `${say("refused")} ${left > 0 ? say("triesLeft", { n: left }) : say("noTries")}`;
}

function Facts(props: { out: SignedOut }) {
  const { wallet } = props.out;
  if (wallet === null) return null;
  const inPlay = wallet.seats.reduce((sum, seat) => sum + seat.in_play_cents, 0);
  return (
    <>
      <dl class="facts">
        {inPlay > 0 && (
          <>
            <dt>{say("inPlay")}</dt>
            <dd>{money(inPlay)}</dd>
          </>
        )}
        {wallet.seats.map((seat) => (
          <>
            <dt>{say("atTable", { table: tableWords(seat.table) })}</dt>
            <dd>{money(seat.credit_cents)}</dd>
          </>
        ))}
        <dt>{say("wallet")}</dt>
        <dd>{money(wallet.cents)}</dd>
      </dl>
      {inPlay > 0 && (
        <div class="tip">
          <Icon name="check" />
          <div>
            <b>{say("standsTitle")}</b> {say("stands")}
          </div>
        </div>
      )}
    </>
  );
}

export default function SignIn({ route }: ScreenProps) {
  useTitle(say("title"));
  const out = signedOut.value;
  const name = useSignal(out?.name ?? "");
  const password = useSignal("");
  const problem = useSignal<Refused | null>(null);
  const sending = useSignal<string | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const fixed = out !== null && out.name !== null;
  const who = somebody.value;
  useEffect(() => {
    // Whoever is signed in has no business at the door.
    if (who && route.screen === "signin") go(afterSignIn(route.screen, who) ?? "/", true);
  }, [who]);
  const enter = async (asName: string, withPassword: string): Promise<void> => {
    if (sending.peek() !== null) return;
    sending.value = asName;
    problem.value = null;
    try {
      const actor = await signIn(asName, withPassword);
      const to = afterSignIn(route.screen, actor);
      if (to !== null) go(to, true);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error;
      field.current?.querySelector<HTMLInputElement>("input[autocomplete=current-password]")?.focus();
    } finally {
      sending.value = null;
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void enter(name.value, password.value);
  };
  // What was refused was another try: the page says one thing at a time.
  const forget = (): void => void (problem.value = null);
  return (
    <Door backs={out !== null}>
      <div class="si-body" ref={field}>
        <form onSubmit={submit} onInvalidCapture={forget} onInput={forget}>
          <div>
            <h1>{out === null ? say("title") : say("outTitle")}</h1>
            <p class="lead">{out === null ? say("lead") : say(`out_${out.why ?? "unknown"}`)}</p>
          </div>
          {out !== null && <Facts out={out} />}
          <NameField
            label={say("name")}
            value={name.value}
            onText={(text) => void (name.value = text)}
            readOnly={fixed}
          />
          <PasswordField
            label={say("password")}
            value={password.value}
            onText={(text) => void (password.value = text)}
            autocomplete="current-password"
            bad={problem.value?.problem.code === "wrong_login"}
          />
          <Refusal text={problem.value === null ? null : wordsOf(problem.value)} />
          <button class="btn primary tall" disabled={sending.value !== null}>
            {sending.value !== null ? say("sending") : out === null ? say("button") : say("again")}
          </button>
          <div class="si-opts">
            {fixed ? (
              <button type="button" class="linkbtn" onClick={() => { signedOut.value = null; name.value = ""; }}>
                {say("else")}
              </button>
            ) : (
              <button type="button" class="linkbtn" onClick={() => go("/display")}>
                {say("watch")}
              </button>
            )}
          </div>
        </form>
        {!fixed && house.value?.demo === true && <DemoLogins logins={house.value.logins} sending={sending.value} onTap={enter} />}
      </div>
    </Door>
  );
}
