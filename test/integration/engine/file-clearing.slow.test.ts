/** Files that are removed from a computer while their messages stay. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat, namesOnDisk, newestMessages } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { TestRelay } from '../../support/relay.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(70_000)]);
const PICTURE = { bytes: PNG, name: 'Bridge.png', mediaType: 'image/png' };

let resources: AsyncDisposableStack;
let chat: FileChat;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const relay = resources.use(await new TestRelay().start());
  chat = resources.use(await FileChat.start(relay.url));
});
afterEach(() => resources.disposeAsync());

test('a cleared file is erased from the disk, and is downloaded again', async () => {
  const { ann, ben } = chat;
  await sendFiles(ann, chat.chat, [PICTURE]);
  const message = await chat.newest(ben, ({ state }) => state === 'here');
  const [use] = (await callEngine(ben, 'storage.get', { limit: 10 })).chats;
  expect(use).toMatchObject({ conversationId: message.conversationId, image: { files: 1 } });
  expect(namesOnDisk(ben)).toHaveLength(1);
  await callEngine(ben, 'storage.clear', { conversationId: message.conversationId });
  expect(await newestMessages(ben)).toHaveLength(2);
  const place = { messageId: message.id, index: 0 };
  await expect(callEngine(ben, 'files.open', place)).rejects.toMatchObject({ code: 'file_missing' });
  await eventually(
    async () => namesOnDisk(ben),
    ({ length }) => length === 0,
  );
  expect(await callEngine(ben, 'storage.get', { limit: 10 })).toMatchObject({ fileBytes: 0, chats: [] });
  await callEngine(ben, 'files.download', place);
  await chat.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, message.id)).equals(PNG)).toBe(true);
});

test('a file requested during its erasure arrives whole, also after a restart', async () => {
  const { ann, ben } = chat;
  await sendFiles(ann, chat.chat, [PICTURE]);
  const message = await chat.newest(ben, ({ state }) => state === 'here');
  await callEngine(ben, 'storage.clear', { conversationId: null });
  await callEngine(ben, 'files.download', { messageId: message.id, index: 0 });
  await chat.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, message.id)).equals(PNG)).toBe(true);
  await ben.close();
  await ben.start();
  expect((await bytesOf(ben, message.id)).equals(PNG)).toBe(true);
});

test('an unsent file stays when all files are cleared, and arrives', async () => {
  const { ann, ben } = chat;
  const sent = await sendFiles(ann, chat.chat, [PICTURE]);
  await callEngine(ann, 'storage.clear', { conversationId: null });
  await chat.newest(ben, ({ state }) => state === 'here');
  const own = await chat.newest(ann, (_file, { state }) => state === 'sent');
  expect(own.id).toBe(sent.id);
});
