import { afterEach, expect, test } from "vitest";
import { alarmName, alarmPlace, alarmText } from "../src/i18n/alarms";
import { spoken } from "../src/i18n/catalogues";
import type { Schemas } from "../src/api/types";
import { askedAbout, type Call, callAt } from "../src/state/calls";
import { set } from "../src/state/settings";

const AT = Date.parse("2026-11-16T21:50:00Z");
const call = (more: Partial<Call> = {}): Call => ({
  number: 1, code: "attendant_called", table: "tiger", round: null, moment: "2026-11-16T21:46:00Z", note: null, seen: null, answer: null, ...more,
});
afterEach(() => set("language", "en"));

test("a call stands until it is seen, and for a while it says that somebody comes", () => {
  expect(callAt([], "tiger", AT).state).toBe("none");
  expect(callAt([call()], "baccarat", AT).state).toBe("none");
  expect(callAt([call()], "tiger", AT).state).toBe("called");
  const seen = call({ seen: "2026-11-16T21:47:00Z" });
  expect(callAt([seen], "tiger", AT).state).toBe("seen");
  expect(callAt([seen], "tiger", AT + 5 * 60_000).state).toBe("none");
  expect(callAt([call({ number: 2 }), seen], "tiger", AT)).toEqual({ state: "called", call: call({ number: 2 }) });
});

test("a question belongs to its round at its table", () => {
  const asked = call({ code: "round_asked", round: 7 });
  expect(askedAbout([call(), asked], "tiger", 7)).toBe(asked);
  expect([askedAbout([asked], "tiger", 8), askedAbout([asked], "baccarat", 7)]).toEqual([null, null]);
});

const alarm = (code: string, more: object): Schemas["Alarm"] => ({ number: 1, table: "tiger", device: null, moment: "", code, sentence: "as sent", ...more }) as unknown as Schemas["Alarm"];

test("alarms tell their places and numbers in both languages", async () => {
  const win = alarm("big_win", { patron: "ann", position: 2, wager: "tie", cents: 2_000_000, round: 9 });
  const apart = alarm("differential", { wager: "player", cents: 4_600_000, limit_cents: 5_000_000, round: 4 });
  expect([alarmName(win), alarmText(win)]).toEqual(["Big win", "seat 2 · ann · 20,000.00 on Tie · round 9"]);
  expect([alarmName(apart), alarmText(apart)]).toEqual(["Differential at 92 %", "Player ahead by 46,000.00 of 50,000.00 · round 4"]);
  set("language", "zh-Hans");
  await spoken();
  expect(alarmText(win)).toBe("2 号位 · ann · 和 Tie 20,000.00 · 第 9 局");
  expect(alarmName(apart)).toBe("差额达 92%");
});

test("who calls is told in every language", async () => {
  const attendant = alarm("attendant_called", { patron: "ann", position: 3 });
  const nowhere = alarm("attendant_called", { patron: "ann", position: null });
  const pit = alarm("supervisor_called", { staff: "mei" });
  expect([alarmText(attendant), alarmText(nowhere), alarmText(pit)]).toEqual(["seat 3 · ann", "ann", "called by mei"]);
  set("language", "zh-Hans");
  await spoken();
  expect([alarmText(attendant), alarmText(nowhere), alarmText(pit)]).toEqual(["3 号位 · ann", "ann", "由 mei 呼叫"]);
});

test("a count that differs and a clock that is off say by how much", async () => {
  const count = alarm("count_differs", { counted: "drop", cents: 97_00, limit_cents: 100_00 });
  const clock = alarm("clock_skew", { table: "house", rate: -120, usual: 5 });
  expect([alarmName(count), alarmText(count)]).toEqual(["Count differs", "drop counted 97.00, ledger 100.00 · 3.00 short"]);
  expect([alarmPlace(clock), alarmText(clock)]).toEqual(["House", "machine 120 s behind, set 5 s"]);
  expect(alarmText(alarm("clock_skew", { rate: 6, usual: 5 }))).toBe("machine 6 s ahead, set 5 s");
  set("language", "zh-Hans");
  await spoken();
  expect([alarmPlace(clock), alarmText(clock)]).toEqual(["场所", "机器时钟慢 120 秒，设定 5 秒"]);
  expect(alarmText(count)).toBe("入箱清点 97.00，账面 100.00 · 少 3.00");
});

test("what a device says is its own sentence, and what has no number is the server's", () => {
  expect(alarmText(alarm("scan_mismatch", { device: "shoe-1", card: 3 }))).toBe("as sent");
  expect(alarmText(alarm("supervisor_called", {}))).toBe("as sent");
  expect(alarmText(alarm("slow", { rate: 12, usual: 20 }))).toBe("12 rounds an hour, set 20");
  expect(alarmText(alarm("waits", { rate: 181, usual: 180 }))).toBe("181 s without a step, set 180 s");
});
