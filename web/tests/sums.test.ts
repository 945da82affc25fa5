import { expect, test } from "vitest";
import { atTables, sumOf } from "../src/screens/cage/sums";

test("what is at tables has the stakes in it, as the line of a patron does", () => {
  const ledger = { sums: [{ kind: "seat", accounts: 30, cents: 60_289_247_50 }, { kind: "stakes", accounts: 2, cents: 30_000_700_00 }, { kind: "wallet", accounts: 3, cents: 5 }] };
  expect(atTables(ledger)).toEqual({ cents: 90_289_947_50, inPlay: 30_000_700_00, seats: 30 });
  expect([sumOf(ledger, "wallet"), atTables({ sums: [] })]).toEqual([5, { cents: 0, inPlay: 0, seats: 0 }]);
});
