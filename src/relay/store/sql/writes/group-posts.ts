/**
 * Posts to groups: stores all copies or, if one does not match its recipient, none. Reads only the members named by
 * a post: one copy costs the same in a large group as in a small one.
 */
import type { GroupPost, GroupPostOutcome } from '../../group-records.ts';
import type { AccountKey, GroupKey, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { finder } from '../rows-at-once.ts';
import { addressToBlob, blobToAddress, toBlob, toText, wireAddress } from '../values.ts';
import { type Copy, copyWrites, sendingOf } from './copies.ts';
import { queueReads } from './queues.ts';

type StoredOutcomes = Extract<GroupPostOutcome, { status: 'stored' }>['outcomes'];

export function groupPostWrites(database: Database) {
  const copies = copyWrites(database, 'serializable');
  const findMember = database
    .prepare<[number, number], number>('SELECT 1 FROM member WHERE group_id = ? AND account_id = ?')
    .pluck();
  const findMembers = finder<{ account_id: number; address: Buffer }>(
    database,
    { group_id: 'integer', address: 'bytes' },
    (matches) =>
      `SELECT account_id, address FROM member JOIN account ON account.id = member.account_id
        WHERE ${matches}`,
  );
  // An expired key is stale as well, though its device has not published the next one.
  const findRetired = finder<{ account_id: number; seal_key: Buffer }>(
    database,
    { seal_key: 'bytes' },
    (matches) => `SELECT account_id, seal_key FROM retired_key WHERE ${matches}`,
  );
  const findRunOut = finder<{ account_id: number; seal_key: Buffer }>(
    database,
    { seal_key: 'bytes' },
    (matches) => `SELECT account_id, seal_key FROM device WHERE ${matches}`,
  );
  const findQueues = queueReads(database);

  /** The accounts of the members among some addresses. */
  async function membersAmong(
    group: GroupKey,
    addresses: readonly string[],
  ): Promise<Map<string, AccountKey>> {
    const rows = await findMembers([...new Set(addresses)].map((address) => [group, addressToBlob(address)]));
    return new Map(rows.map((row) => [blobToAddress(row.address), row.account_id]));
  }

  /** Former keys, each with the account that had it. */
  async function onceCurrent(keys: readonly string[]): Promise<Set<string>> {
    const wanted = keys.map((key) => [toBlob(key)]);
    const rows = [...(await findRetired(wanted)), ...(await findRunOut(wanted))];
    return new Set(rows.map((row) => keyOf(row.account_id, toText(row.seal_key))));
  }

  return {
    async acceptGroupPost(post: GroupPost): Promise<GroupPostOutcome> {
      const group = post.group.key;
      if ((await findMember.get(group, post.account)) === undefined) return { status: 'sender_not_a_member' };

      const placeOf = (envelope: { to: string; recipientDeviceKey: string }) => ({ envelope, sending: post });
      const queuesOf = await findQueues([...post.envelopes, ...post.rateLimitedCopies].map(placeOf));
      const members = await membersAmong(
        group,
        post.envelopes.map(({ to }) => to),
      );
      const lost = post.envelopes.filter((copy) => queuesOf(placeOf(copy)).length === 0);
      const stale = await onceCurrent(lost.map((copy) => copy.recipientDeviceKey));
      for (const [index, copy] of post.envelopes.entries()) {
        const account = members.get(wireAddress(copy.to));
        if (account === undefined) return { status: 'refused', index, reason: 'not_a_member' };
        if (queuesOf(placeOf(copy)).length === 0 && !stale.has(keyOf(account, copy.recipientDeviceKey))) {
          return { status: 'refused', index, reason: 'unknown_device' };
        }
      }

      const sending = { ...sendingOf(post), groupId: post.group.id, bot: post.bot };
      const looked = post.envelopes.map((envelope) => ({
        sending,
        envelope,
        hash: toBlob(envelope.id),
        queues: queuesOf(placeOf(envelope)),
      }));
      const state = await copies.look(
        looked.flatMap(({ hash, envelope: { id, to } }) => {
          const account = members.get(wireAddress(to));
          return account === undefined ? [] : { id, hash, account };
        }),
        looked,
      );
      const isStale = ({ envelope, queues }: Copy) => queues.length === 0 && !state.accepted.has(envelope.id);
      const kept = looked.filter((copy) => !isStale(copy));
      const stored = (await copies.store(kept, state)).values();
      const storedCopies = new Set<Copy>(kept);
      const outcomes: StoredOutcomes = [];
      for (const copy of looked) {
        const outcome = storedCopies.has(copy) ? stored.next().value : undefined;
        outcomes.push(outcome ?? { status: 'stale' });
      }
      const queues = outcomes.flatMap((outcome) => (outcome.status === 'accepted' ? outcome.queues : []));
      // A device counts as served with a copy for any of its keys.
      const served = new Set<QueueKey>();
      for (const copy of [...post.envelopes, ...post.rateLimitedCopies]) {
        for (const { id } of queuesOf(placeOf(copy))) served.add(id);
      }
      return { status: 'stored', outcomes, served: [...served], queues };
    },
  };
}

function keyOf(account: AccountKey, sealKey: string): string {
  return `${account} ${sealKey}`;
}
