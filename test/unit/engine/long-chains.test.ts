/**
 * A member who is far behind reads a long chain: bytes written to the cache grow with the chain, not with its square.
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { RelayUnreachable } from '../../../src/base/failure.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import { ChainRelay } from '../../support/chain-relay.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { followedChain } from '../../support/followed-chain.ts';
import { groupOf } from '../../support/full-chat.ts';
import { BEGINNING, DAY } from '../../support/rosters.ts';

const NOW = BEGINNING + DAY;
const { chain, people } = groupOf(60);
const [owner] = people;

/** A member's cache beside a relay that shows this many entries, two in a page. */
function behind(length: number) {
  const folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const relay = new ChainRelay(people, NOW);
  relay.entries.push(...chain.entries);
  relay.shownUpTo = length;
  const written = { states: 0, bytes: 0 };
  const { prepare } = db;
  db.prepare = ((sql: string) =>
    new Proxy(prepare.call(db, sql), {
      get(statement, name) {
        const value = Reflect.get(statement, name, statement);
        if (typeof value !== 'function') return value;
        return (...values: [{ state?: string }]) => {
          if (name === 'run' && /^INSERT INTO groups\b/.test(sql)) {
            written.states += 1;
            written.bytes += values[0].state?.length ?? 0;
          }
          return value.apply(statement, values);
        };
      },
    })) as typeof db.prepare;
  const { groups, read } = followedChain(db, relay, owner?.address ?? '', NOW);
  return {
    relay,
    groups,
    written,
    read: () => read(chain.groupId),
    [Symbol.dispose]() {
      db.close();
      folder[Symbol.dispose]();
    },
  };
}

test('twice as long a chain is stored with about twice as many bytes', async () => {
  using half = behind(30);
  using all = behind(60);
  for (const { read, groups, relay } of [half, all]) {
    const { group, stop } = await read();
    expect(stop).toBeNull();
    expect(group?.state).toEqual(relay.state(relay.shown));
    expect(groups.after(chain.groupId, 0)).toHaveLength(relay.shown.length);
  }
  expect(all.relay.calls).toBe(30);
  expect(all.written.states).toBeLessThanOrEqual(half.written.states + 2);
  expect(all.written.bytes / half.written.bytes).toBeLessThan(2.6);
});

test('a few entries after a long chain are stored once', async () => {
  using cache = behind(40);
  await cache.read();
  const before = cache.written.states;
  cache.relay.shownUpTo = 50;
  expect((await cache.read()).group?.state.epoch).toBe(50);
  expect(cache.written.states - before).toBe(1);
});

test('entries that were read before the relay became unreachable are stored', async () => {
  using cache = behind(60);
  const roster = cache.relay.roster.bind(cache.relay);
  cache.relay.shownUpTo = 40;
  await cache.read();
  cache.relay.shownUpTo = 60;
  let left = 3;
  cache.relay.roster = async (id, after) => {
    if (left-- === 0) throw new RelayUnreachable('relay_late');
    return roster(id, after);
  };
  await expect(cache.read()).rejects.toThrow(RelayUnreachable);
  expect(cache.groups.find(chain.groupId)?.state.epoch).toBe(46);
});
