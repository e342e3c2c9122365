/** Validation of chain entries against the store: with the same fold as all clients, and by the relay's clock. */
import { sha256 } from '../../protocol/crypto.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { groupIdOf, openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import { partOfAdmission, partOfEntry, type RosterPart } from '../../protocol/roster/part.ts';
import {
  type AdmissionProof,
  judgeAdmission,
  judgePost,
  type PostContext,
  type PostRefusal,
  type PostVerdict,
  refusalOf,
} from '../../protocol/roster/post.ts';
import { emptyRoster, isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { RosterPlace } from '../../protocol/schemas/rosters.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { GroupRecord } from '../store/group-records.ts';
import { listName, type StoredRoster, type VerifiedEntry } from '../store/roster-records.ts';

/** The context for judging entries. */
type Judge = Pick<RelayContext, 'store' | 'clock'>;

/** An entry judged against the store. */
export interface VerifiedPost extends StoredRoster {
  verdict: PostVerdict;
}

/** @throws ProblemError roster_refused for an invalid entry */
export function openPosted(entry: RosterEntry) {
  const opened = openEntry(entry);
  if (!opened) throw rosterRefused('malformed');
  return opened;
}

/**
 * Judges an entry that is posted to a group.
 * @param poster address of the posting account, by default the signer
 * @throws ProblemError not_found, roster_refused for an invalid entry
 */
export async function judgeNext(
  context: Judge,
  groupId: string,
  entry: RosterEntry,
  poster?: string,
): Promise<VerifiedPost> {
  const { by, epoch } = openPosted(entry).json;
  const part = requirePart(entry);
  const stored = await context.store.readRoster(groupId, part, epoch);
  if (!stored) throw new ProblemError('not_found', 'group');
  const judging = await judgingContext(context, part, stored.state, by);
  return {
    ...stored,
    verdict: judgePost(stored.state, entry, () => stored.hash ?? '', {
      ...judging,
      ...(poster && { poster }),
    }),
  };
}

/**
 * Judges the first entries of a group.
 * @throws ProblemError forbidden unless the caller signed them, roster_conflict, roster_refused
 */
export async function judgeBeginning(
  context: Judge,
  address: string,
  entries: readonly RosterEntry[],
): Promise<{ judged: VerifiedEntry[]; state: RosterState }> {
  const [first] = entries;
  let state = emptyRoster(first ? groupIdOf(openPosted(first).bytes) : '');
  const judged: VerifiedEntry[] = [];
  for (const entry of entries) {
    const { by } = openPosted(entry).json;
    if (by !== address) throw new ProblemError('forbidden', 'entry_of_another');
    const part = requirePart(entry);
    const judging = await judgingContext(context, part, state, by);
    const verdict = judgePost(state, entry, () => '', judging);
    const accepted = requireAccepted(verdict);
    if (!accepted) throw rosterConflict();
    state = accepted.state;
    judged.push({ entry, folded: accepted.entry });
  }
  return { judged, state };
}

/**
 * Checks that an address may read a group: it is a member, or could join now.
 * @throws ProblemError not_found, roster_refused
 */
export async function requireAdmission(
  context: Judge,
  groupId: string,
  address: string,
  proof: AdmissionProof,
): Promise<{ group: GroupRecord; place: RosterPlace; isMember: boolean }> {
  const part = partOfAdmission(address, proof.ticket);
  const stored = await context.store.readRoster(groupId, part, 0);
  if (!stored) throw new ProblemError('not_found', 'group');
  const judging = await judgingContext(context, part, stored.state, address);
  const end = judgeAdmission(stored.state, address, proof, judging);
  if (end) throw rosterRefused(refusalOf(end));
  const { group, state } = stored;
  return {
    group,
    place: { epoch: state.epoch, hash: state.hash ?? '' },
    isMember: isMember(state, address),
  };
}

/**
 * The stored entry; null if the chain has it already.
 * @throws ProblemError roster_conflict, roster_refused
 */
export function requireAccepted(verdict: PostVerdict): Extract<PostVerdict, { verdict: 'taken' }> | null {
  switch (verdict.verdict) {
    case 'taken':
      return verdict;
    case 'repeated':
      return null;
    case 'conflict':
      throw rosterConflict();
    case 'refused':
      throw rosterRefused(verdict.reason);
  }
}

export function rosterConflict(): ProblemError {
  return new ProblemError('roster_conflict', 'roster_conflict');
}

function rosterRefused(reason: PostRefusal): ProblemError {
  return new ProblemError('roster_refused', reason);
}

/** The stored form of a password: 32 bytes, exactly as hard to guess as the password. */
export function hashPassword(password: string): Uint8Array {
  return sha256(decodeBase64Url(password));
}

function requirePart(entry: RosterEntry): RosterPart {
  const part = partOfEntry(entry);
  if (!part) throw rosterRefused('malformed');
  return part;
}

async function judgingContext(
  { store, clock }: Judge,
  part: RosterPart,
  state: RosterState,
  signer: string,
): Promise<PostContext> {
  const { lists, newest } = await store.readListsOf(part, state, signer);
  return {
    now: clock(),
    deviceList: (address, sequence) => lists.get(listName(address, sequence)) ?? null,
    newestList: () => newest,
  };
}
