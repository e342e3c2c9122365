/**
 * Posts to groups: all copies or, if one cannot be for whom it says, none. Looks at the members that a post names, and at
 * no others: one copy to a large group costs no more than one to a small group.
 */
import type { GroupPost, GroupPostOutcome } from '../../group-records.ts';
import type { QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob, toBlob } from '../values.ts';
import { copyWrites, type QueueRow, sendingOf } from './copies.ts';

type StoredOutcomes = Extract<GroupPostOutcome, { status: 'stored' }>['outcomes'];

export function groupPostWrites(database: Database) {
  const copies = copyWrites(database);
  const findMember = database
    .prepare<[number, number], number>('SELECT 1 FROM member WHERE group_id = ? AND account_id = ?')
    .pluck();
  const memberAccount = database
    .prepare<[number, Buffer], number>(
      `SELECT account_id FROM member JOIN account ON account.id = member.account_id
        WHERE group_id = ? AND address = ?`,
    )
    .pluck();
  // A key that has run out is stale as well, though its device has not published the next one.
  const wasCurrent = database.prepare<[Buffer, number, Buffer, number], { account_id: number }>(
    `SELECT account_id FROM retired_key WHERE seal_key = ? AND account_id = ?
      UNION ALL SELECT account_id FROM device WHERE seal_key = ? AND account_id = ?`,
  );

  return {
    async acceptGroupPost(post: GroupPost): Promise<GroupPostOutcome> {
      const group = post.group.key;
      if ((await findMember.get(group, post.account)) === undefined) return { status: 'sender_not_a_member' };

      const targets = new Map<string, QueueRow | null>();
      for (const [index, { to, recipientDeviceKey }] of post.envelopes.entries()) {
        const account = await memberAccount.get(group, addressToBlob(to));
        if (account === undefined) return { status: 'refused', index, reason: 'not_a_member' };
        const queue = await copies.queueOfKey(recipientDeviceKey, to, post.now);
        const key = toBlob(recipientDeviceKey);
        if (!queue && !(await wasCurrent.get(key, account, key, account))) {
          return { status: 'refused', index, reason: 'unknown_device' };
        }
        if (!targets.has(recipientDeviceKey)) targets.set(recipientDeviceKey, queue);
      }

      const sending = { ...sendingOf(post), groupId: post.group.id };
      const queues: QueueKey[] = [];
      const outcomes: StoredOutcomes = [];
      for (const envelope of post.envelopes) {
        const acceptedAt = await copies.acceptedBefore(envelope);
        const queue = targets.get(envelope.recipientDeviceKey);
        if (acceptedAt !== null) outcomes.push({ status: 'duplicate', acceptedAt });
        else if (!queue) outcomes.push({ status: 'stale' });
        else {
          const outcome = await copies.store(sending, envelope, [queue]);
          if (outcome.status === 'accepted') queues.push(queue.id);
          outcomes.push(outcome);
        }
      }
      // A device is served whichever of its keys the copy is for.
      const served = new Set<QueueKey>();
      for (const queue of targets.values()) if (queue) served.add(queue.id);
      for (const { to, recipientDeviceKey } of post.heldBack) {
        const queue = await copies.queueOfKey(recipientDeviceKey, to, post.now);
        if (queue) served.add(queue.id);
      }
      return { status: 'stored', outcomes, served: [...served], queues };
    },
  };
}
