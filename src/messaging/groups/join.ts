/** Creating and joining a group: the entries, and the proof for the relay. */

import type { z } from 'zod';
import { Failure, failedWith } from '../../base/failure.ts';
import { requireValidName } from '../../base/names.ts';
import { type PrivateKey, randomBytes } from '../../protocol/crypto.ts';
import { EncodingError, encodeBase64Url } from '../../protocol/encoding.ts';
import type { ChangeContent, RosterEntry, Ticket } from '../../protocol/roster/forms.ts';
import { createGroup, nextEntry, type RosterSigner } from '../../protocol/roster/making.ts';
import { deriveGroupPassword, type GroupPassword } from '../../protocol/roster/password.ts';
import { admissionBytes, joinProofBytes, signLinkProof, signProof } from '../../protocol/roster/proofs.ts';
import { emptyRoster, isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { AdmissionRequest, FoundRequest } from '../../protocol/schemas/rosters.ts';
import type { Action } from './act.ts';
import type { AcceptedEntry, RememberedGroup } from './chain-memory.ts';
import { type FollowParts, foldProven } from './follow.ts';

/** Settings of a new group. */
export interface NewGroup {
  name: string;
  description: string;
  /** Access without a ticket or a link: for all, with the password, or for no one. */
  join: { mode: 'open' } | { mode: 'invite' } | { mode: 'password'; password: string };
  /** True if the directory lists it. */
  listed: boolean;
  /** Lifetime of its messages in seconds. Default: unlimited. */
  timer?: number;
}

/** Proof for joining: none for an open group. */
export type JoinProof =
  | { password: string }
  | { link: PrivateKey }
  | { ticket: Ticket }
  | Record<never, never>;

/** Number of invitations tried for one group. */
export const MAX_TICKETS = 10;

/**
 * Joins with the first valid proof: anyone can send an invalid ticket, which must not replace a valid one.
 * @param proofs none: for an open group
 * @throws the failure of the first one
 */
export async function joinByAny<K>(
  groups: { join(groupId: string, proof: JoinProof): Promise<K> },
  groupId: string,
  [first = {}, ...others]: readonly JoinProof[],
): Promise<K> {
  try {
    return await groups.join(groupId, first);
  } catch (error) {
    if (!isInvalidProof(error)) throw error;
    for (const proof of others) {
      const joined = await groups.join(groupId, proof).catch((again: unknown) => {
        if (isInvalidProof(again)) return null;
        throw again;
      });
      if (joined) return joined;
    }
    throw error;
  }
}

/** A relay does not confirm a group that is not listed to someone with an invalid proof. */
function isInvalidProof(error: unknown): boolean {
  return failedWith(error, 'roster_refused', 'roster_act_refused', 'not_found');
}

type Setting = Omit<z.infer<typeof ChangeContent>, 'kind'>;

/**
 * The join setting for a change, and its password proof for the relay.
 * @throws Failure 'group_password_unusable' for an invalid password
 */
export async function joinSetting(
  groupId: string,
  join: NewGroup['join'],
): Promise<{ fields: Setting; passwordProof?: string }> {
  if (join.mode !== 'password') return { fields: { join: join.mode } };
  const { password: passwordProof, key } = await passwordOf(join.password, groupId);
  return { fields: { join: 'password', joinKey: encodeBase64Url(key.publicKey) }, passwordProof };
}

/**
 * The first entries of a group: its creation, and a change with its settings, if any.
 * @throws Failure 'name_empty', 'name_long', 'description_long'; 'roster_act_refused' for other invalid
 * settings
 */
export async function found(
  parts: Pick<FollowParts<RememberedGroup>, 'lists' | 'now'>,
  signer: RosterSigner,
  group: NewGroup,
): Promise<{ request: FoundRequest; state: RosterState; accepted: AcceptedEntry[] }> {
  requireValidName(group);
  const { groupId, entry } = createGroup(signer, group.name, parts.now(), randomBytes(16));
  const begun = await holding(parts, emptyRoster(groupId), entry);
  const { fields, passwordProof } = await joinSetting(groupId, group.join);
  const setting: Setting = {
    ...(group.description !== '' && { description: group.description }),
    ...(fields.join !== 'invite' && fields),
    ...(group.timer && { timer: group.timer }),
  };
  const password = passwordProof === undefined ? {} : { password: passwordProof };
  if (Object.keys(setting).length === 0) {
    return { request: { entries: [entry], listed: group.listed }, ...begun };
  }
  const second = nextEntry(begun.state, signer, { kind: 'change', ...setting }, parts.now());
  const set = await holding(parts, begun.state, second);
  return {
    request: { entries: [entry, second], ...password, listed: group.listed },
    state: set.state,
    accepted: [...begun.accepted, ...set.accepted],
  };
}

async function holding(
  parts: Pick<FollowParts<RememberedGroup>, 'lists' | 'now'>,
  before: RosterState,
  entry: RosterEntry,
): Promise<{ state: RosterState; accepted: AcceptedEntry[] }> {
  const { state, accepted, end } = await foldProven(parts, before, [entry]);
  if (end) throw new Failure('roster_act_refused', { reason: end.end === 'refused' ? end.reason : end.end });
  return { state, accepted };
}

/** A prepared join, signed for each place in the chain where it is tried. */
export interface Joining {
  /** Proof for reading the chain at the relay. */
  admission: AdmissionRequest;
  /** The contents after a state; null for a member. */
  make(state: RosterState): Action | null;
}

/**
 * Prepares a join. A password takes about half a second.
 * @param own the address that joins
 * @throws Failure 'group_password_unusable' for an invalid password
 */
export async function prepareJoin(groupId: string, own: string, proof: JoinProof): Promise<Joining> {
  const signed =
    (sign: (bytes: Uint8Array) => Partial<Action>) =>
    (state: RosterState): Action | null => {
      if (isMember(state, own)) return null;
      return { kind: 'join', ...sign(joinProofBytes(groupId, state.hash ?? '', own)) } as Action;
    };
  if ('password' in proof) {
    const { password, key } = await passwordOf(proof.password, groupId);
    return { admission: { password }, make: signed((bytes) => ({ password: signProof(key, bytes) })) };
  }
  if ('link' in proof) {
    const { link } = proof;
    return {
      admission: { link: signLinkProof(link, admissionBytes(groupId, own)) },
      make: signed((bytes) => ({ link: signLinkProof(link, bytes) })),
    };
  }
  if ('ticket' in proof) {
    const { ticket } = proof;
    return { admission: { ticket }, make: signed(() => ({ ticket })) };
  }
  return { admission: {}, make: signed(() => ({})) };
}

async function passwordOf(password: string, groupId: string): Promise<GroupPassword> {
  try {
    return await deriveGroupPassword(password, groupId);
  } catch (error) {
    if (error instanceof EncodingError) throw new Failure('group_password_unusable');
    throw error;
  }
}
