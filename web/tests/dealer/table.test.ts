import { expect, test } from "vitest";
import may from "../../../docs/may.md?raw";
import type { OwnedStake, TableView, WagerShown } from "../../src/api/types";
import { changed, counted, fullCounts, short } from "../../src/screens/dealer/counting";
import type { Part } from "../../src/screens/dealer/course";
import { ACT_GROUPS } from "../../src/screens/dealer/groups";
import { clocksNow, limitsNow } from "../../src/screens/dealer/settingsnow";
import { apartBy, columnsOf, lying, meterOf, seatRows, shortName, tooLong, totals } from "../../src/screens/dealer/seating";
import { named } from "../../src/screens/dealer/say";
import { settingsOf, usual } from "../../src/screens/dealer/settling";
import { nextShoe } from "../../src/screens/dealer/shoes";
import { chipsOf, trayCents } from "../../src/screens/dealer/tray";

const stake = (number: number, position: number, wager: string, cents: number, patron = `p${position}`): OwnedStake => ({
  number, position, wager, cents, shared: false, found: false, shares: [{ patron, cents, placed_by: null }],
});
const wager = (slug: string): WagerShown => ({ slug, name: slug }) as unknown as WagerShown;
const part = (more: Partial<Part>): Part => ({ patrons: [], stakes: [], lines: [], hands: [], shaker: null, shoe_due: null, ...more }) as unknown as Part;

test("a row for each position, with who sits there, what lies there and what they hold", () => {
  const view = { rules: { positions: 2 }, shoe_holder: 1 } as unknown as TableView;
  const rows = seatRows(view, part({
    patrons: [{ patron: "amy", position: 1 }, { patron: "ben", position: 1 }],
    stakes: [stake(1, 1, "banker", 100), stake(2, 1, "banker", 50)],
    hands: [{ side: "banker", held_by: "amy", due: null, refused: [] }],
  }));
  expect(rows).toEqual([
    { position: 1, patrons: ["amy", "ben"], stakes: { banker: 150 }, holds: ["banker", "shoe"] },
    { position: 2, patrons: [], stakes: {}, holds: [] },
  ]);
});

test("Player is left of Banker, and of many wagers those with a stake are shown", () => {
  const many = ["banker", "player", "tie", "a-b", "c-d", "e-f"].map(wager);
  expect(columnsOf(many, [stake(1, 1, "c-d", 1)]).map(({ slug }) => slug)).toEqual(["player", "banker", "tie", "c-d"]);
  expect(shortName(wager("player-natural-8"))).toBe("PN8");
  expect(totals([stake(1, 1, "tie", 5), stake(2, 2, "tie", 6)])).toEqual({ tie: 11 });
});

test("wagers without a stake take no room from those that have one, and long figures no room at all", () => {
  const five = ["player", "banker", "tie", "player-pair", "banker-pair"].map(wager);
  const columns = columnsOf(five, [stake(1, 1, "banker-pair", 1)]);
  expect(columns.map(({ slug }) => slug)).toEqual(["player", "banker", "tie", "banker-pair"]);
  expect(tooLong({ player: 40_000, banker: 2_000_000, "banker-pair": 20_000 }, columns, 100)).toBe(false);
  const large = { player: 999_990_000, banker: 1_999_990_000, tie: 100_000 };
  expect(tooLong(large, columns, 100)).toBe(true);
  expect(tooLong({ player: 2_000_000, banker: 2_000_000, tie: 100_000 }, columns, 125)).toBe(true);
});

test("stakes that are settled are shown as the pay list has them", () => {
  const lines = [{ stake: 3, wager: "tie", cents: 500, patron: "amy" }] as unknown as Part["lines"];
  const paying = part({ lines, patrons: [{ patron: "amy", position: 4 }] });
  expect(lying({ phase: "SETTLED" }, paying)[0]).toMatchObject({ position: 4, wager: "tie", cents: 500 });
  expect(lying({ phase: "IDLE" }, paying)).toEqual([]);
});

test("the differential is near from 80 % and exceeded over the limit", () => {
  expect(meterOf(79, 100).word).toBe("");
  expect(meterOf(80, 100)).toEqual({ part: 0.8, word: "near" });
  expect(meterOf(101, 100)).toEqual({ part: 1, word: "exceeded" });
  expect(meterOf(500, null)).toEqual({ part: 0, word: "" });
});

test("counts begin full, less what lies in play", () => {
  const full = fullCounts(52, 8, ["QD"]);
  expect(counted(full)).toBe(8 * 52 - 1);
  expect(full["QD"]).toBe(7);
  const less = changed(full, "KS", -1, 8);
  expect(short(less, full)).toEqual([["KS", 1]]);
  expect(changed(full, "KS", 1, 8)["KS"]).toBe(8);
  expect(counted(fullCounts(65, 8, []))).toBe(520);
});

test("limits begin with all that is set, also for wagers that are not offered", () => {
  const limit = (minimum_cents: number) => ({ minimum_cents, maximum_cents: 100_00, step_cents: 1_00 });
  const rules = { wagers: [{ slug: "player", ...limit(10_00) }, { slug: "tie", ...limit(5_00) }] };
  const view = { rules, pit: { settings: { limits: { player: limit(10_00), tiger: limit(2_00) }, clocks: { betting_ms: 9_000 } } } };
  expect(limitsNow({ rules } as never)).toEqual({ player: limit(10_00), tie: limit(5_00) });
  expect(limitsNow(view as never)).toEqual({ player: limit(10_00), tie: limit(5_00), tiger: limit(2_00) });
  expect(clocksNow(view as never)).toMatchObject({ betting_ms: 9_000, pause_ms: 5_000 });
});

test("the next shoe has a name that no shoe had", () => {
  expect(nextShoe(null, [])).toBe("1");
  expect(nextShoe("4", ["1", "2", "3", "4"])).toBe("5");
  expect(nextShoe("main", ["1"])).toBe("2");
});

test("a tray comes to what its chips are worth", () => {
  expect(trayCents({ 10_000: 3, 500: 2 })).toBe(31_000);
  expect(chipsOf("")).toBe(0);
  expect(chipsOf("12")).toBe(12);
  expect(chipsOf("1.5")).toBeNull();
});

test("settings say device, limits and method as the table wants them", () => {
  const game = { game: "baccarat", name: "Baccarat", rulebook: "BAC8", version: 8, deck: 52, decks: { min: 4, max: 10 }, wagers: ["player", "tie"] };
  const settings = settingsOf(game, { ...usual(game), device: "hand", method: "A" });
  expect(settings).toMatchObject({
    method: "A",
    device: { electronic: false, reads_cards: false, physical: true },
    limits: { player: { minimum_cents: 10_000, step_cents: 2_000 }, tie: { maximum_cents: 200_000 } },
  });
  expect(settings).not.toHaveProperty("dealt_by");
  expect(settingsOf({ ...game, rulebook: "PB6" }, usual({ ...game, rulebook: "PB6" }))).not.toHaveProperty("method");
});

test("every command stands in one group, with words", () => {
  const all = ACT_GROUPS.flatMap(({ commands }) => commands);
  expect(new Set(all).size).toBe(all.length);
  for (const command of all) expect(named("command", command)).not.toBe(command.replaceAll("_", " "));
});

test("whatever the documents say can be done is in a group", () => {
  const listed = [...may.matchAll(/^\| `(\w+)`(?: \*)? \| .*\|$/gm)].map((row) => row[1] ?? "");
  const commands = listed.slice(listed.indexOf("open_table"));
  expect(commands.length).toBeGreaterThan(60);
  const all = new Set(ACT_GROUPS.flatMap(({ commands: names }) => names));
  expect(commands.filter((command) => !all.has(command))).toEqual([]);
});

test("how far the hands are apart is told by the stakes that the list shows", () => {
  const shown = { cents: 0, limit_cents: 5_000, heavier: null, clause: "BAC8 5.18" };
  expect(apartBy(shown, { player: 4_000 })).toEqual({ ...shown, cents: 4_000, heavier: "player" });
  expect(apartBy(shown, { player: 100, banker: 300, tie: 900 })).toMatchObject({ cents: 200, heavier: "banker" });
  expect(apartBy(shown, {}).heavier).toBeNull();
});
