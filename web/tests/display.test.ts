import { afterEach, expect, test, vi } from "vitest";
import type { ResultShown, WagerShown } from "../src/api/types";
import { endingWords } from "../src/screens/display/Play";
import { countsOf } from "../src/state/counts";
import { endingOf, handsShown, lineChinese, lineName, limitsOf, share, shiftAt } from "../src/screens/display/shown";
import { eventsOf, listen } from "../src/screens/display/sse";

const result = (more: Partial<ResultShown>): ResultShown => ({
  round: 1, cards: ["2S", "3S", "2H", "4H"], player: 4, banker: 7, winner: "banker", player_pair: true, banker_pair: false,
  natural: false, die: null, power: false, void: false, ...more,
});
const empty = [
  { side: "player" as const, cards: [], points: null, squeezed: false, squeezed_by: null },
  { side: "banker" as const, cards: [], points: null, squeezed: false, squeezed_by: null },
];

test("events are taken whole; the rest waits", () => {
  const { events, rest } = eventsOf('event: snapshot\nid: 7\ndata: {"a":1}\n\n:\n\nevent: change\nid: 8\ndata: {"b"');
  expect(events).toEqual([{ kind: "snapshot", id: "7", data: '{"a":1}' }]);
  expect(eventsOf(`${rest}:2}\n\n`).events).toEqual([{ kind: "change", id: "8", data: '{"b":2}' }]);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a stream that ends is opened again, from the last event on", async () => {
  const sent = 'event: change\nid: 9\ndata: {"type":"change","sequence":9}\n\n';
  const asked: (string | undefined)[] = [];
  vi.stubGlobal("fetch", (_: string, init: { headers: Record<string, string> }) => {
    asked.push(init.headers["Last-Event-ID"]);
    return Promise.resolve(new Response(sent, { status: 200 }));
  });
  const said: unknown[] = [];
  const heard: boolean[] = [];
  const stop = listen("table:tiger", { onMessage: (one) => said.push(one), onHeard: (one) => heard.push(one), onUnknown: () => undefined });
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1), { timeout: 3000 });
  stop();
  expect(asked.slice(0, 2)).toEqual([undefined, "9"]);
  expect(said[0]).toMatchObject({ sequence: 9 });
  expect(heard.slice(0, 2)).toEqual([true, false]);
});

test("a line that falls silent without an end is said from 5 s on, with when it was heard last, and dialled again", async () => {
  vi.useFakeTimers();
  const start = Date.now();
  const lines: ReadableStreamDefaultController<Uint8Array>[] = [];
  vi.stubGlobal("fetch", (_: string, init: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start: (line) => {
        lines.push(line);
        init.signal.addEventListener("abort", () => line.error(new Error("aborted")));
      },
    });
    return Promise.resolve(new Response(body, { status: 200 }));
  });
  const heard: [boolean, number][] = [];
  const stop = listen("table:tiger", { onMessage: () => undefined, onHeard: (one, at) => heard.push([one, at - start]), onUnknown: () => undefined });
  const alive = async (): Promise<void> => {
    lines.at(-1)?.enqueue(new TextEncoder().encode(":\n\n"));
    await vi.advanceTimersByTimeAsync(2_000);
  };
  for (let beat = 0; beat < 10; beat++) await alive();
  expect(heard.every(([one]) => one)).toBe(true);
  await vi.advanceTimersByTimeAsync(2_900);
  expect(heard.at(-1)).toEqual([true, 18_000]);
  await vi.advanceTimersByTimeAsync(200);
  expect([heard.at(-1), lines.length]).toEqual([[false, 18_000], 1]);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(lines.length).toBe(2);
  await alive();
  expect(heard.at(-1)?.[0]).toBe(true);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard.at(-1)?.[0]).toBe(true);
});

test("between rounds the hands of the last one are shown", () => {
  const shown = handsShown({ hands: empty, results: [result({}), result({ void: true, cards: [] })] });
  expect(shown).toEqual({ player: { cards: ["2S", "2H"], points: 4 }, banker: { cards: ["3S", "4H"], points: 7 }, last: true });
  const dealt = [{ ...empty[0]!, cards: [{ place: "P1" as const, face: null, face_down: true }] }, empty[1]!];
  expect(handsShown({ hands: dealt, results: [result({})] })).toMatchObject({ player: { cards: [null] }, last: false });
});

test("an outcome stands until cards of the next round lie", () => {
  const view = { outcome: null, results: [result({ round: 5 })], round: 6, hands: empty };
  expect(endingOf(view)).toMatchObject({ winner: "banker", round: 5 });
  const dealt = [{ ...empty[0]!, cards: [{ place: "P1" as const, face: "9S", face_down: false }] }, empty[1]!];
  expect(endingOf({ ...view, hands: dealt })).toBeNull();
  expect(endingOf({ ...view, outcome: { player: 2, banker: 2, winner: "tie" }, hands: dealt })).toMatchObject({ winner: "tie", round: 6 });
});

test("results are said in both languages", () => {
  const ending = { winner: "banker" as const, player: 5, banker: 7, natural: false, round: 59 };
  expect(endingWords(ending)).toEqual({ en: "Banker wins, 7 over 5", zh: "庄胜，7 对 5" });
  expect(endingWords({ ...ending, winner: "tie", player: 6, banker: 6 }).en).toBe("Tie on 6");
  expect(endingWords({ ...ending, banker: 9, natural: true }).en).toBe("Banker wins, natural 9");
});

test("counts leave void rounds out", () => {
  const counts = countsOf([result({}), result({ winner: "tie", natural: true }), result({ void: true, winner: null })]);
  expect(counts).toEqual({ banker: 1, player: 0, tie: 1, playerPairs: 2, bankerPairs: 0, naturals: 1, rounds: 2 });
  expect([share(1, 3), share(0, 0)]).toEqual(["33.3", "0.0"]);
});

const wager = (slug: string, name: string, pays: string[], minimum_cents = 500): WagerShown => ({
  slug, name, minimum_cents, maximum_cents: 100_000, step_cents: 100, area: null, depends: [],
  rows: pays.map((one) => ({ label: name, pays: one, clause: "" })),
});

const WORDS = { push: "push", on: (total: number, pays: string) => `on ${total}, ${pays}` };

test("limits: main wagers first, equal side wagers in one line, odds as at a terminal", () => {
  const lines = limitsOf([
    wager("banker", "Banker", ["0.95 to 1", "Push"], 1000),
    wager("player-pair", "Player Pair", ["11 to 1"]),
    wager("banker-pair", "Banker Pair", ["11 to 1"]),
    wager("player", "Player", ["1 to 1", "Push"], 1000),
    wager("tiger-pair", "Tiger Pair", ["4 to 1", "100 to 1", "20 to 1"]),
    wager("player-dragon-bonus", "Player Dragon Bonus", ["1 to 1", "2 to 1", "30 to 1", "4 to 1"]),
  ], WORDS);
  expect(lines.map((line) => [lineName(line), line.pays])).toEqual([
    ["Player", "1 to 1 · push"],
    ["Banker", "0.95 to 1 · push"],
    ["Player, Banker Pair", "11 to 1"],
    ["Tiger Pair", "4 · 100 · 20 to 1"],
    ["Player Dragon Bonus", "1 · 2 · 30 · 4 to 1"],
  ]);
  expect(lineChinese(["闲对", "庄对"])).toBe("闲庄对");
  expect(lineChinese(["闲例牌 8", "闲例牌 9", "庄例牌 8", "庄例牌 9"])).toBe("闲庄例牌 8、例牌 9");
  expect(lineChinese(["闲对", "大老虎"])).toBe("闲对、大老虎");
});

test("the picture stands aside by at most two pixels, and elsewhere every minute", () => {
  const places = Array.from({ length: 9 }, (_, minute) => shiftAt(minute * 60_000));
  expect(places[0]).toEqual(places[8]);
  expect(new Set(places.slice(0, 8).map(String)).size).toBe(8);
  expect(places.flat().every((by) => Math.abs(by) <= 2)).toBe(true);
  expect(shiftAt(59_999)).toEqual(places[0]);
});
