/**
 * Entries of a roster as bytes: the hashed and the signed bytes, and the parser of a body.
 *
 *   hash of an entry = SHA-256(body)
 *   signed           = "waxwing/roster/v1" || group id (16) || SHA-256(body)
 *   group id         = first 16 bytes of SHA-256("waxwing/group/v1" || body of `create`)
 */
import { type PrivateKey, sha256, signEd25519 } from '../crypto.ts';
import { deviceIdOf } from '../device-id.ts';
import { concatBytes, decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../encoding.ts';
import { exceedsJsonLimits, MAX_DEPTH } from '../json.ts';
import { BodyHead, type RosterBody, type RosterEntry } from './forms.ts';
import { MAX_BODY_BYTES } from './limits.ts';

const ENTRY_LABEL = encodeUtf8('waxwing/roster/v1');
const GROUP_LABEL = encodeUtf8('waxwing/group/v1');
const GROUP_ID_BYTES = 16;

/**
 * The bytes of an entry for its device's signature. They name the group; otherwise an entry of one could be
 * evidence in another.
 */
export function entryBytes(groupId: string, body: Uint8Array): Uint8Array {
  return concatBytes(ENTRY_LABEL, decodeBase64Url(groupId), sha256(body));
}

/** Id of the group created by a `create` body: 16 bytes in base64url. */
export function groupIdOf(body: Uint8Array): string {
  return encodeBase64Url(sha256(concatBytes(GROUP_LABEL, body)).slice(0, GROUP_ID_BYTES));
}

/** Hash of an entry, named by the next entry and by messages: 32 bytes in base64url. */
export function entryHash(entry: RosterEntry): string {
  return encodeBase64Url(sha256(decodeBase64Url(entry.body)));
}

/**
 * Signs a body. The fold decides whether it may follow a chain.
 * @param groupId null for the group that this body creates
 */
export function signEntry(deviceKey: PrivateKey, groupId: string | null, body: RosterBody): RosterEntry {
  const bytes = encodeUtf8(JSON.stringify(body));
  return {
    body: encodeBase64Url(bytes),
    deviceId: encodeBase64Url(deviceIdOf(deviceKey.publicKey)),
    signature: encodeBase64Url(signEd25519(deviceKey, entryBytes(groupId ?? groupIdOf(bytes), bytes))),
  };
}

/** A body with its bytes and the common fields; the rest is judged after the signer is known. */
export interface OpenedEntry {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly json: BodyHead;
}

/**
 * Parses the body of an entry; null if invalid. Only one form of JSON is valid, the one that `JSON.stringify`
 * writes for the result of `JSON.parse`: no white space, no duplicate names, no unnecessary escapes.
 * Otherwise two readers could read two bodies from the same signed bytes.
 */
export function openEntry(entry: RosterEntry): OpenedEntry | null {
  try {
    const bytes = decodeBase64Url(entry.body);
    if (bytes.length > MAX_BODY_BYTES) return null;
    const text = decodeUtf8(bytes);
    if (exceedsJsonLimits(text, { levels: MAX_DEPTH })) return null;
    const parsed: unknown = JSON.parse(text);
    if (JSON.stringify(parsed) !== text) return null;
    const json = BodyHead.safeParse(parsed);
    return json.success ? { bytes, hash: encodeBase64Url(sha256(bytes)), json: json.data } : null;
  } catch {
    return null; // Not base64url, UTF-8 or JSON, or nested too deeply to know.
  }
}
