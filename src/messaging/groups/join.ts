/**
 * Making a group and joining one: the entries, and what the relay is told so that it lets one in.
 */

import type { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { requireWords } from '../../base/names.ts';
import { type PrivateKey, randomBytes } from '../../protocol/crypto.ts';
import { EncodingError, encodeBase64Url } from '../../protocol/encoding.ts';
import type { ChangeContent, RosterEntry, Ticket } from '../../protocol/roster/forms.ts';
import { createGroup, nextEntry, type RosterSigner } from '../../protocol/roster/making.ts';
import { deriveGroupPassword, type GroupPassword } from '../../protocol/roster/password.ts';
import { admissionBytes, joinProofBytes, signLinkProof, signProof } from '../../protocol/roster/proofs.ts';
import { emptyRoster, isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { AdmissionRequest, FoundRequest } from '../../protocol/schemas/rosters.ts';
import type { Action } from './act.ts';
import type { RememberedGroup, TakenEntry } from './chain-memory.ts';
import { type FollowParts, foldProven } from './follow.ts';

/** How people get into a new group. */
export interface NewGroup {
  name: string;
  description: string;
  /** Who may join without a ticket or a link: all, who knows the password, or nobody. */
  join: { mode: 'open' } | { mode: 'invite' } | { mode: 'password'; password: string };
  /** Whether the directory shows it. */
  listed: boolean;
  /** After how many seconds its messages disappear; never, unless given. */
  timer?: number;
}

/** What lets one in: nothing for an open group. */
export type JoinProof =
  | { password: string }
  | { link: PrivateKey }
  | { ticket: Ticket }
  | Record<never, never>;

type Setting = Omit<z.infer<typeof ChangeContent>, 'kind'>;

/**
 * The way to join as a change says it, and what the relay is told with it.
 * @throws Failure 'group_password_unusable' for a text that is no password
 */
export async function joinSetting(
  groupId: string,
  join: NewGroup['join'],
): Promise<{ fields: Setting; told?: string }> {
  if (join.mode !== 'password') return { fields: { join: join.mode } };
  const { password: told, key } = await passwordOf(join.password, groupId);
  return { fields: { join: 'password', joinKey: encodeBase64Url(key.publicKey) }, told };
}

/**
 * The entries with which a group begins: its creation, and a change that sets it up where there is something to set.
 * @throws Failure 'name_empty', 'name_long', 'description_long'; 'roster_act_refused' for other words that no group can have
 */
export async function found(
  parts: Pick<FollowParts<RememberedGroup>, 'lists' | 'now'>,
  signer: RosterSigner,
  group: NewGroup,
): Promise<{ request: FoundRequest; state: RosterState; taken: TakenEntry[] }> {
  requireWords(group);
  const { groupId, entry } = createGroup(signer, group.name, parts.now(), randomBytes(16));
  const begun = await holding(parts, emptyRoster(groupId), entry);
  const { fields, told } = await joinSetting(groupId, group.join);
  const setting: Setting = {
    ...(group.description !== '' && { description: group.description }),
    ...(fields.join !== 'invite' && fields),
    ...(group.timer && { timer: group.timer }),
  };
  const password = told === undefined ? {} : { password: told };
  if (Object.keys(setting).length === 0) {
    return { request: { entries: [entry], listed: group.listed }, ...begun };
  }
  const second = nextEntry(begun.state, signer, { kind: 'change', ...setting }, parts.now());
  const set = await holding(parts, begun.state, second);
  return {
    request: { entries: [entry, second], ...password, listed: group.listed },
    state: set.state,
    taken: [...begun.taken, ...set.taken],
  };
}

async function holding(
  parts: Pick<FollowParts<RememberedGroup>, 'lists' | 'now'>,
  before: RosterState,
  entry: RosterEntry,
): Promise<{ state: RosterState; taken: TakenEntry[] }> {
  const { state, taken, end } = await foldProven(parts, before, [entry]);
  if (end) throw new Failure('roster_act_refused', { reason: end.end === 'refused' ? end.reason : end.end });
  return { state, taken };
}

/** A join that is prepared once and signed for each place in the chain that it is tried at. */
export interface Joining {
  /** What proves to the relay that one may read the chain. */
  admission: AdmissionRequest;
  /** The entry after a state; null for a member. */
  make(state: RosterState): Action | null;
}

/**
 * Prepares a join. A password takes about half a second.
 * @param own the address that joins
 * @throws Failure 'group_password_unusable' for a text that is no password
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
