/** The bell of a terminal. */
import { say } from "../../../i18n/calls";
import { tableWords } from "../../../i18n/tables";
import { Attendant } from "../../../parts/Attendant";
import { Sheet } from "../../../parts/Sheet";
import { openSheet, useHere } from "../table";

export function AttendantSheet() {
  const { name } = useHere();
  return (
    <Sheet title={say("call")} sub={tableWords(name)} onClose={() => openSheet(name, null)}>
      <Attendant table={name} />
    </Sheet>
  );
}
