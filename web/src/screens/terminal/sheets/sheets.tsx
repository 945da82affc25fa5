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

export function sheetOf({ own, sheet }: Here): ComponentChild | null {
  if (own.option !== null) return own.option.all_or_none ? <WithdrawAll /> : <WithdrawAny />;
  return sheet === null ? null : (SHEETS[sheet]?.() ?? null);
}
