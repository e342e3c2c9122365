/** Invite links to the person: listed, made and cancelled. */
import { Failure } from '../../base/failure.ts';
import { RelayRefusal } from '../../messaging/relay.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import { formatInvite, INVITE_TOKEN_LIFE } from '../../protocol/invite.ts';
import {
  MAX_INVITES,
  makeInvite,
  mayMakeInvite,
  type OwnInvite,
  openInvites,
} from '../invites/own-invites.ts';
import type { Online } from '../online.ts';
import { type EngineParts, requireOnline } from '../parts.ts';

export interface PersonLink {
  /** Its token. */
  id: string;
  url: string;
  app: string;
  /** In milliseconds since 1970. */
  expires: number;
}

/** The open links, newest first. */
export function listLinks(parts: EngineParts): PersonLink[] {
  const online = requireOnline(parts);
  return openInvites(parts.context).map((invite) => toLink(online, invite));
}

/** @throws Failure 'invites_full'; if the relay cannot be reached */
export async function createLink(parts: EngineParts): Promise<PersonLink> {
  const online = requireOnline(parts);
  if (!mayMakeInvite(parts.context)) throw new Failure('invites_full', { most: MAX_INVITES });
  const invitation = await invitationFor(online, parts.context.now());
  const invite = makeInvite(parts.context, invitation);
  if (!invite) throw new Failure('invites_full', { most: MAX_INVITES });
  return toLink(online, invite);
}

/**
 * A code for one account, if the relay requires one and allows members to make it. Null otherwise: the invited person asks for it at the
 * first start.
 */
async function invitationFor({ account }: Online, now: number): Promise<string | null> {
  const { registration } = await account.relay.call('getRelay', {});
  if (registration !== 'code') return null;
  try {
    return (await account.relay.createInvitation(1, encodeTime(now + INVITE_TOKEN_LIFE))).code;
  } catch (error) {
    if (error instanceof RelayRefusal && ['forbidden', 'quota_reached'].includes(error.code)) return null;
    throw error;
  }
}

function toLink({ account }: Online, { token, expires, invitation }: OwnInvite): PersonLink {
  const { url, app } = formatInvite({
    to: 'person',
    address: account.address,
    token,
    relay: new URL(account.relay.baseUrl).origin,
    relayKey: null,
    invitation,
  });
  return { id: token, url, app, expires };
}
