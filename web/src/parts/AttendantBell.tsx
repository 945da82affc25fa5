/** The bell of a bar: it opens a dialog that calls an attendant to a table. */
import { useSignal } from "@preact/signals";
import { say } from "../i18n/calls";
import { say as common } from "../i18n/common";
import { Attendant } from "./Attendant";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";

/** `table`: where the patron sits; null: nowhere, and nobody could come. */
export function AttendantBell({ table }: { table: string | null }) {
  const open = useSignal(false);
  const back = (): void => void (open.value = false);
  return (
    <>
      <button class="iconbtn" aria-label={say("call")} aria-haspopup="dialog" onClick={() => void (open.value = true)}>
        <Icon name="bell" />
      </button>
      {open.value && (
        <Dialog
          title={say("call")}
          onBack={back}
          foot={
            <>
              <span class="sp" />
              <button class="btn" onClick={back}>
                {common("close")}
              </button>
            </>
          }
        >
          {table === null ? <p class="muted">{say("noSeat")}</p> : <Attendant table={table} />}
        </Dialog>
      )}
    </>
  );
}
