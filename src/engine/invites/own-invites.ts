/**
 * Invite links of the person: made here or on another own device, and spent by the first message with their token
 * (docs/protocol.md, 'Inviting').
 */
import { inviteKey, type OwnInvite as StoredInvite } from '../../messaging/contents/kinds/own.ts';
import { isDatedAhead } from '../../messaging/trust/replay.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { INVITE_TOKEN_LIFE, isTokenGood, newInviteToken } from '../../protocol/invite.ts';
import type { OwnRegister } from '../cache/own-registers.ts';
import type { Context } from '../context.ts';
import { answeringDevice } from '../views/own-changes.ts';

/** Limit of open links. */
export const MAX_INVITES = 20;

type Parts = Pick<Context, 'identity' | 'now' | 'own' | 'ownRegisters' | 'transaction'>;

export interface OwnInvite {
  /** 16 bytes in base64url. */
  token: string;
  /** In milliseconds since 1970. */
  expires: number;
  /** Code for an account at the relay; null if there is none. */
  invitation: string | null;
}

const PREFIX = inviteKey('');
/** The form of known values was verified when they were stored. */
const storedIn = ({ value }: OwnRegister) => value as StoredInvite;
const madeAtOf = (register: OwnRegister): number => decodeTime(storedIn(register).madeAt);

/** Reports whether a link has not expired, by the own clock. */
function isGood(register: OwnRegister, now: number): boolean {
  const madeAt = madeAtOf(register);
  return !isDatedAhead(madeAt, now) && isTokenGood({ madeAt, spentAt: null }, now);
}

/** The open links, newest first. Those of a removed device do not count: its holder could give them to anyone. */
export function openInvites({ identity, now, ownRegisters }: Parts): OwnInvite[] {
  const listed = identity.listedDevices();
  return ownRegisters
    .invites()
    .filter((register) => isGood(register, now()) && answeringDevice(listed, register)?.isRemoved !== true)
    .map((register) => ({
      token: register.key.slice(PREFIX.length),
      expires: madeAtOf(register) + INVITE_TOKEN_LIFE,
      invitation: storedIn(register).invitation ?? null,
    }))
    .sort((one, other) => other.expires - one.expires || (one.token < other.token ? -1 : 1))
    .slice(0, MAX_INVITES);
}

/** Reports whether another link can be made. */
export function mayMakeInvite(parts: Parts): boolean {
  return openInvites(parts).length < MAX_INVITES;
}

/**
 * Makes a link, and removes the expired ones.
 * @param invitation code for an account at the relay, if it requires one
 * @returns null if there are too many
 */
export function makeInvite(parts: Parts, invitation: string | null = null): OwnInvite | null {
  const { now, own, ownRegisters, transaction } = parts;
  if (!mayMakeInvite(parts)) return null;
  const madeAt = now();
  const token = newInviteToken();
  transaction(() => {
    for (const register of ownRegisters.invites())
      if (!isGood(register, madeAt)) own.setWithin(register.key, null);
    own.setWithin(inviteKey(token), {
      madeAt: encodeTime(madeAt),
      ...(invitation !== null && { invitation }),
    });
  });
  own.emitChanges();
  return { token, expires: madeAt + INVITE_TOKEN_LIFE, invitation };
}

/** Cancels a link, on all own devices. */
export function cancelInvite({ own, ownRegisters }: Parts, token: string): void {
  if (ownRegisters.valueOf(inviteKey(token)) !== null) own.set(inviteKey(token), null);
}

/** Reports whether a token is one of the open links. */
export function isOpenInvite(parts: Parts, token: string): boolean {
  // Most tokens of strangers are not known: reading all links for each would take longer.
  if (parts.ownRegisters.valueOf(inviteKey(token)) === null) return false;
  return openInvites(parts).some((invite) => invite.token === token);
}

/** Spends a link, on all own devices. In the caller's transaction. */
export function spendInvite({ own }: Parts, token: string): void {
  own.setWithin(inviteKey(token), null);
}
