/** Merging the parts of a history, with a real file thread and without a relay. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { HISTORY_VERSION } from '../../../../src/archive/history-records.ts';
import { HERE } from '../../../../src/engine/cache/linked-history.ts';
import { FileThread } from '../../../../src/engine/files/thread.ts';
import { beginReceiving } from '../../../../src/engine/linked-history/begin.ts';
import { lineOf } from '../../../../src/engine/linked-history/form.ts';
import { sealPart } from '../../../../src/engine/linked-history/part-writer.ts';
import { HistoryReceiver } from '../../../../src/engine/linked-history/receiver.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { ann, ben, cat, HistoryWriter, LATER, openAnn, recordsOf } from '../../../support/history.ts';

const ANN = `0x${'1'.repeat(40)}`;
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const WORKER = new URL('../../../../src/engine/files/worker.ts', import.meta.url);
const b = (bytes: number) => randomBytes(bytes).toString('base64url');

const group = () => ({
  ...{ type: 'group', groupId: b(16), name: 'Walkers', missing: null, profile: null },
  pin: { epoch: 1, hash: b(32), joined: true },
});

/** A file thread without a relay. */
function newThread(resources: AsyncDisposableStack): FileThread {
  const thread = new FileThread(WORKER, resources.use(temporaryFolder()).path, {
    token: () => Promise.reject(new Error('no relay')),
    proxyFor: async () => ({ ok: true, value: null }),
    progress: () => undefined,
    verified: () => undefined,
  });
  resources.defer(() => thread.close());
  return thread;
}

test('groups of each part of a history are read from the relay, not only those of the first', async () => {
  await using resources = new AsyncDisposableStack();
  const { context } = resources.use(openAccount(ANN, () => NOW));
  const thread = newThread(resources);
  beginReceiving(context);
  const { snapshot = '' } = context.linkedHistory.receiving() ?? {};
  const groups = [group(), group(), group()] as const;
  const records = [[groups[0]], [groups[1], groups[2]], [], [groups[2]]];
  for (const [index, lines] of records.entries()) {
    const head = {
      ...{ type: 'part', version: HISTORY_VERSION, snapshot, part: index + 1, address: ANN, lastArrival: 0 },
    };
    const bytes = Buffer.from([head, ...lines].map(lineOf).join(''));
    const id = await sealPart(context, thread, [bytes]);
    context.files.setDownloaded(id, 'application/octet-stream');
    context.linkedHistory.addPart(HERE, index + 1, records.length, id);
  }

  const read: number[] = [];
  const receiver = new HistoryReceiver({
    ...{ context, thread, own: ANN, onPlanned: () => undefined },
    send: async () => undefined,
    onPeople: () => void read.push(context.groups.count()),
  });
  for (const _ of records) await receiver.work();
  expect(context.linkedHistory.receiving()).toMatchObject({ state: 'complete', merged: records.length });
  expect(read, 'the numbers of known groups at each reading').toEqual([1, 3]);
});

test('messages of a part are merged chat by chat, in their order', async () => {
  await using resources = new AsyncDisposableStack();
  let clock = LATER;
  const source = openAnn(() => clock);
  resources.defer(() => source.close());
  const writer = new HistoryWriter(source, (time) => {
    clock = time;
  });
  for (let number = 0; number < 240; number++)
    writer.do({ is: 'text', chat: number % 2 ? 'ben' : 'cat', by: 1, text: `${number}`, expires: null });
  const changes: unknown[] = [];
  const { context, db } = resources.use(
    openAccount(
      ann.address,
      () => LATER,
      (name, payload) => {
        if (name === 'messages.changed') changes.push((payload as { conversationId: string }).conversationId);
      },
    ),
  );
  const thread = newThread(resources);
  beginReceiving(context);
  const { snapshot = '' } = context.linkedHistory.receiving() ?? {};
  const head = {
    ...{ type: 'part', version: HISTORY_VERSION, snapshot, part: 1 },
    ...{ address: ann.address, lastArrival: 500 },
  };
  const bytes = Buffer.from([head, ...recordsOf(source.context)].map(lineOf).join(''));
  const id = await sealPart(context, thread, [bytes]);
  context.files.setDownloaded(id, 'application/octet-stream');
  context.linkedHistory.addPart(HERE, 1, 1, id);
  const receiver = new HistoryReceiver({
    ...{ context, thread, own: ann.address, onPlanned: () => undefined },
    ...{ send: async () => undefined, onPeople: () => undefined },
  });
  await receiver.work();
  for (const [place, { address }] of [cat, ben].entries()) {
    const chat = context.own.find(address)?.id;
    const texts = db
      .prepare<[number], { body: string }>('SELECT body FROM messages WHERE conversation_id = ? ORDER BY id')
      .all(chat ?? 0)
      .map(({ body }) => (JSON.parse(body) as { text: string }).text);
    expect(texts).toEqual(Array.from({ length: 120 }, (_, number) => `${2 * number + place}`));
  }
  // One slice may have the end of a chat and the begin of the next. In the order of the part, each slice would change both chats.
  const turns = changes.filter((each, index) => each !== changes[index - 1]);
  expect(turns.length).toBeLessThanOrEqual(4);
});
