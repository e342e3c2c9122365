/**
 * The Merkle tree of RFC 6962 (§2.1), with its proofs as RFC 9162 (§2.1.3, §2.1.4) makes and verifies them.
 *
 *   leaf hash = SHA-256(0x00 || entry)      node = SHA-256(0x01 || left || right)      root of no entries = SHA-256("")
 *
 * Sizes and indexes are whole numbers up to 2^53 - 1, so nothing here uses bit operations, which end at 2^32.
 */
import { sha256 } from '../../../../src/protocol/crypto.ts';
import { concatBytes, equalBytes } from '../../../../src/protocol/encoding.ts';

const LEAF = Uint8Array.of(0x00);
const NODE = Uint8Array.of(0x01);
const EMPTY = sha256(new Uint8Array());

/** No proof in a tree of up to 2^53 entries is longer. */
export const MAX_PROOF_HASHES = 54;

export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256(concatBytes(LEAF, entry));
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(NODE, left, right));
}

/**
 * The hashes of the complete subtrees of a tree, which never change: the stored form of the tree.
 * @param level 0 for leaf hashes; each node above has two of the level below
 * @param index of the node in its level, from the left
 */
export type Nodes = (level: number, index: number) => Uint8Array;

/** A tree in memory. It grows by one entry at a time. */
export class MerkleTree {
  readonly #levels: Uint8Array[][] = [];

  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  append(entry: Uint8Array): void {
    let hash = leafHash(entry);
    for (let level = 0; ; level++) {
      const nodes = this.#levels[level] ?? [];
      this.#levels[level] = nodes;
      nodes.push(hash);
      const left = nodes.at(-2);
      if (nodes.length % 2 === 1 || !left) return;
      hash = nodeHash(left, hash);
    }
  }

  readonly nodes: Nodes = (level, index) => {
    const node = this.#levels[level]?.[index];
    if (!node) throw new RangeError('the tree has no such node');
    return node;
  };
}

/** The largest power of two below `size`, as its exponent. `size` is 2 or more. */
function splitLevel(size: number): number {
  let level = 0;
  while (2 ** (level + 1) < size) level++;
  return level;
}

/** The hash over the entries from `start` to `end`, where `start` is where a subtree of that size begins. */
function rangeHash(nodes: Nodes, start: number, end: number): Uint8Array {
  const size = end - start;
  if (size === 1) return nodes(0, start);
  const level = splitLevel(size);
  const half = 2 ** level;
  if (2 * half === size) return nodes(level + 1, start / size);
  return nodeHash(nodes(level, start / half), rangeHash(nodes, start + half, end));
}

/** The root of the tree as it was with its first `size` entries: 32 bytes. */
export function rootOf(nodes: Nodes, size: number): Uint8Array {
  return size === 0 ? EMPTY : rangeHash(nodes, 0, size);
}

/**
 * The proof that entry `index` is in the tree of the first `size` entries, from the leaf upwards.
 * @throws RangeError unless 0 ≤ index < size
 */
export function inclusionProof(nodes: Nodes, index: number, size: number): Uint8Array[] {
  if (!(index >= 0 && index < size)) throw new RangeError('the tree has no such entry');
  const proof: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + 2 ** splitLevel(end - start);
    if (index < middle) {
      proof.unshift(rangeHash(nodes, middle, end));
      end = middle;
    } else {
      proof.unshift(rangeHash(nodes, start, middle));
      start = middle;
    }
  }
  return proof;
}

/**
 * The proof that the tree of the first `to` entries extends that of the first `from`.
 * @returns nothing where `from` is 0 or `to`: there is nothing to prove
 * @throws RangeError unless 0 ≤ from ≤ to
 */
export function consistencyProof(nodes: Nodes, from: number, to: number): Uint8Array[] {
  if (!(from >= 0 && from <= to)) throw new RangeError('a tree goes on from a smaller one');
  if (from === 0 || from === to) return [];
  const proof: Uint8Array[] = [];
  let [start, end] = [0, to];
  while (from < end) {
    const middle = start + 2 ** splitLevel(end - start);
    if (from <= middle) {
      proof.unshift(rangeHash(nodes, middle, end));
      end = middle;
    } else {
      proof.unshift(rangeHash(nodes, start, middle));
      start = middle;
    }
  }
  // The old tree's last complete part. If that is the old tree itself, its root is known.
  if (start > 0) proof.unshift(rangeHash(nodes, start, end));
  return proof;
}

const isOdd = (value: number) => value % 2 === 1;
const half = (value: number) => Math.floor(value / 2);

/** Verifies a proof that `leaf` is entry `index` of the tree of `size` entries with this root. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isSize(size) || !isSize(index) || index >= size) return false;
  let [node, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equalBytes(hash, root);
}

/** A tree by its size and root. */
export interface TreeHead {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** Verifies a proof that the tree `to` extends the tree `from`. */
export function verifyConsistency(from: TreeHead, to: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isSize(from.size) || !isSize(to.size) || from.size > to.size) return false;
  if (from.size === 0) return proof.length === 0 && equalBytes(from.root, EMPTY);
  if (from.size === to.size) return proof.length === 0 && equalBytes(from.root, to.root);
  let [node, last] = [from.size - 1, to.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // A complete old tree is its own first step.
  const [first, ...rest] = node === 0 ? [from.root, ...proof] : proof;
  if (!first) return false;
  let [oldHash, newHash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equalBytes(oldHash, from.root) && equalBytes(newHash, to.root);
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * The right edge of a tree: the roots of its complete subtrees, the largest first. A reader of all entries in order
 * computes the root after each page from it, and stores at most 53 hashes.
 */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

export const NO_ENTRIES: Frontier = { size: 0, hashes: [] };

/** The frontier after one more entry. */
export function withEntry({ size, hashes }: Frontier, entry: Uint8Array): Frontier {
  const left = [...hashes];
  let hash = leafHash(entry);
  for (let rest = size; isOdd(rest); rest = half(rest)) {
    const before = left.pop();
    if (!before) throw new RangeError('the frontier does not have as many hashes as its size says');
    hash = nodeHash(before, hash);
  }
  return { size: size + 1, hashes: [...left, hash] };
}

/** The root of a frontier's tree: 32 bytes. */
export function frontierRoot({ hashes }: Frontier): Uint8Array {
  const [last, ...before] = hashes.toReversed();
  return last ? before.reduce((right, left) => nodeHash(left, right), last) : EMPTY;
}
