/** A chain of long descriptions is stored in parts, so that few of its texts are in memory at a time. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/engine/cache/database.ts';
import { MAX_DESCRIPTION } from '../../../src/protocol/label.ts';
import { ChainRelay } from '../../support/chain-relay.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { followedChain } from '../../support/followed-chain.ts';
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
  const relay = new ChainRelay([ann], NOW);
  relay.entries.push(...chain.entries);
  relay.page = 100;
  const texts: number[] = [];
  const { read } = followedChain(db, relay, ann.address, NOW, (entries) => {
    const values = entries.flatMap(({ sets }) => sets.map(({ value }) => String(value).length));
    texts.push(values.reduce((sum, length) => sum + length, 0));
  });
  const { group, stop } = await read(chain.groupId);
  expect(stop).toBeNull();
  expect(group?.state).toEqual(chain.state);
  expect(Math.max(...texts)).toBeLessThan(MIB + relay.page * MAX_DESCRIPTION);
  // All by one device: one row.
  expect(db.prepare('SELECT count(*) FROM own_group_changes').pluck().get()).toBe(1);
  db.close();
});
