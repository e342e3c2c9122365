/** Code shared by the routes of groups: permissions, and a group in the form of the API. */
import { encodeTime, encodeTimeOrNull } from '../../protocol/encoding.ts';
import type { BotToken, GroupView } from '../../protocol/schemas/groups.ts';
import type { RelayContext } from '../context.ts';
import { ReadyJson } from '../http/ready-json.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { GroupRecord } from '../store/group-records.ts';
import type { CredentialRecord } from '../store/records.ts';
import type { SharedView } from '../store/views/group-view.ts';

/**
 * A group that the caller may know about. For strangers an unlisted group answers like an unknown id.
 * @throws ProblemError not_found
 */
export async function requireGroup(
  context: RelayContext,
  id: string,
  credential: CredentialRecord,
): Promise<GroupRecord> {
  const group = await context.store.findGroup(id);
  if (!group || !(await isKnownTo(context, group, credential))) throw noSuchGroup();
  return group;
}

/** True if a group is listed, its chain names the caller, or the caller recently proved that it could join. */
export async function isKnownTo(
  { store, clock }: RelayContext,
  group: GroupRecord,
  { type, account, group: own }: CredentialRecord,
): Promise<boolean> {
  if (group.listed) return true;
  if (type === 'group_token') return own?.key === group.key;
  return (await store.isInChain(group.key, account)) || (await store.isAdmitted(group.key, account, clock()));
}

export function noSuchGroup(): ProblemError {
  return new ProblemError('not_found', 'group');
}

/**
 * Admits this group's tokens, and sessions and API keys of its members.
 * @throws ProblemError forbidden for another group's token, not_a_member
 */
export async function requireMember(
  { store }: RelayContext,
  group: GroupRecord,
  credential: CredentialRecord,
): Promise<void> {
  if (credential.type === 'group_token') {
    if (credential.group?.key === group.key) return;
    throw new ProblemError('forbidden', 'token_of_other_group');
  }
  if (!(await store.isMember(group.key, credential.account))) throw notAMember();
}

/** @throws ProblemError forbidden unless the caller is the group's creator */
export async function requireCreator(
  { store }: RelayContext,
  group: GroupRecord,
  credential: CredentialRecord,
): Promise<void> {
  const isCreator = credential.account === group.creator?.account;
  if (isCreator && (await store.isMember(group.key, credential.account))) return;
  throw new ProblemError('forbidden', 'not_creator');
}

/** The caller is not a current member of the group. */
export function notAMember(): ProblemError {
  return new ProblemError('not_a_member', 'caller');
}

/**
 * A group with the keys of its members: a `GroupView`, in JSON. Includes the list of tokens for its creator and its
 * tokens.
 * @throws ProblemError not_found if it was deleted
 */
export async function describeGroup(
  { store, clock }: RelayContext,
  group: GroupRecord,
  caller: CredentialRecord,
): Promise<ReadyJson> {
  const rest: Omit<GroupView, keyof SharedView> = {
    ...(seesTokens(group, caller) && {
      botTokens: (await store.listGroupTokens(group.key)).map(describeToken),
    }),
  };
  const shared = await store.groupAsJson(group.key, clock(), caller.account);
  if (!shared) throw new ProblemError('not_found', 'group');
  return ReadyJson.join(rest, shared);
}

function seesTokens(group: GroupRecord, caller: CredentialRecord): boolean {
  return caller.type === 'group_token'
    ? caller.group?.key === group.key
    : caller.account === group.creator?.account;
}

function describeToken(token: CredentialRecord): BotToken {
  return {
    id: token.id,
    name: token.name ?? '',
    prefix: token.prefix ?? '',
    createdAt: encodeTime(token.createdAt),
    lastUsedAt: encodeTimeOrNull(token.lastUsedAt),
    revokedAt: encodeTimeOrNull(token.revokedAt),
  };
}
