/** Many contents of each kind from one stranger: the rows and bytes that the app stores of them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../../src/engine/cache/database.ts';
import { MAX_OF_STRANGER } from '../../../../src/engine/cache/seen.ts';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { callEngine } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { type Honest, newHonest } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../../support/person.ts';

const OF_EACH = 150;
/** Limit of one stranger, in bytes: 256 KiB of contents, and their metadata. */
const MAX_BYTES = 512 * 1024;
/** Messages and controls of one stranger that fit into their budget, each of 2 KiB at least. */
const MAX_ROWS = 128;
/** Facts about refused envelopes of one sender. */
const MAX_REFUSED = 100;

async function stored({ engine }: Honest) {
  await engine.close();
  const db = openCache(engine.folder.path, engine.key);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const rowsOf = (table: string) =>
    db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
    // Tables of the search index are readable by it alone.
    .filter((name) => !/^search/.test(name));
  const rows = new Map(tables.map((name) => [name, rowsOf(name)]));
  db.close();
  const bytes = statSync(join(engine.folder.path, 'cache.db')).size;
  await engine.start();
  return { rows, bytes };
}

const bytes = (length: number) => encodeBase64Url(randomBytes(length));
const nowhere = (sender: string) => ({ sender, id: bytes(16), digest: bytes(16) });
const list = () => ({ sequence: 1, hash: bytes(32) });

/** The envelopes before the first message, and those with and after it. */
const controls = (own: string, stranger: string): (() => object)[] => [
  () => ({ kind: 'receipt', delivered: { [bytes(16)]: 9 }, missing: { [bytes(16)]: [1] } }),
  () => ({ kind: 'receipt', group: bytes(16), delivered: { [bytes(16)]: 3 } }),
  () => ({ kind: 'hello', list: list() }),
  () => ({ kind: 'hello', list: list(), group: bytes(16), roster: { epoch: 3, hash: bytes(32) } }),
  () => ({ kind: 'unheard', data: 'x'.repeat(2_000) }),
  () => ({ kind: 'profile', name: 'Eve', avatar: null }),
  () => ({ kind: 'own.set', entries: [{ key: `x/${bytes(9)}`, value: 1 }] }),
  () => ({ kind: 'reaction', target: nowhere(own), emoji: ['👍'] }),
  () => ({ kind: 'delete', targets: [nowhere(own)] }),
  () => ({ kind: 'edit', target: nowhere(stranger), text: 'x' }),
  () => ({ kind: 'pin', target: nowhere(own), pinned: true }),
];
const messages: (() => object)[] = [
  () => ({ kind: 'text', text: 'x' }),
  () => ({ kind: 'unheard', fallback: 'x' }),
  () => ({ kind: 'timer', seconds: 30 + Math.floor(Math.random() * 1_000) }),
];

test('many contents of each kind from one stranger stay in one budget', async () => {
  await using hostile = await HostileRelay.start();
  const ben = await newHonest(hostile, 'ben');
  const eve = await newPerson(hostile.relay);
  await eve.publishDevices([eve.device]);
  const target = await targetOf(hostile, eve.token, ben.address);
  let seq = 0;
  const from = (fields: object): InboxEnvelope => {
    seq += 1;
    const body = { ...directBody(eve.address, ben.address, ''), seq, ...fields };
    return forge(eve.address, target, { channel: 'direct', body }, eve.signer);
  };
  const flood = async (kinds: readonly (() => object)[]) => {
    for (const next of kinds) {
      const envelopes = Array.from({ length: OF_EACH }, () => from(next()));
      const judged = hostile.deliver(target.deviceId, envelopes, async () => undefined);
      await callEngine(ben.engine, 'connection.retry', {});
      await judged;
    }
  };
  const before = await stored(ben);
  const grown = ({ rows }: typeof before) =>
    Object.fromEntries(
      [...rows].flatMap(([name, count]) => {
        const more = count - (before.rows.get(name) ?? 0);
        return more === 0 ? [] : [[name, more]];
      }),
    );

  await flood(controls(ben.address, eve.address));
  // Without a chat, only who it was and the newest ids are stored.
  const first = await stored(ben);
  for (const [name, more] of Object.entries(grown(first)))
    expect(more, name).toBeLessThanOrEqual(name === 'seen' ? MAX_OF_STRANGER : 1);

  await flood(messages);
  await flood(controls(ben.address, eve.address));
  const last = await stored(ben);
  const { quarantine, seen, ...others } = grown(last);
  expect(quarantine).toBe(MAX_REFUSED);
  expect(seen).toBe(MAX_OF_STRANGER);
  expect(others.messages).toBeGreaterThan(50);
  for (const [name, more] of Object.entries(others)) expect(more, name).toBeLessThanOrEqual(MAX_ROWS);
  expect(last.bytes - before.bytes).toBeLessThan(MAX_BYTES);
});
