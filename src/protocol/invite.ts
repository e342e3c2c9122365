/**
 * Invite links: a person gives one to another person, for a first message without a message request, or for joining a group
 * (docs/protocol.md, 'Inviting').
 *
 *   https://relay/i#CODE      waxwing:i/CODE      CODE = base64url of
 *   0x01 || address(20) || token(16) || relay origin
 *   0x02 || address(20) || token(16) || SHA-256 of the relay's SubjectPublicKeyInfo(32) || relay origin
 *   0x03 || groupId(16) || link seed(32) || relay origin
 *   0x04 || groupId(16) || link seed(32) || SHA-256 of the SubjectPublicKeyInfo(32) || relay origin
 *
 * then, if the relay requires one, `.` and an invitation code. 0x02 and 0x04 are for a relay with its own certificate: only that
 * key is accepted. The part after `#` is never sent to a server.
 */

import { randomBytes } from './crypto.ts';
import { concatBytes, decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from './encoding.ts';
import { FormatError } from './faults.ts';
import { InvitationCode } from './invitation-code.ts';
import { isRelayOrigin } from './relay-origin.ts';
import { addressBytes, isWireAddress } from './wire-address.ts';

/** Lifetime of an invite's token, in milliseconds. */
export const INVITE_TOKEN_LIFE = 7 * 24 * 3_600_000;
/** Maximum length of a text; longer ones are refused before they are read. */
const MAX_LENGTH = 2_048;
const APP_PREFIX = 'waxwing:i/';
const PATH = '/i';

/** Address and key of the relay. */
interface Place {
  /** Origin of the relay. */
  relay: string;
  /** SHA-256 of its SubjectPublicKeyInfo, 32 bytes in base64url; null where certificates are judged as usual. */
  relayKey: string | null;
  /** Invitation code for an account at that relay; null if it requires none. */
  invitation: string | null;
}

/** To a person. `token`: 16 bytes in base64url; a first message that brings it is not a request. */
export interface PersonInvite extends Place {
  to: 'person';
  address: string;
  token: string;
}

/** Into a group. `seed`: of the Ed25519 key of the link that the group's roster names, 32 bytes in base64url. */
export interface GroupInvite extends Place {
  to: 'group';
  groupId: string;
  seed: string;
}

export type Invite = PersonInvite | GroupInvite;

export type InviteFault =
  /** It has neither of the two forms. */
  | 'form'
  /** It was cut, or a character was changed. */
  | 'code'
  /** A newer version made it. */
  | 'version'
  /** Its relay address is not allowed. */
  | 'relay'
  /** The link and its code name different relays. */
  | 'another_relay';

/** A text that is not an invite. */
export class InviteError extends FormatError<InviteFault> {
  override readonly name = 'InviteError';
}

/** The token of a new invite to a person: 16 random bytes in base64url. */
export function newInviteToken(): string {
  return encodeBase64Url(randomBytes(16));
}

const KEY_BYTES = 32;
const KINDS = [
  { to: 'person', first: 20, second: 16, versions: { plain: 0x01, pinned: 0x02 } },
  { to: 'group', first: 16, second: 32, versions: { plain: 0x03, pinned: 0x04 } },
] as const;

/** The code of an invite, with what follows it. */
function codeOf(invite: Invite): string {
  const [first, second, { versions }] =
    invite.to === 'person'
      ? [addressBytes(invite.address), decodeBase64Url(invite.token), KINDS[0]]
      : [decodeBase64Url(invite.groupId), decodeBase64Url(invite.seed), KINDS[1]];
  const { relay, relayKey, invitation } = invite;
  const bytes = concatBytes(
    Uint8Array.of(relayKey === null ? versions.plain : versions.pinned),
    first,
    second,
    relayKey === null ? new Uint8Array() : decodeBase64Url(relayKey),
    encodeUtf8(relay),
  );
  return encodeBase64Url(bytes) + (invitation === null ? '' : `.${invitation}`);
}

/** An invite as a link that a browser opens, and as one that opens the app. */
export function formatInvite(invite: Invite): { url: string; app: string } {
  const code = codeOf(invite);
  return { url: `${invite.relay}${PATH}#${code}`, app: APP_PREFIX + code };
}

/**
 * Reads an invite in either form.
 * @throws InviteError
 */
export function parseInvite(text: string): Invite {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) throw new InviteError('form');
  if (trimmed.toLowerCase().startsWith(APP_PREFIX)) return readCode(trimmed.slice(APP_PREFIX.length));
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url?.pathname !== PATH || url.search !== '' || url.hash === '') throw new InviteError('form');
  const invite = readCode(url.hash.slice(1));
  if (url.origin !== invite.relay) throw new InviteError('another_relay');
  return invite;
}

function readCode(text: string): Invite {
  const [code = '', ...more] = text.split('.');
  const [invitation = null, ...further] = more;
  if (further.length > 0) throw new InviteError('code');
  if (invitation !== null && !InvitationCode.safeParse(invitation).success) throw new InviteError('code');
  const bytes = bytesOf(code);
  const kind = KINDS.find(({ versions }) => Object.values(versions).some((version) => version === bytes[0]));
  if (!kind) throw new InviteError(bytes.length > 0 ? 'version' : 'code');

  const isPinned = bytes[0] === kind.versions.pinned;
  const middle = 1 + kind.first;
  const end = middle + kind.second;
  const origin = isPinned ? end + KEY_BYTES : end;
  if (bytes.length <= origin) throw new InviteError('code');
  const relay = originOf(bytes.subarray(origin));
  if (isPinned && !relay.startsWith('https:')) throw new InviteError('relay');
  const [first, second] = [bytes.subarray(1, middle), bytes.subarray(middle, end)];
  const place: Place = {
    relay,
    relayKey: isPinned ? encodeBase64Url(bytes.subarray(end, origin)) : null,
    invitation,
  };
  return kind.to === 'person'
    ? { to: 'person', address: addressOf(first), token: encodeBase64Url(second), ...place }
    : { to: 'group', groupId: encodeBase64Url(first), seed: encodeBase64Url(second), ...place };
}

function bytesOf(code: string): Uint8Array {
  try {
    return decodeBase64Url(code);
  } catch {
    throw new InviteError('code');
  }
}

function originOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    throw new InviteError('code');
  }
  if (!isRelayOrigin(text)) throw new InviteError('relay');
  return text;
}

function addressOf(bytes: Uint8Array): string {
  const address = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  if (!isWireAddress(address)) throw new InviteError('code');
  return address;
}

/** Reports whether an own token is still valid for a first message. Times are milliseconds since 1970. */
export function isTokenGood(token: { madeAt: number; spentAt: number | null }, now: number): boolean {
  return token.spentAt === null && now - token.madeAt <= INVITE_TOKEN_LIFE;
}
