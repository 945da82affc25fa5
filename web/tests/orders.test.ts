import { expect, test } from "vitest";
import { inGroups, validationTyped } from "../src/i18n/validation";
import { type CageOpen, difference, most, mostShown, ordered, ticketTyped } from "../src/screens/cage/orders";

const buyIn: CageOpen = { command: "buy_in", fields: ["patron", "cents"], most_cents: 100_000, approvers: [], tables: null };
const closer: CageOpen = {
  command: "count_closer",
  fields: ["table", "cents"],
  most_cents: null,
  approvers: ["Cage Supervisor"],
  tables: [{ table: "tiger", most_cents: 900_000, expected_cents: 500_000 }],
};

test("a command is ordered when every field holds", () => {
  expect(ordered(buyIn, { patron: " ann ", cents: "250.50" })).toEqual({ type: "buy_in", patron: "ann", cents: 25_050 });
});

test.each([{}, { patron: "ann" }, { patron: "ann", cents: "x" }, { patron: "ann", cents: "0" }, { patron: "ann", cents: "1000.01" }, { patron: " ", cents: "1" }])(
  "nothing is ordered by %o",
  (typed) => {
    expect(ordered(buyIn, typed)).toBeNull();
  },
);

test("a count of nothing is a count, and says how far it is off", () => {
  expect(ordered(closer, { table: "tiger", cents: "0" })).toEqual({ type: "count_closer", table: "tiger", cents: 0 });
  expect(difference(closer, { table: "tiger", cents: "4999" })).toBe(-100);
  expect(difference(closer, { table: "tiger", cents: "5000" })).toBe(0);
});

test("how much may be moved is the table's", () => {
  expect([most(closer, { table: "tiger" }), most(closer, {}), most(buyIn, {})]).toEqual([900_000, null, 100_000]);
});

test("a bound that no Cashier comes near is not said", () => {
  const any: CageOpen = { ...buyIn, most_cents: 10 ** 12 };
  expect([mostShown(closer, { table: "tiger" }), mostShown(closer, {}), mostShown(any, {})]).toEqual([900_000, null, null]);
});

test("a validation number is typed with or without its spaces", () => {
  const pay: CageOpen = { command: "pay_ticket", fields: ["ticket", "validation"], most_cents: null, approvers: [], tables: null };
  expect(ordered(pay, { ticket: "000418", validation: "8841 2207-5513" })).toMatchObject({ validation: "884122075513" });
});

test("a validation number is typed in small letters, and shown in groups of four", () => {
  expect(validationTyped(" 8k2m-11qx 09zd–4f7t ")).toBe("8K2M11QX09ZD4F7T");
  expect(inGroups("8K2M11QX09ZD4F7T")).toBe("8K2M 11QX 09ZD 4F7T");
  expect(inGroups("")).toBe("");
});

test("the ticket whose number was typed is found among those shown", () => {
  const pay: CageOpen = { command: "pay_ticket", fields: ["ticket", "validation"], most_cents: null, approvers: [], tables: null };
  const tickets = [{ number: "000000418", cents: 5_000 }] as never[];
  expect(ticketTyped(pay, { ticket: " 000 000 418 " }, tickets)).toBe(tickets[0]);
  expect(ticketTyped(pay, { ticket: "1" }, tickets)).toBeNull();
  expect(ticketTyped(buyIn, { ticket: "000000418" }, tickets)).toBeNull();
});
