/**
 * A second person approves one command in place: name and password beside what is approved. The
 * approval is for this act, once, for two minutes; whoever is signed in stays so.
 */
import { useSignal } from "@preact/signals";
import { Refused } from "../api/http";
import type { Command, Problem } from "../api/types";
import { somebody } from "../app/session";
import { say } from "../i18n/common";
import { positionName } from "../i18n/names";
import { approvedBy } from "./acting";
import { Trouble } from "./Trouble";

export function SecondPerson(props: {
  /** Of which position the second person must be, as `may` says it. */
  position: string;
  table: string;
  command: Command;
  /** What the button says: it repeats the act, such as "Approve the void". */
  label?: string;
  /** Whose act is approved, where it is not that of whoever is signed in. */
  forName?: string;
  /** Gives the command; the second person is signed out when it is done. */
  onApproved: (approval: string) => unknown;
}) {
  const name = useSignal("");
  const password = useSignal("");
  const problem = useSignal<Problem | null>(null);
  const sending = useSignal(false);
  const approve = async (event: Event): Promise<void> => {
    event.preventDefault();
    sending.value = true;
    problem.value = null;
    try {
      const forName = props.forName ?? somebody.peek()?.name ?? "";
      await approvedBy(name.value, password.value, props.table, props.command, forName, props.onApproved);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    } finally {
      password.value = "";
      sending.value = false;
    }
  };
  return (
    <form class="stack12 second" aria-label={say("secondPerson")} onSubmit={(event) => void approve(event)}>
      <p class="sm muted">
        {say("secondAsks", { position: positionName(props.position), name: somebody.value?.name ?? "" })}
      </p>
      <div class="two">
        <label class="fld">
          {say("name")}
          <input class="in" autocomplete="off" required value={name.value} onInput={(e) => void (name.value = e.currentTarget.value)} />
        </label>
        <label class="fld">
          {say("password")}
          <input
            class="in"
            type="password"
            autocomplete="off"
            required
            value={password.value}
            onInput={(e) => void (password.value = e.currentTarget.value)}
          />
        </label>
      </div>
      <Trouble problem={problem.value} />
      <button class="btn primary" disabled={sending.value}>
        {props.label ?? say("approve")}
      </button>
    </form>
  );
}
