import { expect, test } from "vitest";
import { asVerified, chained, coverage, finished, linksOf, percent, running, seconds, short, tableOf, type Verification } from "../src/screens/audit/verification";

const verification = (more: Partial<Verification>): Verification => ({ number: 1, by: "ada", began: "2026-11-17T10:00:00Z", ...more });

test("a verification is at 100 only when it is over", () => {
  expect(percent(verification({ decisions: 10, decisions_done: 10, state: "running" }))).toBe(99);
  expect(percent(verification({ decisions: 3, decisions_done: 1, state: "running" }))).toBe(33);
  expect(percent(verification({ state: "done" }))).toBe(100);
  expect(percent(verification({}))).toBe(0);
});

test("the newest that came to its end is shown, and one that runs", () => {
  const all = [verification({ number: 2, state: "done" }), verification({ number: 3, state: "failed" }), verification({ number: 4 }), verification({ number: 1, state: "done" })];
  expect([finished(all)?.number, running(all)?.number]).toEqual([2, 4]);
  expect([finished([]), running([])]).toEqual([undefined, undefined]);
});

test("how long it took is told in seconds", () => {
  expect(seconds(verification({ ended: "2026-11-17T10:00:41.2Z" }))).toBe(41);
});

test("a stream is verified, in part, or known by its chain alone", () => {
  const stream = { name: "table:tiger", kind: "table" as const, decisions: 9, hash: "", signed: 9 };
  expect(coverage({ ...stream, verified: 9 })).toBe("verified");
  expect(coverage({ ...stream, verified: 4 })).toBe("partly");
  expect(coverage({ ...stream, verified: null })).toBe("chain");
});

test("streams say what the newest verification found, as soon as it did", () => {
  const stream = (name: string) => ({ name, kind: "table" as const, decisions: 9, hash: "", signed: 9, verified: null });
  const done = (holds: boolean) => verification({ state: "done", result: { holds, heads: { a: 9, b: 4 } } as never });
  const states = (newest?: Verification) => asVerified(["a", "b", "c"].map(stream), newest).map(coverage);
  expect(states(done(true))).toEqual(["verified", "partly", "chain"]);
  expect([states(done(false)), states()]).toEqual([["chain", "chain", "chain"], ["chain", "chain", "chain"]]);
});

test("names and digests are short", () => {
  expect([short("0123456789abcdef"), short("abc"), tableOf("table:tiger"), tableOf("cage")]).toEqual(["0123…cdef", "abc", "tiger", null]);
});

test("the chain that is shown has the checkpoint among its records", () => {
  const stream = (name: string, decisions: number, signed: number) => ({ name, kind: "table" as const, decisions, signed, hash: "", verified: null });
  expect(chained([stream("a", 90, 90), stream("b", 40, 37), stream("c", 50, 49)])?.name).toBe("b");
  expect(chained([stream("a", 90, 90), stream("b", 100, 100)])?.name).toBe("b");
  expect(chained([])).toBeUndefined();
  expect(linksOf({ decisions: 40, signed: 37 })).toEqual({ before: 40, limit: 4 });
  expect(linksOf({ decisions: 37, signed: 37 })).toEqual({ before: 38, limit: 4 });
});
