/**
 * Sends a message to each device of each member of a group, even if members and devices change meanwhile. Id
 * and contents stay the same through all rounds: members show it once, and all see the same.
 */
import { Failure, type FailureData, isWithheld } from '../../base/failure.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import { RelayRefusal, RelayUnreachable, refusalOf } from '../relay.ts';
import type { Member } from '../trust/directory.ts';
import { postLimits, sendInChunks } from './chunks.ts';
import {
  type Flags,
  MAX_ROUNDS,
  type Outgoing,
  type SendingParts,
  type Undelivered,
  waitsFor,
} from './outgoing.ts';
import { sealFor } from './seal.ts';
import { payloadOf } from './signed-payload.ts';

/** Maximum age of a group's view for sending, in milliseconds. The relay reports missing devices. */
export const GROUP_FRESH_FOR = 60_000;

/** The current group according to its chain. */
export interface GroupNow {
  /** True if the author is in it. */
  isMember: boolean;
  /** The newest entry of its chain. */
  roster: RosterReference;
  /** The members, each with proven keys or the reason why sealing is impossible. */
  members: readonly Member[];
  /** The seal keys shown by the relay; null if it was not asked. */
  shownKeys: readonly string[] | null;
}

/** Access to groups. */
export interface GroupsNow {
  /**
   * A group, no older than `freshFor` milliseconds, read again if needed.
   * @throws UnverifiableError while sealing for it is stopped; RelayRefusal 'not_a_member' or 'not_found',
   * RelayUnreachable
   */
  now(groupId: string, maxAge: number): Promise<GroupNow>;
  /** Marks a group as outdated: it is read before its next use. Durable when the call returns. */
  expire(groupId: string): void;
}

/**
 * Makes one attempt.
 * @returns the members without a copy, with reasons
 * @throws RelayRefusal, RelayUnreachable, UnverifiableError, Failure group_left or group_not_found
 */
export async function sendToGroup(
  parts: SendingParts & { groups: GroupsNow },
  outgoing: Outgoing,
  groupId: string,
  flags: Pick<Flags, 'automated'>,
): Promise<Undelivered[]> {
  let freshFor = GROUP_FRESH_FOR;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const group = await groupNow(parts.groups, groupId, freshFor);
    const { undelivered, lacksKeys } = await sealMissing(parts, outgoing, group, flags);
    // A device whose post-quantum key is gone has made another one.
    if (lacksKeys && freshFor > 0) {
      freshFor = 0;
      continue;
    }
    // A group without other members a moment ago: nothing is posted, so the relay reports no change.
    const isAlone =
      outgoing.pendingRecipients === null && group.shownKeys === null && outgoing.copies().length === 0;
    if (!isAlone) {
      const { isOutdated, refused } = await post(parts, outgoing, groupId, group);
      if (!isOutdated) return [...undelivered, ...refused];
    }
    freshFor = 0;
  }
  throw new RelayUnreachable('group_keeps_changing');
}

async function groupNow(groups: GroupsNow, groupId: string, freshFor: number): Promise<GroupNow> {
  try {
    const group = await groups.now(groupId, freshFor);
    if (group.isMember) return group;
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    if (error.code === 'not_found') throw new Failure('group_not_found');
    if (error.code !== 'not_a_member') throw error;
  }
  throw new Failure('group_left');
}

/** Seals copies for members' devices without one, and removes copies for former devices and members. */
async function sealMissing(
  parts: SendingParts,
  outgoing: Outgoing,
  group: GroupNow,
  flags: Pick<Flags, 'automated'>,
): Promise<{ undelivered: Undelivered[]; lacksKeys: boolean }> {
  const existing = outgoing.copies();
  // People who joined since do not get a message that was already sent.
  const addressed =
    outgoing.pendingRecipients &&
    new Set([...outgoing.pendingRecipients, ...existing.map(({ envelope }) => envelope.toAddress)]);
  const members = group.members.filter(({ address }) => addressed?.has(address) ?? true);
  const recipients = members.flatMap((member) => ('sealKeys' in member ? [member] : []));
  const current = new Set(recipients.flatMap(({ sealKeys }) => sealKeys.map(({ key }) => key)));
  const isGone = (copy: (typeof existing)[number]) =>
    !copy.accepted && !current.has(copy.envelope.recipientDeviceKey);
  outgoing.removeCopies(existing.filter(isGone).map(({ envelope }) => envelope.recipientDeviceKey));
  const kept = existing.filter((copy) => !isGone(copy));
  // Before the first copy is sent, the body names the newest entry; later it stays as it is.
  const payload = payloadOf(outgoing, parts.author, {
    hasCopies: kept.length > 0,
    roster: group.roster,
    now: parts.now(),
  });
  const has = new Set(kept.map(({ envelope }) => envelope.recipientDeviceKey));
  const { copies, withheld } = await sealFor(parts, recipients, payload, { ...flags, asRequest: false }, has);
  outgoing.addCopies(copies);
  const undelivered = members.flatMap((member) => {
    const problem = withheld.get(member.address);
    return undeliveredOf(problem ? { address: member.address, problem } : member) ?? [];
  });
  return { undelivered, lacksKeys: withheld.size > 0 };
}

const NO_DEVICE: FailureData = { code: 'no_device', parameters: {} };

/** Reason why a member gets no copy; null for a delivered one. */
export function undeliveredOf(member: Member): Undelivered | null {
  const { address } = member;
  if ('problem' in member) {
    return { address, reason: member.problem.data, waitsFor: isWithheld(member.problem) ? 'keys' : null };
  }
  return member.sealKeys.length > 0 ? null : { address, reason: NO_DEVICE, waitsFor: null };
}

/**
 * Posts the copies that are not accepted yet.
 * @returns whether the group has changed and has to be read again
 */
async function post(
  { relay, groups }: SendingParts & { groups: GroupsNow },
  outgoing: Outgoing,
  groupId: string,
  { members, shownKeys }: GroupNow,
): Promise<{ isOutdated: boolean; refused: Undelivered[] }> {
  // Includes those without a copy for a known reason: that is not a change.
  const known = new Set([
    ...members.flatMap((member) => ('sealKeys' in member ? member.sealKeys.map(({ key }) => key) : [])),
    ...(shownKeys ?? []),
  ]);
  const waiting = outgoing.copies().flatMap(({ envelope, accepted }) => (accepted ? [] : [envelope]));
  const refused = new Map<string, Undelivered>();
  let isOutdated = false;
  let later: RelayRefusal | null = null;
  await sendInChunks(waiting, postLimits(await relay.limits()), async (chunk) => {
    try {
      const { results, missing, stale } = await relay.sendToGroup(groupId, chunk);
      const done: string[] = [];
      for (const [index, { toAddress, recipientDeviceKey }] of chunk.entries()) {
        const refusal = refusalIn(results[index]);
        if (stale.includes(recipientDeviceKey)) continue;
        if (!refusal) done.push(recipientDeviceKey);
        else if (isLater(refusal)) later ??= refusal;
        // A device with a full queue gets its copy later, and does not delay others.
        else
          refused.set(recipientDeviceKey, {
            address: toAddress,
            reason: refusal.data,
            waitsFor: waitsFor(refusal),
          });
      }
      outgoing.acceptCopies(done);
      const hasChanged = stale.length > 0 || missing.some((key) => !known.has(key));
      // Otherwise the missing members would be forgotten before the next round.
      if (hasChanged) groups.expire(groupId);
      isOutdated ||= hasChanged;
    } catch (error) {
      if (!isChange(error)) throw error;
      isOutdated = true;
    }
  });
  outgoing.removeCopies([...refused.keys()]);
  if (later) throw later;
  return { isOutdated, refused: [...refused.values()] };
}

function refusalIn(result: SendResult | undefined): RelayRefusal | null {
  if (!result) throw new RelayUnreachable('relay_wrong_answer');
  return result.status === 'rejected' ? refusalOf(result.error) : null;
}

/** Reports whether to send a copy again instead of giving it up. */
function isLater({ temporary, code }: RelayRefusal): boolean {
  return temporary && code !== 'inbox_full';
}

/**
 * The relay refuses a whole post when one recipient has left, or one device is gone. The next read shows
 * which.
 */
function isChange(error: unknown): boolean {
  return error instanceof RelayRefusal && ['not_a_member', 'unknown_device'].includes(error.code);
}
