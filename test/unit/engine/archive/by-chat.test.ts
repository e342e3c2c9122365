import { expect, test } from 'vitest';
import { linesByChat } from '../../../../src/engine/archive/by-chat.ts';
import { HistoryWriter, LATER, openAnn, recordsOf as recordsIn } from '../../../support/history.ts';

const block = (...records: object[]) =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
const recordsOf = (lines: Uint8Array): unknown[] =>
  Buffer.from(lines)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('messages of several blocks are sorted by their chats, and those of each chat stay in order', () => {
  const message = (conversation: string, arrival: number) => ({ conversation, arrival, text: '東京' });
  const lines = linesByChat([
    block(message('cat', 1), message('ben', 2), message('cat', 3)),
    block(message('ben', 4), { type: 'unknown' }, message('cat', 5)),
  ]);
  expect(recordsOf(lines)).toEqual([
    { type: 'unknown' },
    message('ben', 2),
    message('ben', 4),
    message('cat', 1),
    message('cat', 3),
    message('cat', 5),
  ]);
});

test('lines that are no JSON are left out, and a last line without its end is complete', () => {
  const ended = Buffer.from('{"conversation":"cat"}\n{broken\n\n{"conversation":"ben"}');
  expect(recordsOf(linesByChat([ended, Buffer.alloc(0)]))).toEqual([
    { conversation: 'ben' },
    { conversation: 'cat' },
  ]);
  expect(linesByChat([])).toHaveLength(0);
});

test('a message with many reactions is divided, and other lines stay as they are', () => {
  const source = openAnn(() => LATER);
  const writer = new HistoryWriter(source, () => undefined);
  writer.do({ is: 'text', chat: 'ben', by: 1, text: 'Hello', expires: null });
  const message = recordsIn(source.context).find(({ type }) => type === 'message');
  source.close();
  const reactions = Array.from({ length: 250 }, (_, number) => number);
  const parts = recordsOf(linesByChat([block({ ...message, reactions })])) as { reactions: number[] }[];
  expect(parts.map((part) => part.reactions.length)).toEqual([100, 100, 50]);
  for (const [index, part] of parts.entries())
    expect(part).toEqual({ ...message, reactions: reactions.slice(100 * index, 100 * (index + 1)) });
  const odd = Buffer.from('null\n[]\n7\n{"reactions":"many"}\n');
  expect(recordsOf(linesByChat([odd]))).toEqual([null, [], 7, { reactions: 'many' }]);
});
