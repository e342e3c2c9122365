/**
 * Posts to groups: all copies or, if one cannot be for whom it says, none.
 */
import type { GroupPost, GroupPostOutcome } from '../../group-records.ts';
import type { QueueKey } from '../../store.ts';
import type { Database } from '../database.ts';
import { blobToAddress, toBlob, toText } from '../values.ts';
import { copyWrites, type QueueRow, sendingOf } from './copies.ts';

interface MemberDeviceRow {
  account_id: number;
  address: Buffer;
  /** Its queue. Null for a member without devices. */
  device: QueueKey | null;
  seal_key: Buffer | null;
}

export function groupPostWrites(database: Database) {
  const copies = copyWrites(database);
  const memberDevices = database.prepare<[number, number], MemberDeviceRow>(
    `SELECT member.account_id, address, device.id AS device, seal_key
       FROM member JOIN account ON account.id = member.account_id
       LEFT JOIN device ON device.account_id = member.account_id AND device.expires_at > ?
      WHERE member.group_id = ?`,
  );
  // A key that has run out is stale as well, though its device has not published the next one.
  const wasCurrent = database.prepare<[Buffer, number, Buffer, number], { account_id: number }>(
    `SELECT account_id FROM retired_key WHERE seal_key = ? AND account_id = ?
      UNION ALL SELECT account_id FROM device WHERE seal_key = ? AND account_id = ?`,
  );

  return {
    acceptGroupPost(post: GroupPost): GroupPostOutcome {
      const rows = memberDevices.all(post.now, post.group.key);
      const members = new Map(rows.map((row) => [blobToAddress(row.address), row.account_id]));
      if (![...members.values()].includes(post.account)) return { status: 'sender_not_a_member' };

      const targets = new Map<string, QueueRow | null>();
      for (const [index, { to, recipientDeviceKey }] of post.envelopes.entries()) {
        const account = members.get(to);
        if (account === undefined) return { status: 'refused', index, reason: 'not_a_member' };
        const queue = copies.queueOfKey(recipientDeviceKey, to, post.now);
        const key = toBlob(recipientDeviceKey);
        if (!queue && !wasCurrent.get(key, account, key, account)) {
          return { status: 'refused', index, reason: 'unknown_device' };
        }
        if (!targets.has(recipientDeviceKey)) targets.set(recipientDeviceKey, queue);
      }

      const sending = { ...sendingOf(post), groupId: post.group.id };
      const queues: QueueKey[] = [];
      const outcomes = post.envelopes.map((envelope) => {
        const acceptedAt = copies.acceptedBefore(envelope);
        if (acceptedAt !== null) return { status: 'duplicate' as const, acceptedAt };
        const queue = targets.get(envelope.recipientDeviceKey);
        if (!queue) return { status: 'stale' as const };
        const outcome = copies.store(sending, envelope, [queue]);
        if (outcome.status === 'accepted') queues.push(queue.id);
        return outcome;
      });
      // A device is served whichever of its keys the copy is for.
      const served = new Set([...targets.values()].map((queue) => queue?.id));
      for (const { to, recipientDeviceKey } of post.heldBack) {
        served.add(copies.queueOfKey(recipientDeviceKey, to, post.now)?.id);
      }
      const missing = rows.flatMap(({ device, seal_key }) =>
        device !== null && seal_key && !served.has(device) ? [toText(seal_key)] : [],
      );
      return { status: 'stored', outcomes, missing, queues };
    },
  };
}
