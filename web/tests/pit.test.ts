import { describe, expect, test } from "vitest";
import type { Open, Previewed, PitPart, TableView } from "../src/api/types";
import { actsOf, atOnce, settable } from "../src/screens/pit/acts";
import { acknowledgeable, type Alarm, type AlarmEnded, medianSeen, rowsOf, standing } from "../src/screens/pit/alarms";
import { consequenceOf, inPlay } from "../src/screens/pit/consequence";
import { choicesOf, orders, reasonNeeded, wantedWord, withReason } from "../src/screens/pit/decide";
import { found, freshened, type PitFloor, type PitTable, short, shortSigned, span, stateOf, titleOf, zonesOf } from "../src/screens/pit/floor";
import { decidables, furtherFields, narrowed } from "../src/screens/pit/referral";
import { apart, differentialAt, followed, inOrder, type Matter, mattersOf, waitsForMe } from "../src/screens/pit/waiting";

const summary = (over: object = {}) =>
  ({ name: "t", game: "baccarat", title: "Baccarat", room: "Main floor", kind: "live", phase: "OPEN", hold: null, sequence: 5, ...over }) as unknown as PitTable["summary"];
const table = (over: object = {}, more: object = {}): PitTable => ({ summary: summary(over), dealer: null, hold: null, waits: null, ...more }) as unknown as PitTable;

describe("the floor", () => {
  test("figures fit a tile", () => {
    expect([941_000, 1_420_000_00 / 10, 14_200_000, -320_000, 1_234_567_890_00, 0].map(short)).toEqual(["9,410", "142 k", "142 k", "−3,200", "1,234.6 m", "0"]);
    expect([shortSigned(211_500), shortSigned(-100), shortSigned(0)]).toEqual(["+2,115", "−1", "0"]);
    expect([short(-1_450), shortSigned(-1_450)]).toEqual(["−14.50", "−14.50"]);
  });

  test("spans of time", () => {
    expect([42_000, 725_000, 3_729_000, -5].map(span)).toEqual(["0:42", "12:05", "1:02:09", "0:00"]);
  });

  test("tables stand by room, electronic ones apart, closed ones last", () => {
    const zones = zonesOf([table({ room: null, game: null, kind: null }), table(), table({ kind: "electronic" }), table({ room: "Paiza Club" }), table({ name: "u" })]);
    expect(zones.map(({ room, electronic, open, tables }) => [room, electronic, open, tables.length])).toEqual([
      ["Main floor", false, 2, 2],
      ["Main floor", true, 1, 1],
      ["Paiza Club", false, 1, 1],
      [null, false, 0, 1],
    ]);
  });

  test("what was heard later counts, what was heard before does not", () => {
    const floor = { tables: [table()] } as unknown as PitFloor;
    expect(freshened(floor, { t: summary({ sequence: 9, phase: "CLOSED" }) })[0]?.summary.phase).toBe("CLOSED");
    expect(freshened(floor, { t: summary({ sequence: 4, phase: "CLOSED" }) })[0]?.summary.phase).toBe("OPEN");
    expect(freshened(floor, null)[0]?.summary.phase).toBe("OPEN");
  });

  test("a table is found by name, game, room or Dealer", () => {
    const all = [table({ name: "08" }, { dealer: "Mei L." }), table({ name: "31", title: "Tiger Baccarat", room: "Hall" })];
    const names = (words: string): string[] => found(all, words).map((one) => one.summary.name);
    expect([names(" TIGER "), names("mei"), names("hall"), names(""), names("none")]).toEqual([["31"], ["08"], ["31"], ["08", "31"], []]);
  });

  test("a hold goes before the phase, and a closed table is closed", () => {
    expect(stateOf({ phase: "OPEN", hold: "report" })).toBe("state.hold");
    expect(stateOf({ phase: "UNOPENED", hold: "report" })).toBe("state.closed");
    expect(stateOf({ phase: "SETTLED", hold: null })).toBe("state.settling");
  });

  test("a table's own name is told where it is not its game's", () => {
    expect(titleOf({ name: "baccarat", number: 8, title: "Baccarat", game: "baccarat" })).toBe("Table 08 · Baccarat");
    expect(titleOf({ name: "baccarat", number: null, title: "Baccarat", game: "baccarat" })).toBe("Baccarat");
    expect(titleOf({ name: "08", number: null, title: "Baccarat", game: "baccarat" })).toBe("Baccarat · 08");
    expect(titleOf({ name: "08", number: null, title: null, game: null })).toBe("08");
  });
});

const NEXT = { why: "It waits.", positions: ["Pit Manager"], patrons: [], since: "2026-11-16T21:47:00Z" };
const part = (over: object = {}): PitPart => ({ hold: null, next: NEXT, may: [], replacement_due: false, flagged: [], stakes: [], ...over }) as unknown as PitPart;
const view = (over: object = {}): TableView => ({ pit: part(over) }) as unknown as TableView;
const hold = (kind: string, over: object = {}) => ({ kind, situation: "drawn_together", clause: "BAC8 5.8.2.2", report: null, decisions: [], ...over });
const ORDER: Open = { command: "set_order", clause: "BAC8 5.8.2.2", approver: "Pit Supervisor", fields: [{ name: "order", kind: "each", required: true, allowed: [0, 1] }, { name: "reason", kind: "text" }] } as unknown as Open;
const CONFIRM = { command: "confirm_report", fields: [{ name: "reason", kind: "text" }] } as unknown as Open;
const DISMISS = { command: "dismiss_report", fields: [{ name: "reason", kind: "text", required: true }] } as unknown as Open;

const matter = (over: object = {}): Matter =>
  ({ table: "t", kind: "order", situation: null, why: null, clause: null, since: null, answers: [], positions: [], patrons: [], ...over }) as unknown as Matter;

describe("what waits", () => {
  test("only what answers the hold is an answer to it", () => {
    const [one] = mattersOf("t", view({ hold: hold("order"), may: [ORDER, CONFIRM] }));
    expect(one?.answers).toEqual([ORDER]);
    expect(mattersOf("t", view({ hold: hold("order"), may: [CONFIRM] }))[0]?.answers).toEqual([]);
  });

  test("replacement and terminals wait beside a hold", () => {
    const matters = mattersOf("t", view({ hold: hold("report"), replacement_due: true, flagged: [{ position: 7, round: 3, stands: false }] }));
    expect(matters.map(({ kind }) => kind)).toEqual(["report", "replacement", "terminal"]);
    expect(mattersOf("t", {} as TableView)).toEqual([]);
  });

  test("one's own come first, then the longest wait", () => {
    const [late, early] = ["2026-11-16T21:50:00Z", "2026-11-16T21:40:00Z"];
    const sorted = inOrder([matter({ table: "a", since: early }), matter({ table: "b", since: late, answers: [ORDER] }), matter({ table: "c", since: early, answers: [ORDER] })]);
    expect(sorted.map((one) => one.table)).toEqual(["c", "b", "a"]);
    expect(waitsForMe(sorted)).toBe(2);
    expect(apart(sorted).map((part) => part.map((one) => one.table))).toEqual([["c", "b"], ["a"]]);
  });

  test("tables that wait for the pit are followed, those for a Dealer not", () => {
    const all = [
      table({ name: "held" }, { hold: { kind: "report" } }),
      table({ name: "dealer" }, { waits: { positions: ["Dealer"] } }),
      table({ name: "pit" }, { waits: { positions: ["Pit Supervisor"] } }),
      table({ name: "machine", kind: "electronic" }),
    ];
    expect(followed(all)).toEqual(["held", "pit", "machine"]);
  });

  test("how near the differential is", () => {
    expect(differentialAt({ differential: { cents: 46_000, limit_cents: 50_000, heavier: "player", clause: "" } })).toBe(92);
    expect(differentialAt({ differential: { cents: 46_000, limit_cents: null, heavier: "player", clause: "" } })).toBeNull();
    expect(differentialAt({ differential: null })).toBeNull();
  });
});

describe("choices", () => {
  test("orders of a few things", () => {
    expect(orders([0, 1, 2])).toHaveLength(6);
    expect(orders([])).toEqual([[]]);
  });

  test("each order is a command", () => {
    expect(choicesOf(matter({ answers: [ORDER] }))?.map(({ command }) => command)).toEqual([
      { type: "set_order", order: [0, 1] },
      { type: "set_order", order: [1, 0] },
    ]);
  });

  test("too many orders are asked for by a form", () => {
    const many = { ...ORDER, fields: [{ name: "order", kind: "each", required: true, allowed: [0, 1, 2, 3] }] } as unknown as Open;
    expect(choicesOf(matter({ answers: [many] }))).toBeNull();
    expect(choicesOf(matter({ answers: [{ command: "record_sorting" } as Open] }))).toBeNull();
  });

  test("a report is confirmed or dismissed, the latter with a reason", () => {
    const choices = choicesOf(matter({ kind: "report", answers: [CONFIRM, DISMISS] })) ?? [];
    expect(choices.map(({ open }) => reasonNeeded(open))).toEqual([false, true]);
    expect(new Set(choices.map(({ id }) => id)).size).toBe(2);
  });

  test("stakes, replacement and terminals by what is allowed", () => {
    const stake = { command: "take_off_wager", fields: [{ name: "stake", kind: "choice", required: true, allowed: [3, 4] }] } as unknown as Open;
    const replace = { command: "decide_replacement", fields: [{ name: "replace", kind: "flag", required: true }] } as unknown as Open;
    const terminal = { command: "decide_terminal", fields: [{ name: "position", kind: "choice", required: true, allowed: [7] }, { name: "stands", kind: "flag", required: true, allowed: [true] }] } as unknown as Open;
    expect(choicesOf(matter({ answers: [stake] }))?.map(({ command }) => command["stake"])).toEqual([3, 4]);
    expect(choicesOf(matter({ answers: [replace] }))?.map(({ command }) => command["replace"])).toEqual([true, false]);
    expect(choicesOf(matter({ answers: [terminal] }))?.map(({ command }) => command)).toEqual([{ type: "decide_terminal", position: 7, stands: true }]);
  });

  test("a reason goes with the command where there is one", () => {
    expect(withReason({ type: "x" }, "  ")).toEqual({ type: "x" });
    expect(withReason({ type: "x" }, " seen ")).toEqual({ type: "x", reason: "seen" });
  });

  test("a decision that cannot be given yet says what to do first", () => {
    expect([wantedWord(["reason"]), wantedWord(["stake"]), wantedWord(["stake", "reason"])]).toEqual(["reasonFirst", "restFirst", "restFirst"]);
  });
});

const STAKES = [
  { number: 1, position: 3, wager: "banker", cents: 20_000, shared: false, found: false, shares: [{ patron: "a", cents: 20_000, placed_by: null }] },
  { number: 2, position: 5, wager: "tie", cents: 2_500, shared: true, found: false, shares: [{ patron: "a", cents: 500, placed_by: null }, { patron: "b", cents: 2_000, placed_by: null }] },
] as PitPart["stakes"];
const preview = (events: object[], effects: object[] = []): Previewed => ({ change: { events, view: {} }, effects, bank_cents: null }) as unknown as Previewed;

describe("what a decision does", () => {
  test("a void gives all back", () => {
    const seen = consequenceOf(preview([{ name: "round_voided", facts: {} }], [{ patron: "a", credit_cents: 20_500, in_play_cents: -20_500 }, { patron: "b", credit_cents: 2_000, in_play_cents: -2_000 }]), STAKES);
    expect([seen.voids, seen.backCents, seen.backTo, seen.asked, seen.waitsFor]).toEqual([true, 22_500, 2, 0, null]);
  });

  test("an option names patrons and what they may take back", () => {
    const seen = consequenceOf(preview([{ name: "hold_placed", facts: { kind: "withdrawal", patrons: ["a"], stakes: [2], steps: [["offer_remaining", "BAC8 5.8.2.2"]] } }]), STAKES);
    expect([seen.asked, seen.askedCents, seen.allOrNone, seen.waitsFor]).toEqual([1, 2_500, true, "withdrawal"]);
  });

  test("a reset reopens bets after patrons were asked", () => {
    const steps = [["offer_any", ""], ["reset_device", ""], ["reopen", ""]];
    const seen = consequenceOf(preview([{ name: "hold_placed", facts: { kind: "withdrawal", patrons: ["a", "b"], stakes: [1, 2], steps } }]), STAKES);
    expect([seen.allOrNone, seen.resets, seen.reopens, seen.askedCents]).toEqual([false, true, true, 22_500]);
  });

  test("another hold is not an option", () => {
    const seen = consequenceOf(preview([{ name: "hold_placed", facts: { kind: "order", patrons: ["a"], stakes: [1], steps: [] } }]), STAKES);
    expect([seen.asked, seen.askedCents, seen.waitsFor]).toEqual([0, 0, "order"]);
  });

  test("patrons count once", () => {
    expect(inPlay(STAKES)).toEqual({ patrons: 2, cents: 22_500 });
  });
});

describe("referrals", () => {
  const decide = (...decisions: string[]): Open =>
    ({ command: "decide_referral", fields: [{ name: "decision", kind: "choice", required: true, allowed: decisions }, { name: "reason", kind: "text", required: true }] }) as unknown as Open;

  test("what is possible, and what is open to this position", () => {
    const pit = part({ hold: hold("referral", { decisions: ["continue", "void"] }), may: [decide("continue")] });
    const all = Object.fromEntries(decidables(pit).map((one) => [one.decision, [one.possible, one.opens.length]]));
    expect(all["continue"]).toEqual([true, 1]);
    expect(all["void"]).toEqual([true, 0]);
    expect(all["reconstruct"]).toEqual([false, 0]);
    expect(Object.keys(all)).toHaveLength(7);
  });

  test("a decision is fixed in its form, and what else it needs stays", () => {
    const open = { ...decide("void", "continue"), fields: [...(decide("void", "continue").fields ?? []), { name: "stake", kind: "choice" }] } as unknown as Open;
    expect(narrowed(open, "void").fields?.[0]?.allowed).toEqual(["void"]);
    expect(furtherFields(open)).toEqual(["stake"]);
  });
});

describe("acts", () => {
  const open = (command: string, over: object = {}): Open => ({ command, ...over }) as unknown as Open;

  test("one act for each command, settings and referrals elsewhere", () => {
    const may = [open("report"), open("report"), open("set_limits"), open("decide_referral"), open("close_table"), open("confirm_report"), open("draw_card")];
    expect(actsOf(may).map(([group, acts]) => [group, acts.map(({ command, opens }) => `${command} ${opens.length}`)])).toEqual([
      ["decisions", ["confirm_report 1"]],
      ["table", ["close_table 1"]],
      ["report", ["report 2"]],
      ["dealing", ["draw_card 1"]],
    ]);
    expect([settable(may), settable([open("report")])]).toEqual([true, false]);
  });

  test("what needs no words and nobody else is done at once", () => {
    expect(atOnce({ command: "close_table", opens: [open("close_table")] })).toBe(true);
    expect(atOnce({ command: "x", opens: [open("x", { approver: "Pit Supervisor" })] })).toBe(false);
    expect(atOnce({ command: "x", opens: [open("x", { fields: [{ name: "reason", kind: "text" }] })] })).toBe(false);
  });
});

const alarm = (number: number, over: object = {}): Alarm =>
  ({ number, table: "08", device: "shoe-1", moment: "2026-11-16T21:46:18Z", code: "scan_mismatch", sentence: "", ...over }) as unknown as Alarm;
const over = (number: number, seconds: number, by: string | null, more: object = {}): AlarmEnded =>
  ({ ...alarm(number, more), ended: new Date(Date.parse("2026-11-16T21:46:18Z") + seconds * 1000).toISOString(), acknowledged_by: by }) as AlarmEnded;

describe("alarms", () => {
  test("the heaviest stand first, then the newest", () => {
    const all = standing({ "08": [alarm(1, { code: "misread" }), alarm(2)], "09": [alarm(3), alarm(4, { code: "die_not_due" })] });
    expect(all.map(({ number }) => number)).toEqual([3, 2, 1, 4]);
    expect(standing(null)).toEqual([]);
  });

  test("a card that left the shoe is not acknowledged away", () => {
    expect([acknowledgeable({ code: "left_shoe" }), acknowledgeable({ code: "misread" })]).toEqual([false, true]);
  });

  test("filters", () => {
    const [open, ended] = [[alarm(9)], [over(8, 20, "lim"), over(7, 5, null, { code: "misread", table: "09" })]];
    const numbers = (...args: Parameters<typeof rowsOf>): number[] => rowsOf(...args).map((row) => row.alarm.number);
    expect(numbers(open, ended, "all", null, "lim")).toEqual([9, 8, 7]);
    expect(numbers(open, ended, "open", null, "lim")).toEqual([9]);
    expect(numbers(open, ended, "critical", null, "lim")).toEqual([9, 8]);
    expect(numbers(open, ended, "mine", null, "lim")).toEqual([8]);
    expect(numbers(open, ended, "all", "09", "lim")).toEqual([7]);
  });

  test("the median of those that somebody acknowledged", () => {
    expect(medianSeen([over(1, 10, "a"), over(2, 40, "a"), over(3, 22, "b"), over(4, 999, null)], "crit")).toBe(22_000);
    expect(medianSeen([over(1, 10, "a"), over(2, 40, "a")], "crit")).toBe(25_000);
    expect(medianSeen([], "crit")).toBeNull();
  });
});
