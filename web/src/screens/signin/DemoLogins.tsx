/** Logins of a demo: one tap signs in. */
import { useSignal } from "@preact/signals";
import type { DemoLogin } from "../../app/session";
import { positionName } from "../../i18n/names";
import { grouped } from "./entering";
import { say } from "./say";

interface Props {
  logins: readonly DemoLogin[];
  sending: string | null;
  onTap: (name: string, password: string) => Promise<void>;
}

function Login(props: { login: DemoLogin } & Pick<Props, "sending" | "onTap">) {
  const { name, password, position } = props.login;
  const beside = position === null ? say("patron") : positionName(position);
  return (
    <li>
      <button
        type="button"
        class="btn"
        disabled={props.sending !== null}
        aria-busy={props.sending === name}
        onClick={() => void props.onTap(name, password)}
      >
        {name}
        <span>{beside}</span>
      </button>
    </li>
  );
}

export function DemoLogins({ logins, sending, onTap }: Props) {
  const all = useSignal(false);
  const { patrons, morePatrons, staff, others } = grouped(logins);
  const one = (login: DemoLogin) => <Login key={login.name} login={login} sending={sending} onTap={onTap} />;
  return (
    <section class="demo" aria-label={say("demoLogins")}>
      <h2>
        <span class="tag brass">{say("demo")}</span>
        <span>{say("demoLead")}</span>
      </h2>
      <ul aria-label={say("patrons")}>
        {patrons.map(one)}
        {all.value && morePatrons.map(one)}
        {morePatrons.length > 0 && (
          <li>
            <button type="button" class="btn quiet" aria-expanded={all.value} onClick={() => void (all.value = !all.value)}>
              {all.value ? say("fewer") : say("more", { n: morePatrons.length })}
              {!all.value && <span>{say("morePatrons")}</span>}
            </button>
          </li>
        )}
      </ul>
      {staff.length > 0 && (
        <>
          <h3>{say("staff")}</h3>
          <ul aria-label={say("staff")}>{staff.map(one)}</ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>{say("others")}</h3>
          <ul aria-label={say("others")}>{others.map(one)}</ul>
        </>
      )}
    </section>
  );
}
