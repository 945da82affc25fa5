/**
 * Checks a sealed shoe in this browser: every card is a salted leaf of a Merkle tree whose root
 * was published before bets opened. Nothing is asked of the server but the openings.
 */
import type { ShoeKnown } from "../../../api/types";

export interface Checked {
  cards: number;
  /** Numbers of cards that do not lead to the root. */
  wrong: number[];
  /** The root of all cards together, where all are open. */
  root: string | null;
  matches: boolean;
}

const encoder = new TextEncoder();

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function together(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

const big = (value: number, length: number): number[] =>
  Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256);

/** The leaf of a card: SHA-256 of 0, the seal with its length, the number, the salt and the face. */
export function leafOf(seal: string, number: number, card: string, salt: string): Promise<Uint8Array<ArrayBuffer>> {
  const name = encoder.encode(seal);
  return sha256(together([0], big(name.length, 2), name, big(number, 4), bytesOf(salt), encoder.encode(card)));
}

const nodeOf = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => sha256(together([1], left, right));

/** The root of all leaves: a node without a neighbour moves up alone (RFC 6962). */
export async function rootOf(leaves: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  let level = [...leaves];
  while (level.length > 1) {
    const parents: Promise<Uint8Array<ArrayBuffer>>[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      if (left !== undefined) parents.push(right === undefined ? Promise.resolve(left) : nodeOf(left, right));
    }
    level = await Promise.all(parents);
  }
  const root = level[0];
  if (root === undefined) throw new RangeError("A shoe without cards has no root.");
  return root;
}

/** The root to which one card and its path lead, in a shoe of so many cards. */
export async function rootByPath(
  leaf: Uint8Array<ArrayBuffer>,
  number: number,
  cards: number,
  path: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  let [node, place, width] = [leaf, number, cards];
  const hashes = path.map(bytesOf);
  while (width > 1) {
    const besides = place % 2 === 1 || place + 1 < width;
    const neighbour = besides ? hashes.shift() : undefined;
    if (besides && neighbour === undefined) break;
    if (neighbour !== undefined) node = place % 2 === 1 ? await nodeOf(neighbour, node) : await nodeOf(node, neighbour);
    [place, width] = [Math.floor(place / 2), Math.ceil(width / 2)];
  }
  return node;
}

/** Check all that is open of a shoe against its root. */
export async function checked(shoe: ShoeKnown): Promise<Checked> {
  const open = [...shoe.openings, ...shoe.rest].sort((a, b) => a.number - b.number);
  const leaves = await Promise.all(open.map(({ number, card, salt }) => leafOf(shoe.seal, number, card, salt)));
  const wrong: number[] = [];
  for (const opening of shoe.openings) {
    const leaf = await leafOf(shoe.seal, opening.number, opening.card, opening.salt);
    const root = hexOf(await rootByPath(leaf, opening.number, shoe.cards, opening.path));
    if (root !== shoe.root) wrong.push(opening.number);
  }
  const all = open.length === shoe.cards && open.every(({ number }, place) => number === place);
  const root = all ? hexOf(await rootOf(leaves)) : null;
  return { cards: open.length, wrong, root, matches: all && wrong.length === 0 && root === shoe.root };
}
