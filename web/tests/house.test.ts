import { expect, test } from "vitest";
import { homeOf } from "../src/app/session";
import { keeperOf } from "../src/screens/house/work";

test.each([
  ["Administrator", "admin", "administrator"],
  ["Technician", "staff", "technician"],
] as const)("%s keeps the house, and begins there", (position, kind, keeper) => {
  const actor = { name: "ada", kind, position } as never;
  expect([keeperOf(actor), homeOf(actor)]).toEqual([keeper, "/house"]);
});

test("nobody else does", () => {
  expect([keeperOf({ kind: "staff", position: "Dealer" } as never), keeperOf({ kind: "patron", position: null } as never), keeperOf(null)]).toEqual([null, null, null]);
});
