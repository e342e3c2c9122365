import { expect, test } from 'vitest';
import { HistoryRecord } from '../../../../src/archive/history-records.ts';
import { partsOf } from '../../../../src/archive/record-parts.ts';
import { HistoryMerge, IMPORT, numberingFor, OWN_HISTORY } from '../../../../src/engine/history/merge.ts';
import { mergeInSlices } from '../../../../src/engine/history/merge-slices.ts';
import { ann, ben, HistoryWriter, LATER, openAnn, recordsOf, seenIn } from '../../../support/history.ts';

/** A cache with so many messages, its records, and an empty cache. */
function twoCaches(count: number) {
  let clock = LATER;
  const [source, target] = [openAnn(() => clock), openAnn(() => clock)];
  const writer = new HistoryWriter(source, (at) => {
    clock = at;
  });
  for (let number = 0; number < count; number++)
    writer.do({ is: 'text', chat: 'ben', by: 1, text: `Text ${number}`, expires: null });
  clock = LATER;
  const records = recordsOf(source.context);
  const { context } = target;
  const merge = new HistoryMerge(context, ann.address, numberingFor(context, count), OWN_HISTORY);
  const dispose = () => {
    source.close();
    target.close();
  };
  return { source, target, records, merge, [Symbol.dispose]: dispose };
}

/** Counts the records of each transaction. @param spend called after each record */
function watched(merge: HistoryMerge, spend: () => void) {
  const slices: number[] = [];
  const watch = {
    eraseTraces: () => merge.eraseTraces(),
    merge(records: Iterable<HistoryRecord>) {
      const counted = function* () {
        let count = 0;
        for (const record of records) {
          yield record;
          count += 1;
          spend();
        }
        slices.push(count);
      };
      merge.merge(counted());
    },
  };
  return { slices, watch };
}

test('a slice ends by the time of its records and of its commit, and has one record at least', async () => {
  using caches = twoCaches(60);
  let time = 0;
  /** In milliseconds. */
  let [forRecord, forCommit] = [0.25, 2];
  const { slices, watch } = watched(caches.merge, () => {
    time += forRecord;
  });
  const { context } = caches.target;
  const withoutSync = <T>(work: () => T) => {
    const result = context.withoutSync(work);
    time += forCommit;
    return result;
  };
  const records = caches.records.values();
  await mergeInSlices(
    { ...context, withoutSync },
    watch,
    records,
    () => {
      // A record that is larger than a slice.
      if (slices.length === 4) [forRecord, forCommit] = [100, 2];
    },
    () => time,
  );
  expect(slices.reduce((sum, count) => sum + count, 0)).toBe(caches.records.length);
  // Before the first commit: half a millisecond for each. Afterwards more fit into eight.
  expect(slices[0]).toBe(10);
  expect(slices[3]).toBeGreaterThan(10);
  expect(slices[3]).toBeLessThan(24);
  expect(new Set(slices.slice(4, -1))).toEqual(new Set([1]));
  expect(seenIn(context)).toEqual(seenIn(caches.source.context));
});

test('calls are answered between slices, and restored messages are indexed in the background', async () => {
  using caches = twoCaches(300);
  const { context } = caches.target;
  const { slices, watch } = watched(caches.merge, () => undefined);
  let calls = 0;
  const call = () => {
    calls += 1;
    timer = setImmediate(call);
  };
  let timer = setImmediate(call);
  await mergeInSlices(context, watch, caches.records.values(), () => undefined);
  clearImmediate(timer);
  expect(calls).toBeGreaterThanOrEqual(slices.length);
  expect(context.searchIndex.isComplete).toBe(false);
  while (!context.searchIndex.isComplete) context.transaction(() => undefined);
  expect(seenIn(context)).toEqual(seenIn(caches.source.context));
});

test('the reactions of a divided message are merged together', async () => {
  using caches = twoCaches(1);
  const message = caches.records.find((record) => record.type === 'message');
  if (!message) throw new Error('no message');
  const reactions = Array.from({ length: 250 }, (_, number) => ({
    ...{ voice: `voice ${number}`, address: ben.address, emoji: ['👍'] },
    version: { sentAt: message.body.sentAt, id: message.id, sender: ben.address },
  }));
  const parts = [...partsOf({ ...message, reactions })].map((part) => HistoryRecord.parse(part));
  expect(parts).toHaveLength(3);
  const { context } = caches.target;
  const others = caches.records.filter((record) => record !== message);
  await mergeInSlices(context, caches.merge, [...others, ...parts].values(), () => undefined);
  const restored = recordsOf(context).find((record) => record.type === 'message');
  expect(restored?.reactions).toHaveLength(250);
  expect(caches.merge.added).toBe(1);
});

test('the unread messages of a large chat are not counted again in each transaction', () => {
  using caches = twoCaches(3);
  const { context, db, conversationId } = caches.target;
  const messages = caches.records.filter(({ type }) => type === 'message');
  caches.merge.merge([...caches.records.filter(({ type }) => type !== 'message'), ...messages.slice(0, 1)]);
  const chat = () => context.own.find(ben.address);
  const merged = (unread: number, record: HistoryRecord | undefined) => {
    db.prepare('UPDATE conversations SET unread = ? WHERE id <> ?').run(unread, conversationId);
    if (record) caches.merge.merge([record]);
    return chat()?.unread;
  };
  expect(chat()?.unread).toBe(1);
  expect(merged(20_000, messages[1])).toBe(20_001);
  // A smaller number is.
  expect(merged(10_000, messages[2])).toBe(3);
});

test('the count of unread messages is exact when a message replaces its imported copy in a large chat', () => {
  using caches = twoCaches(2);
  const { context, db } = caches.target;
  new HistoryMerge(context, ann.address, numberingFor(context, 2), IMPORT).merge(caches.records);
  const [first, second] = caches.records.filter((record) => record.type === 'message');
  if (!first || !second) throw new Error('no messages');
  db.prepare('UPDATE conversations SET last_read_id = -1000, unread = 20000').run();
  const unread = () => context.own.find(ben.address)?.unread;
  caches.merge.merge([first]);
  expect(unread()).toBe(20_000);
  // A copy that was read.
  db.prepare('UPDATE messages SET id = -2000 WHERE uid = ?').run(Buffer.from(second.id, 'base64url'));
  caches.merge.merge([second]);
  expect(unread()).toBe(20_001);
});
