/**
 * A second person approves one command in place: name and password beside what is approved. The
 * approval is for this act, once, for two minutes; whoever is signed in stays so.
 */
import type { Command } from "../api/types";
import { somebody } from "../app/session";
import { say } from "../i18n/common";
import { positionName } from "../i18n/names";
import { approvedBy } from "./acting";
import { SigningForm } from "./Signing";

export function SecondPerson(props: {
  /** Of which position the second person must be, as `may` says it. */
  position: string;
  table: string;
  command: Command;
  /** Faces that go with the command: they are approved with it. */
  cards?: readonly string[] | undefined;
  /** What the button says: it repeats the act, such as "Approve the void". */
  label?: string;
  /** Whose act is approved, where it is not that of whoever is signed in. */
  forName?: string;
  /** Gives the command; the second person is signed out when it is done. */
  onApproved: (approval: string) => unknown;
  /** Nobody approves now; without it whatever is around the form leads back. */
  onBack?: () => void;
}) {
  return (
    <SigningForm
      class="second"
      name={say("secondPerson")}
      label={props.label ?? say("approve")}
      note={say("bothRecorded")}
      onBack={props.onBack}
      onSigned={({ name, password }) =>
        approvedBy(name, password, props.table, props.command, props.forName ?? somebody.peek()?.name ?? "", props.onApproved, props.cards)
      }
    >
      <p class="sm muted">
        {say("secondAsks", { position: positionName(props.position), name: somebody.value?.name ?? "" })}
      </p>
    </SigningForm>
  );
}
