import { expect, test } from 'vitest';
import { HistoryRecord, type MessageRecord } from '../../../src/archive/history-records.ts';
import { partsOf } from '../../../src/archive/record-parts.ts';
import { ben, HistoryWriter, LATER, openAnn, recordsOf } from '../../support/history.ts';

/** A message with an edit and so many reactions. */
function messageWith(count: number): MessageRecord {
  const source = openAnn(() => LATER);
  const writer = new HistoryWriter(source, () => undefined);
  writer.do({ is: 'text', chat: 'ben', by: 1, text: 'Text', expires: null });
  const message = recordsOf(source.context).find((record) => record.type === 'message');
  source.close();
  if (!message) throw new Error('no message');
  const version = { sentAt: message.body.sentAt as string, id: message.id, sender: ben.address };
  return {
    ...message,
    edits: [{ version, text: 'x'.repeat(100_000), mentions: [] }],
    pin: { pinned: true, version },
    reactions: Array.from({ length: count }, (_, number) => ({
      voice: `voice ${number}`,
      address: ben.address,
      emoji: ['👍'],
      version,
    })),
  };
}

test('the parts of a message with many reactions have each reaction once, and the edits and the pin once', () => {
  const message = messageWith(250);
  const parts = [...partsOf(message)].map((part) => HistoryRecord.parse(part) as MessageRecord);
  expect(parts.map(({ reactions }) => reactions.length)).toEqual([100, 100, 50]);
  expect(parts.flatMap(({ reactions }) => reactions)).toEqual(message.reactions);
  expect(parts.map(({ edits }) => edits.length)).toEqual([1, 0, 0]);
  expect(parts.map(({ pin }) => pin?.pinned)).toEqual([true, undefined, undefined]);
});

test('a message with more reactions than a record can have is kept with the first 10,000', () => {
  const parts = [...partsOf(messageWith(10_050))] as MessageRecord[];
  expect(parts).toHaveLength(100);
  expect(parts.every((part) => part.reactions.length === 100)).toBe(true);
});

test('a record with many reactions that is no message has no parts, also with a body of megabytes', () => {
  const message = messageWith(250);
  expect([...partsOf({ ...message, type: 'contact' })]).toEqual([]);
  expect([...partsOf({ ...message, body: { ...message.body, text: 'x'.repeat(2 ** 21) } })]).toEqual([]);
});

test('other records stay as they are', () => {
  for (const record of [null, 7, [], { reactions: 'many' }, messageWith(100)])
    expect([...partsOf(record)]).toEqual([record]);
});
