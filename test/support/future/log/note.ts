/**
 * Signed notes with Ed25519 (https://c2sp.org/signed-note): a text, an empty line, and a line for each signature.
 *
 *   — <name> <base64 of key id (4) || signature (64)>
 *   key id = the first 4 bytes of SHA-256(name || LF || 0x01 || public key)
 */
import { type PrivateKey, sha256, signEd25519, verifyEd25519 } from '../../../../src/protocol/crypto.ts';
import {
  concatBytes,
  decodeBase64,
  encodeBase64,
  encodeUtf8,
  equalBytes,
} from '../../../../src/protocol/encoding.ts';

const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const MAX_SIGNATURES = 16;
const LINE = /^\u2014 ([^\s+]{1,255}) ([A-Za-z0-9+/]{8,2000}={0,2})$/u;

/** Signer of notes: a name without spaces and plus signs, and an Ed25519 public key of 32 bytes. */
export interface NoteKey {
  readonly name: string;
  readonly publicKey: Uint8Array;
}

/** The 4 bytes that a signature line begins with. */
export function noteKeyId({ name, publicKey }: NoteKey): Uint8Array {
  return sha256(concatBytes(encodeUtf8(`${name}\n`), Uint8Array.of(ED25519), publicKey)).slice(
    0,
    KEY_ID_BYTES,
  );
}

/** Signs a text. @param text ends with LF @returns the signature, 64 bytes */
export function signNote(key: PrivateKey, text: string): Uint8Array {
  return signEd25519(key, encodeUtf8(text));
}

/** A note with one signature. @param text ends with LF */
export function formatNote(text: string, key: NoteKey, signature: Uint8Array): string {
  return `${text}\n\u2014 ${key.name} ${encodeBase64(concatBytes(noteKeyId(key), signature))}\n`;
}

/** A note with a valid signature by one key. */
export interface VerifiedNote {
  /** Ends with LF. */
  readonly text: string;
  /** By that key: 64 bytes. */
  readonly signature: Uint8Array;
}

/**
 * Verifies a note. Signatures by other keys are ignored; exactly one must name this key.
 * @returns null if it is no note, or has no signature by this key, or one that does not hold
 */
export function verifyNote(note: string, key: NoteKey): VerifiedNote | null {
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  const found: Uint8Array[] = [];
  for (const line of lines) {
    const [, name, encoded] = LINE.exec(line) ?? [];
    if (name === undefined || encoded === undefined) return null;
    const bytes = bytesOf(encoded);
    if (!bytes || bytes.length <= KEY_ID_BYTES) return null;
    if (name !== key.name || !equalBytes(bytes.subarray(0, KEY_ID_BYTES), noteKeyId(key))) continue;
    found.push(bytes.slice(KEY_ID_BYTES));
  }
  const [signature, ...more] = found;
  if (!signature || more.length > 0 || signature.length !== SIGNATURE_BYTES) return null;
  return verifyEd25519(key.publicKey, encodeUtf8(text), signature) ? { text, signature } : null;
}

function bytesOf(encoded: string): Uint8Array | null {
  try {
    return decodeBase64(encoded);
  } catch {
    return null;
  }
}
