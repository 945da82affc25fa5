import { expect, test } from "vitest";
import { afterSignIn, grouped, secretOf, strength, unsuitable } from "../src/screens/signin/entering";
import type { DemoLogin } from "../src/app/session";

const login = (name: string, kind: DemoLogin["kind"], position: string | null = null): DemoLogin => ({ name, password: "x", kind, position });

test("logins are grouped by kind, and two patrons stand for all", () => {
  const patrons = ["patron-01", "patron-02", "patron-03"].map((name) => login(name, "patron"));
  const found = grouped([...patrons, login("dealer", "staff", "Dealer"), login("auditor", "auditor", "Auditor")]);
  expect(found.patrons.map(({ name }) => name)).toEqual(["patron-01", "patron-02"]);
  expect(found.morePatrons.map(({ name }) => name)).toEqual(["patron-03"]);
  expect(found.staff.map(({ name }) => name)).toEqual(["dealer"]);
  expect(found.others.map(({ name }) => name)).toEqual(["auditor"]);
});

test("a house that gives no logins has none", () => {
  expect(grouped(undefined)).toEqual({ patrons: [], morePatrons: [], staff: [], others: [] });
});

test("whoever signs in goes home, or stays at an address that is theirs", () => {
  const patron = { kind: "patron", name: "patron-01", position: null };
  const dealer = { kind: "staff", name: "dealer", position: "Dealer" };
  expect(afterSignIn("signin", patron)).toBe("/lobby");
  expect(afterSignIn("table", patron)).toBeNull();
  expect(afterSignIn("pit", patron)).toBe("/lobby");
  expect(afterSignIn("signin", dealer)).toBe("/dealer");
  expect(afterSignIn("pit", dealer)).toBeNull();
});

test("the secret of a link is what stands behind its #", () => {
  expect([secretOf("#ab_c"), secretOf("#a%2Fb"), secretOf("")]).toEqual(["ab_c", "a/b", ""]);
});

test("a password has a length, and is not the name", () => {
  expect(unsuitable("elevenchars", "sue")).toBe("short");
  expect(unsuitable("x".repeat(257), "sue")).toBe("long");
  expect(unsuitable("Administrator", "administrator")).toBe("name");
  expect(unsuitable("correct-horse-table", "sue")).toBeNull();
});

test("strength grows with length and with different characters", () => {
  expect(strength("short")).toBe(0);
  expect(strength("aaaaaaaaaaaaaaaa")).toBe(1);
  expect(strength("abcdefgabcdefg")).toBeLessThan(strength("correct-horse-table"));
  expect(strength("A sentence that nobody guesses, 7")).toBe(4);
});
