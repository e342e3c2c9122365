import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importEd25519, sha256 } from '../../../src/protocol/crypto.ts';
import { concatBytes, EncodingError, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import type { LogHead } from '../../../src/protocol/log-head.ts';
import {
  compareHeads,
  formatCheckpoint,
  isSignedHead,
  logKey,
  readCheckpoint,
  treeOf,
} from '../../support/future/log/checkpoint.ts';
import { decodeLogEntry, encodeLogEntry, LOG_ENTRY_BYTES } from '../../support/future/log/entry.ts';
import { noteKeyId, verifyNote } from '../../support/future/log/note.ts';
import { LogEntries, LogProof } from '../../support/future/log/schemas.ts';
import {
  consistencyProof,
  frontierRoot,
  inclusionProof,
  leafHash,
  MerkleTree,
  NO_ENTRIES,
  rootOf,
  verifyConsistency,
  verifyInclusion,
  withEntry,
} from '../../support/future/log/tree.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

const vectors = readVectors<{
  reference: { leaves: string[]; roots: string[] };
  entries: {
    address: string;
    list: { sequence: number; hash: string };
    addressHash: string;
    entry: string;
    leafHash: string;
  }[];
  badEntries: { why: string; entry: string }[];
  roots: string[];
  inclusion: { index: number; size: number; proof: string[] }[];
  consistency: { from: number; to: number; proof: string[] }[];
  key: { domain: string; publicKey: string; name: string; keyId: string };
  checkpoint: { checkpoint: string; head: LogHead };
  emptyLog: { checkpoint: string; head: LogHead };
  witnessed: { checkpoint: string };
  badCheckpoints: { why: string; checkpoint: string }[];
  heads: { why: string; a: LogHead; b: LogHead; follows: 'same' | 'split' | { from: number; to: number } }[];
}>('waxwing/log.json');

/** The root as RFC 6962 §2.1 defines it, by recursion over all entries. */
function naiveRoot(entries: readonly Uint8Array[]): Uint8Array {
  const [only] = entries;
  if (!only) return sha256(new Uint8Array());
  if (entries.length === 1) return sha256(concatBytes(Uint8Array.of(0), only));
  let split = 1;
  while (split * 2 < entries.length) split *= 2;
  const [left, right] = [entries.slice(0, split), entries.slice(split)].map(naiveRoot);
  return sha256(concatBytes(Uint8Array.of(1), left as Uint8Array, right as Uint8Array));
}

function treeOver(entries: readonly Uint8Array[]): MerkleTree {
  const tree = new MerkleTree();
  for (const entry of entries) tree.append(entry);
  return tree;
}

/** Entries that differ. */
const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => Uint8Array.of(index, index >> 8));

describe('the tree', () => {
  test('has the roots of Certificate Transparency’s reference', () => {
    // Values from google/certificate-transparency, not computed by this code.
    expect(vectors.reference.roots).toEqual([
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
    const { nodes } = treeOver(vectors.reference.leaves.map(bytes));
    expect(vectors.reference.roots.map((_, size) => hex(rootOf(nodes, size)))).toEqual(
      vectors.reference.roots,
    );
  });

  test('has the published roots and valid proofs', () => {
    const entries = vectors.entries.map(({ entry }) => bytes(entry));
    const { nodes } = treeOver(entries);
    expect(vectors.roots.map((_, size) => hex(rootOf(nodes, size)))).toEqual(vectors.roots);
    const head = (size: number) => ({ size, root: bytes(vectors.roots[size] ?? '') });
    for (const { index, size, proof } of vectors.inclusion) {
      expect(inclusionProof(nodes, index, size).map(hex)).toEqual(proof);
      const leaf = bytes(vectors.entries[index]?.leafHash ?? '');
      expect(verifyInclusion(leaf, index, size, proof.map(bytes), head(size).root)).toBe(true);
    }
    for (const { from, to, proof } of vectors.consistency) {
      expect(consistencyProof(nodes, from, to).map(hex)).toEqual(proof);
      expect(verifyConsistency(head(from), head(to), proof.map(bytes)), `${from} to ${to}`).toBe(true);
    }
    expect(vectors.inclusion).toHaveLength(36);
    expect(vectors.consistency).toHaveLength(45);
  });

  test('agrees with the definition at every size, grown or read page by page', () => {
    const entries = entriesOf(70);
    const { nodes } = treeOver(entries);
    let frontier = NO_ENTRIES;
    for (let size = 0; size <= entries.length; size++) {
      const root = hex(naiveRoot(entries.slice(0, size)));
      expect(hex(rootOf(nodes, size))).toBe(root);
      expect(hex(frontierRoot(frontier))).toBe(root);
      const entry = entries[size];
      if (entry) frontier = withEntry(frontier, entry);
    }
  });

  const place = fc
    .tuple(fc.nat(199), fc.nat(199), fc.nat(199))
    .map((numbers) => numbers.sort((a, b) => a - b));

  test('proves each entry only at its own place', () => {
    const entries = entriesOf(200);
    const { nodes } = treeOver(entries);
    fc.assert(
      fc.property(place, fc.nat(1000), ([index = 0, other = 0, last = 0], flipped) => {
        const size = last + 1;
        const proof = inclusionProof(nodes, index, size);
        const root = naiveRoot(entries.slice(0, size));
        const leaf = leafHash(entries[index] ?? new Uint8Array());
        expect(verifyInclusion(leaf, index, size, proof, root)).toBe(true);
        if (other !== index) expect(verifyInclusion(leaf, other, size, proof, root)).toBe(false);
        expect(verifyInclusion(leaf, size, size, proof, root)).toBe(false);
        expect(verifyInclusion(leaf, index, size, [...proof, root], root)).toBe(false);
        if (proof.length > 0) {
          expect(verifyInclusion(leaf, index, size, proof.slice(1), root)).toBe(false);
          expect(verifyInclusion(leaf, index, size, broken(proof, flipped), root)).toBe(false);
        }
      }),
    );
  });

  test('proves that it extends a smaller tree and no other', () => {
    const entries = entriesOf(200);
    const { nodes } = treeOver(entries);
    const forked = treeOver([Uint8Array.of(9, 9, 9), ...entries.slice(1)]).nodes;
    fc.assert(
      fc.property(place, fc.nat(1000), ([least = 0, , most = 0], flipped) => {
        const [from, to] = [least + 1, most + 1];
        const old = { size: from, root: rootOf(nodes, from) };
        const now = { size: to, root: naiveRoot(entries.slice(0, to)) };
        const proof = consistencyProof(nodes, from, to);
        expect(verifyConsistency(old, now, proof)).toBe(true);
        expect(verifyConsistency({ size: from, root: rootOf(forked, from) }, now, proof)).toBe(false);
        expect(verifyConsistency(old, { size: to, root: rootOf(forked, to) }, proof)).toBe(false);
        expect(
          verifyConsistency(old, { size: to, root: rootOf(forked, to) }, consistencyProof(forked, from, to)),
        ).toBe(false);
        expect(verifyConsistency(old, now, [...proof, now.root])).toBe(false);
        if (from !== to) {
          expect(verifyConsistency(now, old, proof)).toBe(false);
          expect(verifyConsistency(old, now, proof.slice(0, -1))).toBe(false);
          expect(verifyConsistency(old, now, broken(proof, flipped))).toBe(false);
        }
      }),
    );
  });

  test('creates no proof for a missing entry', () => {
    const { nodes } = treeOver(entriesOf(3));
    expect(() => inclusionProof(nodes, 3, 3)).toThrow(RangeError);
    expect(() => inclusionProof(nodes, 0, 4)).toThrow(RangeError);
    expect(() => consistencyProof(nodes, 3, 2)).toThrow(RangeError);
    expect(
      verifyConsistency({ size: 0, root: bytes('00'.repeat(32)) }, { size: 0, root: new Uint8Array(32) }, []),
    ).toBe(false);
  });
});

/** One bit of one hash is changed. */
function broken(proof: readonly Uint8Array[], flipped: number): Uint8Array[] {
  return proof.map((hash, index) =>
    index === flipped % proof.length ? hash.with(flipped % 32, (hash[flipped % 32] ?? 0) ^ 0x10) : hash,
  );
}

test('has the published entries and refuses broken ones', () => {
  for (const { address, list, addressHash, entry, leafHash: leaf } of vectors.entries) {
    expect(hex(encodeLogEntry(address, list))).toBe(entry);
    expect(entry).toHaveLength(2 * LOG_ENTRY_BYTES);
    const decoded = decodeLogEntry(bytes(entry));
    expect({ ...decoded, addressHash: hex(decoded.addressHash) }).toEqual({ addressHash, list });
    expect(hex(leafHash(bytes(entry)))).toBe(leaf);
  }
  for (const { why, entry } of vectors.badEntries) {
    expect(() => decodeLogEntry(bytes(entry)), why).toThrow(EncodingError);
  }
});

describe('checkpoints', () => {
  const key = logKey(vectors.key.domain, bytes(vectors.key.publicKey));

  test('accepts a note of the Go package for signed notes', () => {
    // golang.org/x/mod/sumdb/note, ExampleSign: PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW
    const peter = {
      name: 'PeterNeumann',
      publicKey: Uint8Array.from(
        Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1),
      ),
    };
    const text =
      'If you think cryptography is the answer to your problem,\n' +
      "then you don't know what your problem is.\n";
    const signature =
      'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';
    expect(hex(noteKeyId(peter))).toBe('c74f20a3');
    expect(verifyNote(`${text}\n\u2014 PeterNeumann ${signature}\n`, peter)?.text).toBe(text);
    expect(verifyNote(`${text}\n\u2014 PeterNeumann ${signature}\n`.replace('don', 'Don'), peter)).toBeNull();
  });

  test('accepts the published ones, equal to the head', () => {
    expect({ name: key.name, keyId: hex(noteKeyId(key)) }).toEqual({
      name: vectors.key.name,
      keyId: vectors.key.keyId,
    });
    for (const { checkpoint, head } of [vectors.checkpoint, vectors.emptyLog]) {
      expect(readCheckpoint(checkpoint, key)).toEqual(head);
      expect(formatCheckpoint(key, head)).toBe(checkpoint);
      expect(isSignedHead(key, head)).toBe(true);
      expect(isSignedHead(key, { ...head, size: head.size + 1 })).toBe(false);
    }
    expect(readCheckpoint(vectors.witnessed.checkpoint, key)).toEqual(vectors.checkpoint.head);
    expect(hex(treeOf(vectors.checkpoint.head).root)).toBe(vectors.roots.at(-1));
    const stranger = importEd25519(new Uint8Array(32).fill(5)).publicKey;
    expect(readCheckpoint(vectors.checkpoint.checkpoint, logKey(vectors.key.domain, stranger))).toBeNull();
  });

  test.each(vectors.badCheckpoints)('refuses one: $why', ({ checkpoint }) => {
    expect(readCheckpoint(checkpoint, key)).toBeNull();
  });

  test.each(vectors.heads)('two heads: $why', ({ a, b, follows }) => {
    const found = compareHeads(a, b);
    const sizes = typeof found === 'string' ? found : { from: found.from.size, to: found.to.size };
    expect([a, b].every((head) => isSignedHead(key, head))).toBe(true);
    expect(sizes).toEqual(follows);
  });
});

test('bounds the length of answers about the log', () => {
  const entry = encodeBase64Url(bytes(vectors.entries[0]?.entry ?? ''));
  expect(LogEntries.safeParse({ entries: Array(1_000).fill(entry), more: true }).success).toBe(true);
  expect(LogEntries.safeParse({ entries: Array(1_001).fill(entry), more: true }).success).toBe(false);
  const root = encodeBase64Url(bytes(vectors.roots[1] ?? ''));
  expect(LogProof.safeParse({ index: 0, proof: Array(54).fill(root) }).success).toBe(true);
  expect(LogProof.safeParse({ index: 0, proof: Array(55).fill(root) }).success).toBe(false);
});
