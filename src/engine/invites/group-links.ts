/** Invite links into groups: their secrets, shared with the other own devices. */
import { GroupLinkSecret, groupLinkKey } from '../../messaging/contents/kinds/own.ts';
import { importEd25519, type PrivateKey, randomBytes } from '../../protocol/crypto.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url } from '../../protocol/encoding.ts';
import type { RosterLink } from '../../protocol/roster/forms.ts';
import { MAX_LINKS } from '../../protocol/roster/limits.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';

type Parts = Pick<Context, 'own' | 'ownRegisters'>;

/** A new link's key, with the seed that the link contains. */
export function newLink(): { key: string; seed: string } {
  const seed = randomBytes(32);
  return { key: keyOf(importEd25519(seed)), seed: encodeBase64Url(seed) };
}

/** The links of a group that are valid now. @param now milliseconds since 1970 */
export function validLinks({ links }: Pick<RosterState, 'links'>, now: number): RosterLink[] {
  return links.filter(({ expires }) => decodeTime(expires) > now);
}

/** Seed of a link of a group; null if it is not stored here. Another own device may have sent a wrong one. */
export function seedOf({ ownRegisters }: Parts, groupId: string, key: string): string | null {
  const stored = GroupLinkSecret.safeParse(ownRegisters.valueOf(groupLinkKey(groupId, key)));
  if (!stored.success) return null;
  const { seed } = stored.data;
  return keyOf(importEd25519(decodeBase64Url(seed))) === key ? seed : null;
}

/** Stores the seed of a link, here and on the other own devices. */
export function storeSeed(
  { own }: Parts,
  groupId: string,
  { key, seed }: { key: string; seed: string },
): void {
  own.set(groupLinkKey(groupId, key), { seed });
}

/**
 * Deletes seeds without a link, except the newest. Each attempt without an answer of the relay leaves one, as its link may be in the
 * chain; that of another own device may arrive later.
 * @param links of the group
 */
export function deleteUnusedSeeds(
  { own, ownRegisters }: Parts,
  groupId: string,
  links: readonly RosterLink[],
): void {
  const used = new Set(links.map(({ key }) => groupLinkKey(groupId, key)));
  const unused = ownRegisters.linkSeeds(groupId).filter((key) => !used.has(key));
  for (const key of unused.slice(MAX_LINKS)) own.set(key, null);
}

/** Deletes the seed of a link, here and on the other own devices. */
export function deleteSeed({ own, ownRegisters }: Parts, groupId: string, key: string): void {
  const name = groupLinkKey(groupId, key);
  if (ownRegisters.valueOf(name) !== null) own.set(name, null);
}

/**
 * Deletes the seeds of links that a change of a group has removed. Seeds without a link stay: the link of another own device may
 * arrive later than its seed.
 */
export function deleteSeedsOfRemoved(
  parts: Parts,
  groupId: string,
  before: readonly RosterLink[],
  after: readonly RosterLink[],
): void {
  const remaining = new Set(after.map(({ key }) => key));
  for (const { key } of before) if (!remaining.has(key)) deleteSeed(parts, groupId, key);
}

/**
 * Revokes the links of own groups: deletes the seed of each, here and on the other own devices. The links themselves are removed by
 * {@link revokedLinks}, as soon as the relay accepts it.
 * @param own wire address
 */
export function revokeLinks({ groups, own: shared }: Pick<Context, 'groups' | 'own'>, own: string): void {
  for (const { groupId, state } of groups.joined()) {
    if (state.creator !== own) continue;
    for (const { key } of state.links) shared.set(groupLinkKey(groupId, key), null);
  }
}

/** The keys of links in a group whose seeds were deleted: not those whose seeds this device never had. */
export function revokedLinks(
  { ownRegisters }: Pick<Context, 'ownRegisters'>,
  { groupId, state }: Pick<StoredGroup, 'groupId' | 'state'>,
): Set<string> {
  const isRevoked = (key: string) => ownRegisters.get(groupLinkKey(groupId, key))?.value === null;
  return new Set(state.links.map(({ key }) => key).filter(isRevoked));
}

function keyOf({ publicKey }: PrivateKey): string {
  return encodeBase64Url(publicKey);
}
