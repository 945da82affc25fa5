import { signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Refused } from "../../src/api/http";
import * as live from "../../src/api/live";
import type { Topic } from "../../src/api/topics";
import type { Command, OwnStake, TableView } from "../../src/api/types";
import { makeBetting, type Betting } from "../../src/screens/terminal/betting";
import { prefer } from "../../src/screens/terminal/preferences";
import { unableOf } from "../../src/screens/terminal/slipacts";
import type { Here } from "../../src/screens/terminal/table";
import { stake, wager } from "./make";

const WAGERS = [wager("player"), wager("banker"), wager("tie")];
const [PLAYER, BANKER, TIE] = WAGERS as [typeof WAGERS[0], typeof WAGERS[0], typeof WAGERS[0]];

/** A table that answers as the server does: a record, then the view with it. */
function house(refuse: (command: Command) => string | null = () => null) {
  let stakes: OwnStake[] = [];
  let sequence = 10;
  let credit = 100_000;
  const given: [Command, number | undefined][] = [];
  const show = (phase = "OPEN", round = 7, more: Partial<TableView> = {}): Topic<TableView> => ({
    sequence,
    time: "",
    events: [],
    view: { phase, round, hold: null, outcome: null, rules: { wagers: WAGERS }, own: { seat: 2, credit_cents: credit, stakes, may: [] }, ...more } as unknown as TableView,
  });
  const table = signal<Topic<TableView> | null>(show());
  const done = (command: Command): void => {
    const cents = Number(command["cents"] ?? 0);
    if (command.type === "place_wager") stakes = [...stakes, stake(sequence, String(command["wager"]), cents)];
    if (command.type === "remove_wager") stakes = stakes.filter((one) => one.number !== command["stake"]);
    if (command.type === "raise_wager") stakes = stakes.map((one) => (one.number === command["stake"] ? { ...one, cents: one.cents + cents } : one));
    if (command.type === "lower_wager") stakes = stakes.map((one) => (one.number === command["stake"] ? { ...one, cents: one.cents - cents } : one));
    credit = 100_000 - stakes.reduce((sum, one) => sum + one.cents, 0);
  };
  vi.spyOn(live, "command").mockImplementation((_, command, conditions) => {
    given.push([command, conditions?.round]);
    const code = refuse(command);
    sequence += 1;
    if (code !== null) {
      return Promise.reject(new Refused({ type: "", title: "", status: 409, detail: "No.", code, clause: "BAC8 3.5.1" }));
    }
    done(command);
    const answer = { sequence, accepted: true as const, events: [] };
    const seen = show();
    underway += 1;
    return new Promise((told) => setTimeout(() => { underway -= 1; told(answer); table.value = seen; }, 1));
  });
  return { table, given, show };
}

let betting: Betting;
let underway = 0;
/** Wait until all is answered, also what was sent because of an answer, however slow the machine. */
async function settled(): Promise<void> {
  do await new Promise((done) => setTimeout(done, 10));
  while (underway > 0);
}
beforeEach(() => {
  underway = 0;
  live.connection.value = "live";
  prefer("autoConfirm", false);
  sessionStorage.clear();
});
afterEach(() => {
  betting.dispose();
  vi.restoreAllMocks();
});

describe("bets with Confirm", () => {
  test("wait until they are confirmed, and carry the round", async () => {
    const { table, given } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 2_500);
    betting.tap(BANKER, 2_500);
    expect([betting.unsent.value, betting.free.value, given.length]).toEqual([5_000, 95_000, 0]);
    betting.confirm();
    expect(betting.sending.value).toEqual({ banker: 5_000 });
    await settled();
    expect(given).toEqual([[{ type: "place_wager", wager: "banker", position: 2, cents: 5_000 }, 7]]);
    expect([betting.accepted.value, betting.unsent.value, betting.sending.value]).toEqual([{ banker: 5_000 }, 0, {}]);
  });
  test("that were not sent are taken back by Undo after the page was loaded again", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 5_000);
    betting.confirm();
    await settled();
    betting.tap(TIE, 2_500);
    betting.dispose();
    betting = makeBetting("tiger", table);
    expect([betting.wanted.value, betting.undoable.value]).toEqual([{ banker: 5_000, tie: 2_500 }, true]);
    betting.undo();
    expect([betting.wanted.value, betting.undoable.value]).toEqual([{ banker: 5_000 }, false]);
  });
  test("repeated while they come back, stay wanted", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table);
    betting.last.value = { banker: 5_000 };
    betting.tap(BANKER, 5_000);
    betting.confirm();
    await settled();
    betting.clear();
    expect(betting.sending.value).toEqual({ banker: -5_000 });
    betting.repeat();
    await settled();
    expect([betting.accepted.value, betting.wanted.value, betting.unsent.value]).toEqual([{}, { banker: 5_000 }, 5_000]);
  });
  test("that came back one by one are no round's stakes: Repeat means those of the last round", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table);
    betting.last.value = { player: 2_500 };
    betting.tap(BANKER, 5_000);
    betting.tap(TIE, 5_000);
    betting.confirm();
    await settled();
    betting.clear();
    await settled();
    betting.repeat();
    expect([betting.accepted.value, betting.wanted.value]).toEqual([{}, { player: 2_500 }]);
  });
  test("that come back are sent at once", async () => {
    const { table, given } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 5_000);
    betting.confirm();
    await settled();
    betting.clear();
    await settled();
    expect(given.at(-1)?.[0].type).toBe("remove_wager");
    expect(betting.accepted.value).toEqual({});
    betting.undo();
    expect(betting.unsent.value).toBe(5_000);
  });
  test("below the minimum are not sent, and say what would do", async () => {
    const { table, given } = house();
    betting = makeBetting("tiger", table);
    betting.tap(TIE, 500);
    betting.tap(BANKER, 2_500);
    betting.confirm();
    await settled();
    expect(given.map(([command]) => command["wager"])).toEqual(["banker"]);
    expect(betting.notice.value).toMatchObject({ kind: "refused", wager: "tie", remedy: 2_500 });
    betting.place("tie", 2_500);
    await settled();
    expect(betting.accepted.value).toEqual({ banker: 2_500, tie: 2_500 });
    expect(betting.notice.value).toBeNull();
  });
});

test("a refusal of the server leaves the felt as it was", async () => {
  const { table } = house((command) => (command["wager"] === "tie" ? "area_full" : null));
  betting = makeBetting("tiger", table);
  betting.tap(TIE, 2_500);
  betting.tap(BANKER, 2_500);
  betting.confirm();
  await settled();
  expect([betting.wanted.value, betting.refused.value]).toEqual([{ banker: 2_500 }, { tie: 2_500 }]);
  expect(betting.notice.value).toMatchObject({ kind: "refused", wager: "tie", problem: { code: "area_full" } });
});

test("what comes too late is not in the round", async () => {
  const { table } = house(() => "other_round");
  betting = makeBetting("tiger", table);
  betting.tap(TIE, 2_500);
  betting.confirm();
  await settled();
  expect(betting.notice.value).toMatchObject({ kind: "late", wager: "tie", cents: 2_500 });
});

test("what was not confirmed when bets close is said, and forgotten", () => {
  const { table, show } = house();
  betting = makeBetting("tiger", table);
  betting.tap(TIE, 2_500);
  table.value = show("CLOSED");
  expect([betting.wanted.value, betting.notice.value]).toMatchObject([{}, { kind: "unsent", cents: 2_500 }]);
  table.value = show("OPEN", 8);
  expect(betting.notice.value).toBeNull();
});

describe("repeat", () => {
  test("takes the stakes of the last round", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table);
    betting.last.value = { banker: 5_000, tie: 2_500 };
    betting.repeat();
    betting.confirm();
    await settled();
    expect(betting.accepted.value).toEqual({ banker: 5_000, tie: 2_500 });
  });
  test("means the stakes of the last round as long as bets are open, whatever lies there by then", async () => {
    const { table, show } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 5_000);
    betting.confirm();
    await settled();
    expect(betting.last.value).toEqual({});
    table.value = show("DEALING");
    table.value = show("OPEN", 8, { own: { seat: 2, credit_cents: 95_000, stakes: [], may: [] } } as never);
    expect(betting.last.value).toEqual({ banker: 5_000 });
    table.value = show("OPEN", 8, { own: { seat: 2, credit_cents: 92_500, stakes: [stake(20, "tie", 2_500)], may: [] } } as never);
    expect(betting.last.value).toEqual({ banker: 5_000 });
    betting.repeat();
    expect(betting.wanted.value).toEqual({ banker: 5_000 });
  });
  test("does not look as if it could be done where the same lies there already", async () => {
    const { table, show } = house();
    betting = makeBetting("8", table);
    betting.last.value = { banker: 5_000 };
    const here = (): Here => ({ name: "8", own: { stakes: [], credit_cents: 100_000 }, rounds: null, sheet: null, view: show().view, betting }) as unknown as Here;
    expect(unableOf("repeat", here())).toBeNull();
    betting.repeat();
    expect(unableOf("repeat", here())).toBe("same");
    betting.confirm();
    await settled();
    expect(unableOf("repeat", here())).toBe("same");
    betting.tap(TIE, 2_500);
    expect(unableOf("repeat", here())).toBeNull();
  });
  test("takes nothing back where the table offers none of its wagers any more", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table);
    betting.last.value = { "small-tiger": 5_000 };
    betting.tap(BANKER, 5_000);
    betting.repeat();
    expect([betting.wanted.value, betting.notice.value?.kind]).toEqual([{ banker: 5_000 }, "repeat"]);
  });
  test("is all or nothing: what was accepted of it goes back", async () => {
    const { table } = house((command) => (command["wager"] === "tie" ? "area_full" : null));
    betting = makeBetting("tiger", table);
    betting.last.value = { banker: 5_000, tie: 2_500 };
    betting.repeat();
    betting.confirm();
    await settled();
    expect([betting.accepted.value, betting.wanted.value]).toEqual([{}, {}]);
    expect(betting.notice.value).toMatchObject({ kind: "repeat", problem: { code: "area_full" } });
  });
});

test("without Confirm every chip is sent, and chips meanwhile go together", async () => {
  prefer("autoConfirm", true);
  const { table, given } = house();
  betting = makeBetting("tiger", table);
  betting.tap(BANKER, 2_500);
  betting.tap(BANKER, 2_500);
  betting.tap(BANKER, 2_500);
  await settled();
  expect(given.map(([command]) => [command.type, command["cents"]])).toEqual([
    ["place_wager", 2_500],
    ["raise_wager", 5_000],
  ]);
  expect(betting.accepted.value).toEqual({ banker: 7_500 });
});

describe("what the table would not take", () => {
  test("is marked spot by spot, and stays in the slip", async () => {
    const { table, given } = house();
    betting = makeBetting("tiger", table);
    betting.tap(TIE, 3_333);
    betting.tap(BANKER, 3_333);
    betting.tap(PLAYER, 2_500);
    betting.confirm();
    await settled();
    expect(given.map(([command]) => command["wager"])).toEqual(["player"]);
    expect(betting.refused.value).toEqual({ banker: 3_333, tie: 3_333 });
    expect(betting.notice.value).toMatchObject({ kind: "refused", wager: "banker", remedy: 3_000, also: [{ wager: "tie" }] });
    expect([betting.wanted.value, betting.unsent.value]).toEqual([{ banker: 3_333, tie: 3_333, player: 2_500 }, 6_666]);
    betting.place("banker", 3_000);
    await settled();
    expect(betting.accepted.value).toEqual({ banker: 3_000, player: 2_500 });
    expect([betting.refused.value, betting.notice.value?.wager]).toEqual([{ tie: 3_333 }, "tie"]);
  });
  test("is said beside what the server refused", async () => {
    const { table } = house((command) => (command["wager"] === "player" ? "area_full" : null));
    betting = makeBetting("tiger", table);
    betting.tap(PLAYER, 2_500);
    betting.tap(TIE, 3_333);
    betting.confirm();
    await settled();
    expect(betting.refused.value).toEqual({ player: 2_500, tie: 3_333 });
    expect(betting.notice.value).toMatchObject({ wager: "player", problem: { code: "area_full" }, also: [{ wager: "tie" }] });
    expect(betting.wanted.value).toEqual({ tie: 3_333 });
  });
});

describe("a chip above the balance", () => {
  test("is not put down; what lies there stays, and the word goes when that is placed", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 60_000);
    betting.tap(TIE, 60_000);
    expect(betting.notice.value).toMatchObject({ kind: "chip", wager: "tie", remedy: 40_000 });
    betting.tap(BANKER, 40_000);
    betting.tap(BANKER, 100_000);
    expect(betting.notice.value).toMatchObject({ kind: "chip", wager: "banker", remedy: null });
    expect(betting.wanted.value).toEqual({ banker: 100_000 });
    betting.confirm();
    expect([betting.notice.value, betting.refused.value]).toEqual([null, {}]);
    await settled();
    expect([betting.accepted.value, betting.notice.value]).toEqual([{ banker: 100_000 }, null]);
  });
  test("is forgotten when bets close", () => {
    const { table, show } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 200_000);
    expect(betting.refused.value).toEqual({ banker: 200_000 });
    table.value = show("CLOSED");
    expect([betting.notice.value, betting.refused.value]).toEqual([null, {}]);
  });
});

describe("a page that is loaded again", () => {
  const again = (table: ReturnType<typeof house>["table"]): void => {
    betting.dispose();
    betting = makeBetting("tiger", table);
  };
  test("has what was not sent in this round, and sends nothing by itself", async () => {
    const { table, given } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 2_500);
    again(table);
    await settled();
    expect([betting.wanted.value, betting.unsent.value, given]).toEqual([{ banker: 2_500 }, 2_500, []]);
  });
  test("says when bets closed meanwhile", () => {
    const { table, show } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 2_500);
    betting.dispose();
    table.value = show("CLOSED");
    betting = makeBetting("tiger", table);
    expect([betting.wanted.value, betting.notice.value]).toMatchObject([{}, { kind: "unsent", cents: 2_500 }]);
  });
  test("has nothing of another round", () => {
    const { table, show } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 2_500);
    betting.dispose();
    table.value = show("OPEN", 8);
    betting = makeBetting("tiger", table);
    expect(betting.wanted.value).toEqual({});
  });
});

describe("whom the house takes no stake of", () => {
  const mine = (code: string) => signal({ sequence: 1, time: "", events: [], view: { wallet: null, messages: [], calls: [], left: { barred: { code, sentence: "", until: null }, stake_cents: null, loss_cents: null } } }) as never;
  test("puts nothing down, and may take back what lies there", async () => {
    const { table, given } = house();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 2_500);
    betting.confirm();
    await settled();
    betting.dispose();
    betting = makeBetting("tiger", table, mine("excluded"));
    expect([betting.open.value, betting.able.value, betting.barred.value?.code]).toEqual([true, false, "excluded"]);
    betting.tap(BANKER, 2_500);
    betting.repeat();
    betting.double();
    betting.confirm();
    await settled();
    expect([betting.wanted.value, given.length]).toEqual([{ banker: 2_500 }, 1]);
    betting.clear();
    await settled();
    expect(given.map(([one]) => one.type)).toEqual(["place_wager", "remove_wager"]);
  });
  test("plays a round on that was begun when the own time is over", async () => {
    const { table } = house();
    betting = makeBetting("tiger", table, mine("own_time_limit"));
    expect(betting.able.value).toBe(false);
    betting.dispose();
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 2_500);
    betting.confirm();
    await settled();
    betting.dispose();
    betting = makeBetting("tiger", table, mine("own_time_limit"));
    expect(betting.able.value).toBe(true);
  });
});

describe("what cannot be done", () => {
  const HERE = { name: "8", own: { stakes: [], credit_cents: 100_000 }, rounds: null, sheet: null };
  const here = (view: TableView): Here => ({ ...HERE, view, betting }) as unknown as Here;

  test("says what is missing, or how the table stands", () => {
    const { table, show } = house();
    betting = makeBetting("8", table);
    const view = show().view;
    live.connection.value = "lost";
    expect(unableOf("undo", here(view))).toBe("lost");
    live.connection.value = "live";
    expect((["undo", "clear", "repeat", "double"] as const).map((act) => unableOf(act, here(view)))).toEqual(["undo", "clear", "repeat", "double"]);
    betting.tap(PLAYER, 10_000);
    expect((["undo", "clear", "repeat", "double"] as const).map((act) => unableOf(act, here(view)))).toEqual([null, null, "repeat", null]);
    table.value = show("DEALING");
    expect(unableOf("undo", here(show("DEALING").view))).toBe("closed");
    const held = show("DEALING", 7, { hold: { kind: "report" } } as unknown as Partial<TableView>);
    expect(unableOf("undo", here(held.view))).toBe("held");
  });

  test("stands until the next action, and passes by itself where none may follow", () => {
    vi.useFakeTimers();
    const { table } = house();
    betting = makeBetting("8", table);
    betting.cannot("undo", "undo");
    vi.advanceTimersByTime(60_000);
    expect(betting.notice.value?.unable).toEqual({ act: "undo", why: "undo" });
    betting.tap(PLAYER, 10_000);
    expect(betting.notice.value).toBeNull();
    betting.cannot("repeat", "closed");
    vi.advanceTimersByTime(3_000);
    expect(betting.notice.value?.unable?.why).toBe("closed");
    vi.advanceTimersByTime(2_000);
    expect(betting.notice.value).toBeNull();
    vi.useRealTimers();
  });
});

describe("what came back of a void round", () => {
  const accepted = async (table: ReturnType<typeof house>["table"]): Promise<void> => {
    betting = makeBetting("tiger", table);
    betting.tap(BANKER, 5_000);
    betting.confirm();
    await settled();
  };
  const voided = (round: number) => ({ phase: "VOID" as const, round, own: { seat: 2, credit_cents: 0, stakes: [], may: [] } as unknown as NonNullable<TableView["own"]> });
  test("is what lay there when it was void", async () => {
    const { table, show } = house();
    await accepted(table);
    table.value = show("DEALING");
    table.value = show("VOID", 7, voided(7));
    expect(betting.staked.value).toEqual({ banker: 5_000 });
  });
  test("is nothing where everything was taken back before; Repeat has what lay in the round before", async () => {
    const { table, show } = house();
    await accepted(table);
    betting.last.value = { tie: 2_500 };
    betting.clear();
    await settled();
    table.value = show("VOID", 7, voided(7));
    table.value = show("OPEN", 8);
    expect([betting.staked.value, betting.last.value]).toEqual([{}, { tie: 2_500 }]);
  });
  test("is nothing where the stake lay in an earlier round, seen here or told by the house", async () => {
    const { table, show } = house();
    await accepted(table);
    table.value = show("VOID", 8, voided(8));
    expect(betting.staked.value).toEqual({});
    betting.dispose();
    betting = makeBetting("tiger", table);
    betting.recalled(7, { banker: 5_000 });
    expect([betting.staked.value, betting.last.value]).toEqual([{}, { banker: 5_000 }]);
    betting.recalled(8, { tie: 2_500 });
    expect([betting.staked.value, betting.last.value]).toEqual([{ tie: 2_500 }, { tie: 2_500 }]);
    betting.recalled(7, { banker: 5_000 });
    expect(betting.last.value).toEqual({ tie: 2_500 });
  });
});

test("while the connection is down nothing is put down, taken back or sent", async () => {
  const { table, given } = house();
  betting = makeBetting("tiger", table);
  betting.tap(BANKER, 5_000);
  betting.confirm();
  await settled();
  betting.tap(TIE, 500);
  betting.confirm();
  const refused = betting.notice.value;
  expect(refused).toMatchObject({ kind: "refused", remedy: 2_500 });
  const sent = given.length;
  live.connection.value = "lost";
  expect([betting.open.value, betting.able.value]).toEqual([false, false]);
  betting.tap(PLAYER, 2_500);
  betting.clearSpot("banker");
  betting.place("tie", 2_500);
  betting.confirm();
  await settled();
  live.connection.value = "live";
  await settled();
  expect([given.length, betting.wanted.value, betting.notice.value]).toEqual([sent, { banker: 5_000, tie: 500 }, refused]);
});
