/**
 * A message to each device of each member of a group, though members and devices change meanwhile. The message keeps
 * its id and its signed words through all rounds: members show it once, and all the same.
 */
import { postLimits, sendInChunks } from '../../client/chunks.ts';
import { RelayRefusal, RelayUnreachable } from '../../client/http.ts';
import { native } from '../../protocol/crypto/native.ts';
import { membersHash } from '../../protocol/members-hash.ts';
import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { Contact } from '../cache/contacts.ts';
import { believedMembers } from '../cache/groups.ts';
import type { StoredMessage } from '../cache/messages.ts';
import type { OutboxCopy, OutboxEntry } from '../cache/outbox-rows.ts';
import { EngineFailure } from '../failure.ts';
import { GROUP_FRESH_FOR, type KnownGroup, type MemberKeys } from '../groups.ts';
import { type DeliveryParts, MOST_RESEALS } from './parts.ts';
import { sealFor } from './seal.ts';
import { signedWords } from './words.ts';

export class GroupDelivery {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /**
   * @returns addresses of the members who have no copies yet because the relay does not show their devices
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError, EngineFailure
   */
  async deliver(entry: OutboxEntry, message: StoredMessage, groupId: number): Promise<string[]> {
    const { context, groups } = this.#parts;
    const stored = context.groups.get(groupId);
    if (!stored) throw new EngineFailure('not_found', 'This group is not on this device any more.');
    let freshFor = GROUP_FRESH_FOR;
    for (let round = 0; round < MOST_RESEALS; round++) {
      const known = await this.#knownGroup(stored.groupId, freshFor, groups);
      await this.#sealMissing(entry, message, known);
      // A group in which nobody else was a little while ago: the relay, which is not posted to, tells of no change.
      const isAlone =
        entry.heldFor === null && known.view === null && context.outbox.copies(entry.id).length === 0;
      if (!isAlone && !(await this.#post(entry, known))) return withheldFrom(entry, known);
      freshFor = 0;
    }
    throw new RelayUnreachable('The members of the group keep changing.');
  }

  async #knownGroup(groupId: string, freshFor: number, groups: DeliveryParts['groups']): Promise<KnownGroup> {
    try {
      const known = await groups.known(groupId, freshFor);
      if (known.group.joined) return known;
    } catch (error) {
      const isOver = error instanceof RelayRefusal && ['not_a_member', 'not_found'].includes(error.code);
      if (!isOver) throw error;
    }
    throw new EngineFailure('refused', 'You are no longer in this group, so nothing can be sent to it.');
  }

  /** Seals copies for members' devices that have none, and takes back those for devices and members that are gone. */
  async #sealMissing(
    entry: OutboxEntry,
    message: StoredMessage,
    { group, members }: KnownGroup,
  ): Promise<void> {
    const { context } = this.#parts;
    const believed = new Set(believedMembers(group));
    const existing = context.outbox.copies(entry.id);
    // What was sent a while ago is not for people who came since.
    const addressed =
      entry.heldFor && new Set([...entry.heldFor, ...existing.map(({ toAddress }) => toAddress)]);
    const contacts = contactsOf(members).filter(
      ({ address }) => believed.has(address) && (addressed?.has(address) ?? true),
    );
    const current = new Set(contacts.flatMap(({ sealKeys }) => sealKeys.map(({ key }) => key)));
    const gone = existing.filter(({ recipientKey, accepted }) => !accepted && !current.has(recipientKey));
    context.outbox.removeCopies(
      entry.id,
      gone.map(({ recipientKey }) => recipientKey),
    );
    const kept = existing.filter((copy) => !gone.includes(copy));
    // What nobody has yet names the members of now; what some have stays as it is for the others.
    const fresh = kept.length === 0 ? { members: membersHash(native, [...believed]) } : null;
    const payload = signedWords(this.#parts, message, fresh);
    const has = new Set(kept.map(({ recipientKey }) => recipientKey));
    const copies: Omit<OutboxCopy, 'accepted'>[] = [];
    for (const contact of contacts) copies.push(...(await sealFor(this.#parts, contact, has, payload)));
    context.transaction(() => context.outbox.addCopies(entry.id, copies));
  }

  /** Posts what is not accepted yet. Returns whether the group has changed, so that it has to be read again. */
  async #post(entry: OutboxEntry, { group, members, view }: KnownGroup): Promise<boolean> {
    const { context, account } = this.#parts;
    // Also of those who get nothing, for a reason that the group's panel tells: they are missing, and that is no change.
    const known = new Set([
      ...contactsOf(members).flatMap(({ sealKeys }) => sealKeys.map(({ key }) => key)),
      ...Object.values(view?.memberDeviceKeys ?? {}).flat(),
    ]);
    const waiting = context.outbox.copies(entry.id).filter((copy) => !copy.accepted);
    const copies = waiting.map(({ envelope }) => JSON.parse(envelope) as GroupEnvelope);
    let changed = false;
    const later: { code: string; detail: string }[] = [];
    await sendInChunks(copies, postLimits(await account.relay.limits()), async (chunk) => {
      try {
        const { results, missing, stale } = await account.relay.sendToGroup(group.groupId, chunk);
        const isOver = (result: SendResult | undefined) =>
          result && (result.status !== 'rejected' || !isLater(result.error));
        // A copy that one device's queue has no room for is done with: the others have theirs.
        const done = chunk.filter(
          ({ recipientDeviceKey }, index) => isOver(results[index]) && !stale.includes(recipientDeviceKey),
        );
        const isOutdated = stale.length > 0 || missing.some((key) => !known.has(key));
        context.transaction(() => {
          context.outbox.markAccepted(
            entry.id,
            done.map(({ recipientDeviceKey }) => recipientDeviceKey),
          );
          // Durable with it: who is missing would else be forgotten by whatever comes between now and the next round.
          if (isOutdated) context.groups.expire(group.id);
        });
        changed ||= isOutdated;
        const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.error] : []));
        later.push(...errors.filter(isLater));
      } catch (error) {
        // 422: a copy is for somebody who has left. 403: this person has; what is asked next tells.
        const isChange =
          error instanceof RelayRefusal && (error.status === 422 || error.code === 'not_a_member');
        if (!isChange) throw error;
        changed = true;
      }
    });
    const [first] = later;
    if (first) throw new RelayRefusal(429, first.code, first.detail);
    return changed;
  }
}

function contactsOf(members: readonly MemberKeys[]): Contact[] {
  return members.flatMap((member) => ('contact' in member ? [member.contact] : []));
}

/** Whether a copy is to be sent again, and not given up. */
function isLater({ code }: { code: string }): boolean {
  return code === 'rate_limited';
}

/** The members whose devices the relay may show later. */
function withheldFrom({ heldFor }: OutboxEntry, { group, members }: KnownGroup): string[] {
  const waitedFor = new Set(heldFor ?? believedMembers(group));
  const believed = new Set(believedMembers(group));
  return members.flatMap((member) => {
    if (!('isWithheld' in member) || !member.isWithheld) return [];
    const { address } = member;
    return believed.has(address) && waitedFor.has(address) ? [address] : [];
  });
}
