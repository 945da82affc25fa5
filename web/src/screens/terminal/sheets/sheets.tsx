/** Which sheet stands beside the felt: what the table asks comes before what somebody opened. */
import type { ComponentChild } from "preact";
import type { Here } from "../table";
import { AttendantSheet } from "./Attendant";
import { History } from "./History";
import { Keys } from "./Keys";
import { Menu } from "./Menu";
import { Pays } from "./Pays";
import { RoadsSheet } from "./Roads";
import { Shared } from "./Shared";
import { Time } from "./Time";
import { Verify } from "./Verify";
import { Wallet } from "./Wallet";
import { WithdrawAll, WithdrawAny } from "./Withdraw";

const SHEETS: Record<string, () => ComponentChild> = {
  attendant: () => <AttendantSheet />,
  history: () => <History />,
  keys: () => <Keys />,
  menu: () => <Menu />,
  pays: () => <Pays />,
  roads: () => <RoadsSheet />,
  shared: () => <Shared />,
  time: () => <Time />,
  verify: () => <Verify />,
  wallet: () => <Wallet />,
};

export function sheetOf({ own, sheet, view }: Here): ComponentChild | null {
  if (own.option !== null) {
    // Another question is another sheet: what was chosen in the last one is no answer to it.
    const asked = `${view.round} ${view.hold?.since} ${own.option.clause}`;
    return own.option.all_or_none ? <WithdrawAll key={asked} /> : <WithdrawAny key={asked} />;
  }
  return sheet === null ? null : (SHEETS[sheet]?.() ?? null);
}
