/** What positions that keep the house do here, and by which commands of `croupier admin` they do the rest. */
import type { Actor, Schemas } from "../../api/types";
import type { Word } from "./say";

export type Keeper = "administrator" | "technician";

/** Who keeps the house; null: this page is for others. */
export function keeperOf(actor: Pick<Actor, "kind" | "position"> | null | undefined): Keeper | null {
  if (actor?.position === "Technician") return "technician";
  return actor?.position === "Administrator" ? "administrator" : null;
}

export interface Line {
  line: string;
  does: Word;
}

const BACKUP: Line = { line: "croupier admin backup", does: "cmd.backup" };

export const COMMANDS: Record<Keeper, readonly Line[]> = {
  administrator: [
    { line: "croupier admin add NAME KIND --position POSITION", does: "cmd.add" },
    { line: "croupier admin position NAME POSITION", does: "cmd.position" },
    { line: "croupier admin act NAME POSITION", does: "cmd.act" },
    { line: "croupier admin reset-password NAME", does: "cmd.reset" },
    { line: "croupier admin disable NAME --reason WHY", does: "cmd.disable" },
    { line: "croupier admin sessions NAME --close", does: "cmd.sessions" },
    BACKUP,
  ],
  technician: [BACKUP],
};

export type DeviceKind = Schemas["DeviceShown"]["kind"];
export const DEVICE_KINDS: readonly DeviceKind[] = ["shoe", "scanner", "die", "terminal", "display"];

/** A table as a command names it: nothing chosen is no table. */
export const tableOf = (chosen: string): string | null => (chosen === "" ? null : chosen);
