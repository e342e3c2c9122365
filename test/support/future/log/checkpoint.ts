/**
 * Checkpoints (https://c2sp.org/tlog-checkpoint): what a relay signs about its log, and how a body names one as `head`
 * (docs/protocol.md, 'The log').
 *
 *   <relay domain>/log/v1 LF <size> LF <root in base64> LF
 *
 * The first line is the origin, and the name of the key. There are no further lines, so that a head, which has size, root and
 * signature alone, is enough to make the signed text again.
 */
import { type PrivateKey, verifyEd25519 } from '../../../../src/protocol/crypto.ts';
import {
  decodeBase64,
  decodeBase64Url,
  encodeBase64,
  encodeBase64Url,
  encodeUtf8,
  equalBytes,
} from '../../../../src/protocol/encoding.ts';
import { LogHead } from '../../../../src/protocol/log-head.ts';
import { formatNote, type NoteKey, signNote, verifyNote } from './note.ts';
import type { TreeHead } from './tree.ts';

/** The longest checkpoint that is looked at, in characters. */
export const MAX_CHECKPOINT_LENGTH = 8192;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** The key of a relay's log. @param domain authority of the relay, such as `relay.example:8443` */
export function logKey(domain: string, publicKey: Uint8Array): NoteKey {
  return { name: `${domain}/log/v1`, publicKey };
}

/** The text that a relay signs. Ends with LF. */
export function checkpointText(origin: string, { size, root }: TreeHead): string {
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/** Signs a checkpoint. */
export function signHead(origin: string, key: PrivateKey, tree: TreeHead): LogHead {
  const signature = signNote(key, checkpointText(origin, tree));
  return { size: tree.size, root: encodeBase64Url(tree.root), signature: encodeBase64Url(signature) };
}

/** A head in the form that the relay publishes. */
export function formatCheckpoint(key: NoteKey, head: LogHead): string {
  return formatNote(checkpointText(key.name, treeOf(head)), key, decodeBase64Url(head.signature));
}

/**
 * The head in a checkpoint.
 * @returns null if it is none of this log, or its signature does not hold
 */
export function readCheckpoint(checkpoint: string, key: NoteKey): LogHead | null {
  const note = checkpoint.length <= MAX_CHECKPOINT_LENGTH ? verifyNote(checkpoint, key) : null;
  const [origin, size, root, end, ...further] = note?.text.split('\n') ?? [];
  if (!note || origin !== key.name || size === undefined || root === undefined) return null;
  if (end !== '' || further.length > 0 || !SIZE.test(size) || !isRoot(root)) return null;
  const head = {
    size: Number(size),
    root: encodeBase64Url(decodeBase64(root)),
    signature: encodeBase64Url(note.signature),
  };
  return LogHead.safeParse(head).success ? head : null;
}

/** Verifies the relay's signature of a head. */
export function isSignedHead(key: NoteKey, head: LogHead): boolean {
  const text = checkpointText(key.name, treeOf(head));
  return verifyEd25519(key.publicKey, encodeUtf8(text), decodeBase64Url(head.signature));
}

/** Contents of a head. */
export function treeOf({ size, root }: LogHead): TreeHead {
  return { size, root: decodeBase64Url(root) };
}

/**
 * The next step for two heads signed by the same relay: none if they are equal, else requesting the proof
 * that the larger tree extends the smaller one. Two roots for one size prove that the relay shows two logs.
 */
export type Comparison = 'same' | 'split' | { from: LogHead; to: LogHead };

/** @param a,b heads for which {@link isSignedHead} holds under one key */
export function compareHeads(a: LogHead, b: LogHead): Comparison {
  if (a.size === b.size)
    return equalBytes(decodeBase64Url(a.root), decodeBase64Url(b.root)) ? 'same' : 'split';
  return a.size < b.size ? { from: a, to: b } : { from: b, to: a };
}

function isRoot(text: string): boolean {
  try {
    return decodeBase64(text).length === 32;
  } catch {
    return false;
  }
}
