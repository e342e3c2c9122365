/** Pictures and files between two people: sealed, uploaded, downloaded, shown, erased. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { callEngine, eventually, openChat, setUp, type TestEngine } from '../../support/engine.ts';
import { addressIn, prepareFile, readWhole, sendFiles } from '../../support/files.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.from('picture-marker'),
  randomBytes(70_000),
]);
const PICTURE = {
  bytes: PNG,
  name: 'Bridge.png',
  mediaType: 'image/png',
  width: 40,
  height: 30,
  alt: 'A bridge',
};

let resources: AsyncDisposableStack;
let relay: TestRelay;
let ann: TestEngine;
let ben: TestEngine;
let chat: string;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  ann = resources.use(await new LocalEngine(relay.url).start());
  ben = resources.use(await new LocalEngine(relay.url).start());
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  chat = (await openChat(ann, 'ben')).id;
});
afterEach(() => resources.disposeAsync());

async function messagesOf(engine: TestEngine): Promise<Message[]> {
  const [conversation] = await callEngine(engine, 'conversations.list', {});
  if (!conversation) return [];
  return (await callEngine(engine, 'messages.list', { conversationId: conversation.id, limit: 50 })).messages;
}

const arrived = (engine: TestEngine, count: number) =>
  eventually(
    () => messagesOf(engine),
    (all) => all.length === count,
  );

/** Ben's messages, after he has accepted Ann's chat. */
async function acceptChat(): Promise<void> {
  await callEngine(ann, 'messages.send', { conversationId: chat, text: 'Hello' });
  await arrived(ben, 1);
  const [conversation] = await callEngine(ben, 'conversations.list', {});
  await callEngine(ben, 'conversations.accept', { id: conversation?.id ?? '' });
}

const here = (engine: TestEngine, count: number, index = 0) =>
  eventually(
    () => messagesOf(engine),
    (all) => all.length === count && all.at(-1)?.files[index]?.state === 'here',
  );

const filesOnDisk = (engine: TestEngine) => readdirSync(join(engine.folder.path, 'files'));

test('a picture of an accepted contact arrives without a request, with its description, byte by byte', async () => {
  await acceptChat();
  const sent = await sendFiles(ann, chat, [PICTURE], 'Look');
  expect(sent).toMatchObject({ kind: 'attachment', text: 'Look', state: 'queued' });
  const [, message] = await here(ben, 2);
  expect(message).toMatchObject({ kind: 'attachment', text: 'Look' });
  expect(message?.files).toEqual([
    {
      ...{ name: 'Bridge.png', size: PNG.length, type: 'image', width: 40, height: 30, alt: 'A bridge' },
      ...{ durationMs: null, waveform: null, blurhash: null, thumbnail: null },
      ...{ state: 'here', problem: null, until: null },
    },
  ]);
  const place = { messageId: message?.id ?? '', index: 0 };
  const { path, mediaType, size } = await callEngine(ben, 'files.open', place);
  expect([mediaType, size]).toEqual(['image/png', PNG.length]);
  expect(Buffer.from(await readWhole(ben.handle, path)).equals(PNG)).toBe(true);
});

test('neither the disk nor the relay has readable bytes of a file', async () => {
  await acceptChat();
  await sendFiles(ann, chat, [PICTURE]);
  await here(ben, 2);
  for (const engine of [ann, ben]) {
    const [name = ''] = filesOnDisk(engine);
    expect(readFileSync(join(engine.folder.path, 'files', name)).includes('picture-marker')).toBe(false);
  }
});

test('several files keep their order, and others are downloaded on request', async () => {
  await acceptChat();
  const report = { bytes: randomBytes(1_500_000), name: 'report.pdf', mediaType: 'application/pdf' };
  await sendFiles(ann, chat, [report, PICTURE], '');
  const all = await here(ben, 2, 1);
  const message = all.at(-1);
  expect(message?.files.map(({ name, state }) => [name, state])).toEqual([
    ['report.pdf', 'remote'],
    ['Bridge.png', 'here'],
  ]);
  const place = { messageId: message?.id ?? '', index: 0 };
  await expect(callEngine(ben, 'files.open', place)).rejects.toMatchObject({ code: 'file_missing' });
  await callEngine(ben, 'files.download', place);
  await here(ben, 2, 0);
  const { path, mediaType } = await callEngine(ben, 'files.open', place);
  // The app shows no PDF, so that its address is only a download.
  expect(mediaType).toBe('application/octet-stream');
  expect(Buffer.from(await readWhole(ben.handle, path)).equals(report.bytes)).toBe(true);
});

test('a message request downloads nothing and shows no small pictures', async () => {
  const thumbnail = PNG.subarray(0, 200).toString('base64');
  await sendFiles(ann, chat, [{ ...PICTURE, thumbnail, blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' }]);
  const [message] = await arrived(ben, 1);
  expect(message?.files[0]).toMatchObject({ state: 'remote', thumbnail: null, blurhash: null });
});

test('a later message of the chat waits for the file', async () => {
  await acceptChat();
  await sendFiles(ann, chat, [PICTURE]);
  await callEngine(ann, 'messages.send', { conversationId: chat, text: 'After it' });
  const all = await arrived(ben, 3);
  expect(all.map(({ kind, text }) => [kind, text])).toEqual([
    ['text', 'Hello'],
    ['attachment', ''],
    ['text', 'After it'],
  ]);
});

test('deleting for everyone erases the file on both disks and at the relay', async () => {
  await acceptChat();
  const sent = await sendFiles(ann, chat, [PICTURE]);
  await here(ben, 2);
  await eventually(
    () => messagesOf(ann),
    (all) => all.at(-1)?.state === 'sent',
  );
  await callEngine(ann, 'messages.delete', { ids: [sent.id], forEveryone: true });
  for (const engine of [ann, ben]) {
    await eventually(
      async () => filesOnDisk(engine),
      (names) => names.length === 0,
    );
  }
});

test('a restart removes files that were prepared and not sent, and keeps the others', async () => {
  await acceptChat();
  const sent = await sendFiles(ann, chat, [PICTURE]);
  await here(ben, 2);
  await prepareFile(ann, chat, randomBytes(5_000));
  expect(filesOnDisk(ann)).toHaveLength(2);
  await ann.close();
  await ann.start();
  await eventually(
    async () => filesOnDisk(ann),
    (names) => names.length === 1,
  );
  const { path } = await callEngine(ann, 'files.open', { messageId: sent.id, index: 0 });
  expect(Buffer.from(await readWhole(ann.handle, path)).equals(PNG)).toBe(true);
});

test('bytes that are not the next ones, too many or too few are refused', async () => {
  const { id, path } = await callEngine(ann, 'files.begin', { conversationId: chat, size: 10 });
  const address = addressIn(path);
  const file = { id, name: 'a', mediaType: 'text/plain' };
  const unfinished = callEngine(ann, 'messages.sendFiles', { conversationId: chat, files: [file], text: '' });
  await expect(unfinished).rejects.toMatchObject({ code: 'file_unfinished' });
  expect(await ann.handle.writeFile(address, 5, new Uint8Array(5))).toMatchObject({
    failure: { code: 'file_changed' },
  });
  expect(await ann.handle.writeFile(address, 0, new Uint8Array(10))).toMatchObject({
    failure: { code: 'file_unprepared' },
  });
  const empty = callEngine(ann, 'files.begin', { conversationId: chat, size: 0 });
  await expect(empty).rejects.toMatchObject({ code: 'file_empty' });
  expect(await callEngine(ann, 'files.limit', {})).toEqual({ bytes: 102_760_448 });
  const long = callEngine(ann, 'files.begin', { conversationId: chat, size: 101 * 1024 * 1024 });
  await expect(long).rejects.toMatchObject({
    code: 'file_too_long',
    parameters: { most: 102_760_448 },
  });
});
