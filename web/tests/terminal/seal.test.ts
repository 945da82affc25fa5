import { expect, test } from "vitest";
import type { ShoeKnown } from "../../src/api/types";
import { dealtIn } from "../../src/screens/terminal/sheets/Verify";
import { checked, hexOf, leafOf, rootByPath, rootOf } from "../../src/screens/terminal/model/seal";

const SALT = "000102030405060708090a0b0c0d0e0f";
// Made by the house's own code (croupier.journal.seal), with this salt and the seal "1/ab".
const LEAF = "e5e98a65ddc1379c7a23dee0cce1a30a59a6d7722556ce1402a218aac5c9fe15";
const CARDS = ["AS", "TD", "4-Gold", "KH", "2C"];
const ROOT = "f6ffba212524637ddd921bbc7c506fbd462713f1c35962bef02df45e65b7826e";
const PATHS = [
  [
    "a25b8bc29130d00e161bf7a72120bce7bcd77236cbfe031c791e6df5cbee71df",
    "4a98ffa1a2de0937dfbd1db1d8120ce8db49927c3dd96bb61ba61e2913310990",
    "08a3179c56c4739361368c82e5fbdb3cda10761cb71f2a3454fcbb46b2b2f79a"
  ],
  [
    "e5e98a65ddc1379c7a23dee0cce1a30a59a6d7722556ce1402a218aac5c9fe15",
    "4a98ffa1a2de0937dfbd1db1d8120ce8db49927c3dd96bb61ba61e2913310990",
    "08a3179c56c4739361368c82e5fbdb3cda10761cb71f2a3454fcbb46b2b2f79a"
  ],
  [
    "0c9ec33468a4e9c438578f4f171e18b8dc7f8894391c8417ca3de0cb4924f1fc",
    "94f2d992b1d5fe269f84e1745c21749347cb405e5ab151f4f78336b88579c6c6",
    "08a3179c56c4739361368c82e5fbdb3cda10761cb71f2a3454fcbb46b2b2f79a"
  ],
  [
    "3e458ee558b5f6d9f7325f39d052faf35bdc930d674e2e0d64cf0afc1fc1c8aa",
    "94f2d992b1d5fe269f84e1745c21749347cb405e5ab151f4f78336b88579c6c6",
    "08a3179c56c4739361368c82e5fbdb3cda10761cb71f2a3454fcbb46b2b2f79a"
  ],
  [
    "4b1a36e55a8611ad64a1a8a22c9a67b1d6066b6de0702baf8c8a1ed24d7d17de"
  ]
];

const NOWHERE = { round: null, place: null };

function shoe(change: Partial<ShoeKnown> = {}): ShoeKnown {
  return {
    table: "tiger", shoe: "1", seal: "1/ab", cards: CARDS.length, source: "virtual", root: ROOT, in_play: false, lost: false, sealed_by: 4, sealed: "2026-11-18T10:00:00Z",
    openings: CARDS.slice(0, 3).map((card, number) => ({ number, card, salt: SALT, path: PATHS[number] ?? [], round: 1, place: "P1" })),
    rest: CARDS.slice(3).map((card, place) => ({ number: place + 3, card, salt: SALT, ...NOWHERE })),
    ...change,
  };
}

test("a leaf is the one that the house makes", async () => {
  expect(hexOf(await leafOf("1/ab", 0, "AS", SALT))).toBe(LEAF);
});

test("leaves and paths lead to the root, also of an odd number of cards", async () => {
  const leaves = await Promise.all(CARDS.map((card, number) => leafOf("1/ab", number, card, SALT)));
  expect(hexOf(await rootOf(leaves))).toBe(ROOT);
  for (const [number, path] of PATHS.entries()) {
    const leaf = leaves[number];
    if (leaf !== undefined) expect(hexOf(await rootByPath(leaf, number, CARDS.length, path))).toBe(ROOT);
  }
});

test("a shoe as it was sealed matches", async () => {
  expect(await checked(shoe())).toEqual({ cards: 5, wrong: [], root: ROOT, matches: true });
});

test("another card, another order or a missing one does not", async () => {
  const openings = shoe().openings.map((one, place) => (place === 1 ? { ...one, card: "TS" } : one));
  const changed = await checked(shoe({ openings }));
  expect(changed.matches).toBe(false);
  expect(changed.wrong).toEqual([1]);
  expect((await checked(shoe({ rest: [{ number: 3, card: "2C", salt: SALT, ...NOWHERE }, { number: 4, card: "KH", salt: SALT, ...NOWHERE }] }))).matches).toBe(false);
  expect((await checked(shoe({ rest: shoe().rest.slice(1) }))).matches).toBe(false);
});

test("a card tells for which round and place it was drawn", () => {
  expect(dealtIn({ round: 12, place: "B3" }, true)).toBe("round 12, B3");
  expect(dealtIn({ round: 12, place: "P2" }, false)).toBe("round 12, P2, face down");
  expect(dealtIn(NOWHERE, false)).toBe("never dealt");
  expect(dealtIn(NOWHERE, true)).toBe("dealt");
});
