import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AcceptOutcome } from '../../../src/relay/store/records.ts';
import { prepareOperations } from '../../../src/relay/store/sql/operations.ts';
import { prepareReads } from '../../../src/relay/store/sql/reads.ts';
import { asSql, openForWriting } from '../../../src/relay/store/sqlite/database.ts';
import { ENVELOPES_BY_HASH, HashMover } from '../../../src/relay/store/sqlite/hash-index.ts';
import { sqliteSearches } from '../../../src/relay/store/sqlite/searches.ts';
import type { Store } from '../../../src/relay/store/store.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { envelopeId, NOW, newMember, type StoreMember } from '../../support/relay-store.ts';

/** A writer with few hashes in memory, and its store. */
function openWriter(folder: string, options: { kept: number; step: number }) {
  const database = openForWriting(join(folder, 'relay.db'));
  const mover = new HashMover(database, options);
  const operations = prepareOperations(asSql(database));
  const store = {
    ...prepareReads(asSql(database), sqliteSearches(asSql(database))),
    ...operations,
    acceptEnvelopes: async (request: Parameters<Store['acceptEnvelopes']>[0]) =>
      (await operations.acceptEnvelopes([request]))[0] ?? [],
  } as unknown as Store;
  const count = (table: string) =>
    database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? Number.NaN;
  return {
    database,
    store,
    operations,
    inMemory: () => count('new_hash'),
    onDisk: () => count('envelope_hash'),
    /** Runs changes in one transaction, and undoes them if wanted. */
    async flush<R>(change: () => Promise<R>, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<R> {
      database.exec('BEGIN IMMEDIATE');
      mover.afterBegin();
      const result = await change();
      mover.beforeCommit();
      database.exec(end);
      if (end === 'ROLLBACK') mover.afterRollback();
      return result;
    },
  };
}

/** The same person after a restart. */
const memberAt = (store: Store, member: StoreMember): StoreMember =>
  Object.assign(Object.create(member), { store });
const namesOf = (begin: number, count: number) =>
  Array.from({ length: count }, (_, index) => `message ${begin + index}`);
const statusesOf = (outcomes: AcceptOutcome[]) => outcomes.map(({ status }) => status);
const repeated = (status: AcceptOutcome['status'], count: number) => Array(count).fill(status);

test('each envelope is accepted once, for any sequence of flushes, failures and restarts', async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('accept'), count: fc.integer({ min: 1, max: 30 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('fail'), count: fc.integer({ min: 1, max: 30 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('forget'), count: fc.integer({ min: 1, max: 30 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), count: fc.constant(0) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      using folder = temporaryFolder();
      const options = { kept: 20, step: 4 };
      let writer = openWriter(folder.path, options);
      let ann = await newMember(writer.store, 'ann');
      let ben = await newMember(writer.store, 'ben');
      const known = new Set<string>();
      let next = 0;
      for (const { kind, count } of steps) {
        const names = namesOf(next, count);
        if (kind === 'accept') {
          const outcomes = await writer.flush(() => ann.send(ben, names, { isRemembered: false }));
          expect(statusesOf(outcomes)).toEqual(repeated('accepted', count));
          for (const name of names) known.add(name);
          next += count;
        } else if (kind === 'fail') {
          await writer.flush(() => ann.send(ben, names), 'ROLLBACK');
        } else if (kind === 'forget') {
          const gone = [...known].slice(0, count);
          const ids = gone.map((name) => envelopeId(ben, name));
          expect(await writer.flush(async () => writer.store.acknowledge(await ben.queue(), ids))).toBe(
            gone.length,
          );
          for (const name of gone) known.delete(name);
        } else {
          writer.database.close();
          writer = openWriter(folder.path, options);
          ann = memberAt(writer.store, ann);
          ben = memberAt(writer.store, ben);
        }
        const all = [...known];
        if (all.length > 0) {
          const outcomes = await writer.flush(() => ann.send(ben, all));
          expect(statusesOf(outcomes)).toEqual(repeated('duplicate', all.length));
        }
      }
      const ids = [...known].map((name) => envelopeId(ben, name));
      await writer.flush(async () => writer.store.acknowledge(await ben.queue(), ids));
      expect([writer.inMemory(), writer.onDisk()]).toEqual([0, 0]);
      expect(writer.database.pragma('integrity_check', { simple: true })).toBe('ok');
      writer.database.close();
    }),
    { numRuns: 20 },
  );
});

test('the hashes of deleted envelopes are deleted in memory and on the disk', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path, { kept: 20, step: 4 });
  const { store, operations } = writer;
  const [ann, ben, eve] = [
    await newMember(store, 'ann'),
    await newMember(store, 'ben'),
    await newMember(store, 'eve'),
  ];
  const hashes = () => writer.inMemory() + writer.onDisk();
  const names = namesOf(0, 60);
  for (const name of names) {
    await writer.flush(() => ann.send(ben, [name], { isRemembered: false }));
    await writer.flush(() => ann.send(eve, [name]));
  }
  expect([writer.inMemory() > 0, writer.onDisk() > 0, hashes()]).toEqual([true, true, 120]);
  await writer.flush(() => store.deleteAccount(ben.account, null, NOW));
  expect(hashes()).toBe(60);
  await writer.flush(() => operations.expireMail(NOW + 1));
  expect(hashes()).toBe(0);
  expect(statusesOf(await writer.flush(() => ann.send(eve, names)))).toEqual(repeated('accepted', 60));
  writer.database.close();
});

test('a restart reads only the hashes that are not in the index', async () => {
  using folder = temporaryFolder();
  const options = { kept: 100, step: 10 };
  const writer = openWriter(folder.path, options);
  const [ann, ben] = [await newMember(writer.store, 'ann'), await newMember(writer.store, 'ben')];
  for (let begin = 0; begin < 4_000; begin += 20) {
    await writer.flush(() => ann.send(ben, namesOf(begin, 20)));
  }
  expect(writer.inMemory()).toBeLessThan(options.kept + options.step);
  expect(writer.onDisk()).toBe(4_000 - writer.inMemory());
  writer.database.close();
  const after = openWriter(folder.path, options);
  expect(after.inMemory()).toBeGreaterThan(0);
  expect(after.inMemory()).toBeLessThanOrEqual(3 * options.kept);
  const annAfter = memberAt(after.store, ann);
  for (let begin = 4_000; begin < 8_000; begin += 20) {
    await after.flush(() => annAfter.send(ben, namesOf(begin, 20)));
  }
  expect(after.inMemory()).toBeLessThan(options.kept + options.step);
  after.database.close();
});

test('frequent restarts read no more hashes than one', async () => {
  using folder = temporaryFolder();
  const options = { kept: 100, step: 10 };
  const first = openWriter(folder.path, options);
  const [ann, ben] = [await newMember(first.store, 'ann'), await newMember(first.store, 'ben')];
  first.database.close();
  // Fewer between two restarts than one round has.
  for (let begin = 0; begin < 2_000; begin += 50) {
    const writer = openWriter(folder.path, options);
    expect(writer.inMemory()).toBeLessThanOrEqual(3 * options.kept);
    await writer.flush(() => memberAt(writer.store, ann).send(ben, namesOf(begin, 50)));
    writer.database.close();
  }
  const writer = openWriter(folder.path, options);
  const end = writer.database.prepare<[], number>('SELECT envelope_id FROM envelope_hash_end').pluck().get();
  expect(end).toBeGreaterThan(2_000 - 5 * options.kept);
  const all = namesOf(0, 2_000);
  const outcomes = await writer.flush(() => memberAt(writer.store, ann).send(ben, all));
  expect(statusesOf(outcomes)).toEqual(repeated('duplicate', all.length));
  writer.database.close();
});

test('a flush changes fewer pages than it has envelopes', async () => {
  using folder = temporaryFolder();
  const writer = openWriter(folder.path, { kept: 2_048, step: 256 });
  const [ann, ben] = [await newMember(writer.store, 'ann'), await newMember(writer.store, 'ben')];
  writer.database.pragma('wal_autocheckpoint = 0');
  const pages = () =>
    writer.database.prepare<[], number>('PRAGMA wal_checkpoint(NOOP)').raw().all().flat()[1] ?? Number.NaN;
  const send = async (begin: number, end: number) => {
    for (; begin < end; begin += 32) await writer.flush(() => ann.send(ben, namesOf(begin, 32)));
  };
  await send(0, 4_096);
  const before = pages();
  await send(4_096, 8_192);
  expect(writer.onDisk()).toBeGreaterThan(5_000);
  expect((pages() - before) / 4_096).toBeLessThan(0.8);
  writer.database.close();
});

test('the look-up by hash reads no table as a whole', () => {
  using folder = temporaryFolder();
  const { database } = openWriter(folder.path, { kept: 10, step: 2 });
  const plan = database
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id FROM ${ENVELOPES_BY_HASH} JOIN sealed ON sealed.envelope_id = envelope.id
        WHERE (hash = x'01' AND envelope.bucket = 1) OR (hash = x'02' AND envelope.bucket = 2)`,
    )
    .all();
  expect(plan.filter(({ detail }) => detail.startsWith('SCAN'))).toEqual([]);
  expect(plan.filter(({ detail }) => /SEARCH .*\bfound USING PRIMARY KEY \(hash=/.test(detail))).toHaveLength(
    4,
  );
  database.close();
});

test('changes by another process are seen', async () => {
  using folder = temporaryFolder();
  const options = { kept: 20, step: 4 };
  const [one, other] = [openWriter(folder.path, options), openWriter(folder.path, options)];
  const [ann, ben] = [await newMember(one.store, 'ann'), await newMember(one.store, 'ben')];
  const annElsewhere = memberAt(other.store, ann);
  for (let begin = 0; begin < 200; begin += 10) {
    const names = namesOf(begin, 10);
    const sent = await one.flush(() => ann.send(ben, names));
    expect(statusesOf(sent)).toEqual(repeated('accepted', 10));
    await other.flush(() => annElsewhere.send(ben, names), 'ROLLBACK');
    const again = await other.flush(() => annElsewhere.send(ben, names));
    expect(statusesOf(again)).toEqual(repeated('duplicate', 10));
    await other.flush(() => annElsewhere.send(ben, [`elsewhere ${begin}`]));
    expect(statusesOf(await one.flush(() => ann.send(ben, [`elsewhere ${begin}`])))).toEqual(['duplicate']);
  }
  one.database.close();
  other.database.close();
});
