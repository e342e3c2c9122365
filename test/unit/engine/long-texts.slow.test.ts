/** A chain of long descriptions is stored in parts, so that few of its texts are in memory at a time. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Journal } from '../../../src/client/identity/journal/journal.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import { Groups, type StoredGroup } from '../../../src/engine/cache/group-chains.ts';
import { type FollowParts, follow } from '../../../src/messaging/groups/follow.ts';
import { KeyDirectory } from '../../../src/messaging/trust/directory.ts';
import { SignerLists } from '../../../src/messaging/trust/signer-lists.ts';
import { MAX_DESCRIPTION } from '../../../src/protocol/label.ts';
import { ChainRelay } from '../../support/chain-relay.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { BEGINNING, DAY, RosterChain, rosterFixture } from '../../support/rosters.ts';

const MIB = 1024 * 1024;
const NOW = BEGINNING + 30 * DAY;

test('a chain of long descriptions is stored after each MiB of text', async () => {
  const ann = rosterFixture('ann', 0x10);
  const chain = new RosterChain([ann], ann);
  for (let n = 0; n < 3_200; n++)
    chain.add(ann, { kind: 'change', description: `${n}`.padEnd(MAX_DESCRIPTION, 'x') });
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const groups = new Groups(db);
  const relay = new ChainRelay([ann], NOW);
  relay.entries.push(...chain.entries);
  relay.page = 100;
  const now = () => NOW;
  const histories: Pick<ChainRelay, 'keyHistories'> = { keyHistories: (wants) => relay.keyHistories(wants) };
  const source = { ...histories, keys: async () => null, pqKeys: async () => ({}) };
  const keys = new KeyDirectory({ source, memory: new Journal(null, NOW), now, own: null });
  const texts: number[] = [];
  const parts: FollowParts<StoredGroup> = {
    source: {
      roster: (id: string, after: number) => relay.roster(id, after),
    } as FollowParts<never>['source'],
    lists: new SignerLists(histories, keys, now),
    memory: {
      find: (id: string) => groups.find(id),
      advance(state, entries) {
        const values = entries.flatMap(({ sets }) => sets.map(({ value }) => String(value).length));
        texts.push(values.reduce((sum, length) => sum + length, 0));
        return db.transaction(() => groups.advance(state, entries, ann.address))();
      },
    } as FollowParts<StoredGroup>['memory'],
    now,
  };
  const { group, stop } = await follow(parts, chain.groupId, () => true);
  expect(stop).toBeNull();
  expect(group?.state).toEqual(chain.state);
  expect(Math.max(...texts)).toBeLessThan(MIB + relay.page * MAX_DESCRIPTION);
  // All by one device: one row.
  expect(db.prepare('SELECT count(*) FROM own_group_changes').pluck().get()).toBe(1);
  db.close();
});
