/**
 * The log of device lists: entries, the tree over them, its proofs, and a relay's signatures about it.
 */
import { importEd25519 } from '../../../src/protocol/crypto.ts';
import { encodeBase64, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import type { LogHead } from '../../../src/protocol/log-head.ts';
import { checkpointText, formatCheckpoint, logKey, signHead } from '../future/log/checkpoint.ts';
import { addressHash, encodeLogEntry } from '../future/log/entry.ts';
import { formatNote, noteKeyId, signNote } from '../future/log/note.ts';
import { consistencyProof, inclusionProof, leafHash, MerkleTree, rootOf } from '../future/log/tree.ts';
import { fixedBytes, fixedWallet } from '../identities.ts';
import { bytes, hex } from '../vectors.ts';

/** The leaves of Certificate Transparency's reference implementation (google/certificate-transparency, merkletree). */
const REFERENCE_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const SIZE = 8;
const DOMAIN = 'relay.example:8443';

export function logVectors() {
  const lists = Array.from({ length: SIZE }, (_, index) => ({
    address: fixedWallet(0x11 + (index % 3)).address,
    list: { sequence: Math.floor(index / 3) + 1, hash: encodeBase64Url(fixedBytes(0x80 + index)) },
  }));
  const tree = new MerkleTree();
  const entries = lists.map(({ address, list }) => {
    const entry = encodeLogEntry(address, list);
    tree.append(entry);
    return {
      address,
      list,
      addressHash: hex(addressHash(address)),
      entry: hex(entry),
      leafHash: hex(leafHash(entry)),
    };
  });
  const sizes = Array.from({ length: SIZE + 1 }, (_, size) => size);
  return {
    reference: { leaves: REFERENCE_LEAVES, roots: referenceRoots() },
    entries,
    badEntries: badEntries(bytes(entries[0]?.entry ?? '')),
    roots: sizes.map((size) => hex(rootOf(tree.nodes, size))),
    inclusion: sizes.flatMap((size) =>
      Array.from({ length: size }, (_, index) => ({
        index,
        size,
        proof: inclusionProof(tree.nodes, index, size).map(hex),
      })),
    ),
    consistency: sizes.flatMap((to) =>
      sizes
        .filter((from) => from <= to)
        .map((from) => ({ from, to, proof: consistencyProof(tree.nodes, from, to).map(hex) })),
    ),
    ...signed(tree),
  };
}

function referenceRoots() {
  const tree = new MerkleTree();
  for (const leaf of REFERENCE_LEAVES) tree.append(bytes(leaf));
  return Array.from({ length: REFERENCE_LEAVES.length + 1 }, (_, size) => hex(rootOf(tree.nodes, size)));
}

function badEntries(entry: Uint8Array) {
  return [
    { why: 'one byte is missing', entry: hex(entry.subarray(0, -1)) },
    { why: 'one byte too many', entry: `${hex(entry)}00` },
    { why: 'another label', entry: hex(entry.with(13, 0x32)) },
    { why: 'number 0', entry: hex(entry.with(49, 0)) },
  ];
}

function signed(tree: MerkleTree) {
  const seed = fixedBytes(0x71);
  const secret = importEd25519(seed);
  const key = logKey(DOMAIN, secret.publicKey);
  const other = importEd25519(fixedBytes(0x72));
  const otherKey = logKey('witness.example', other.publicKey);
  const headOf = (size: number): LogHead =>
    signHead(key.name, secret, { size, root: rootOf(tree.nodes, size) });
  const head = headOf(SIZE);
  const checkpoint = formatCheckpoint(key, head);
  const text = checkpointText(key.name, { size: SIZE, root: rootOf(tree.nodes, SIZE) });
  const [signatureLine = ''] = checkpoint.split('\n').slice(4);
  const witnessed = formatCheckpoint(otherKey, signHead(key.name, other, { size: 1, root: fixedBytes(1) }));
  const [witnessLine = ''] = witnessed.split('\n').slice(4);
  /** A note of another text, truly signed by the relay. */
  const noteOf = (says: string) => formatNote(says, key, signNote(secret, says));
  const otherRoot = signHead(key.name, secret, { size: SIZE, root: fixedBytes(0x73) });
  return {
    key: {
      domain: DOMAIN,
      seed: hex(seed),
      publicKey: hex(secret.publicKey),
      name: key.name,
      keyId: hex(noteKeyId(key)),
    },
    checkpoint: { text, checkpoint, head },
    emptyLog: { checkpoint: formatCheckpoint(key, headOf(0)), head: headOf(0) },
    witnessed: { why: 'signatures by others are passed over', checkpoint: `${checkpoint}${witnessLine}\n` },
    badCheckpoints: [
      { why: 'another size than the signed one', checkpoint: checkpoint.replace('\n8\n', '\n9\n') },
      { why: 'another origin', checkpoint: checkpoint.replaceAll(DOMAIN, 'relay.example') },
      { why: 'another origin, truly signed', checkpoint: noteOf(text.replace(DOMAIN, 'other.example')) },
      { why: 'no signature', checkpoint: `${text}\n` },
      { why: 'only a signature by another key', checkpoint: `${text}\n${witnessLine}\n` },
      { why: 'two signatures by the key', checkpoint: `${checkpoint}${signatureLine}\n` },
      { why: 'no line feed at the end', checkpoint: checkpoint.slice(0, -1) },
      { why: 'a hyphen in place of the dash', checkpoint: checkpoint.replace('\u2014', '-') },
      { why: 'a further line, truly signed', checkpoint: noteOf(`${text}extension\n`) },
      {
        why: 'a size with a zero before it, truly signed',
        checkpoint: noteOf(text.replace('\n8\n', '\n08\n')),
      },
      {
        why: 'a size beyond 2^53, truly signed',
        checkpoint: noteOf(text.replace('\n8\n', '\n9007199254740993\n')),
      },
      {
        why: 'a root of 31 bytes, truly signed',
        checkpoint: noteOf(`${key.name}\n8\n${encodeBase64(fixedBytes(1).subarray(1))}\n`),
      },
      { why: 'a root in base64url, truly signed', checkpoint: noteOf(`${key.name}\n8\n${head.root}\n`) },
    ],
    heads: [
      { why: 'equal', a: head, b: head, follows: 'same' },
      { why: 'one is newer', a: headOf(5), b: head, follows: { from: 5, to: 8 } },
      { why: 'the other one is newer', a: head, b: headOf(3), follows: { from: 3, to: 8 } },
      { why: 'one size, two roots', a: head, b: otherRoot, follows: 'split' },
    ],
  };
}
