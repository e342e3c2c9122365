/** Files that are forwarded, and on the sender's other computer. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { TestRelay } from '../../support/relay.ts';
import { storedFiles } from '../../support/test-blob.ts';
import { PDF } from './files-forward.ts';

test('a forwarded file is the same blob, and outlives the deletion by its sender', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben, chat } = people;
  const bytes = randomBytes(150_000);
  const { id: sent } = await sendFiles(ann, chat, [{ bytes, ...PDF }], 'For you');
  const { id: received } = await people.newest(ben, ({ state }) => state === 'remote');
  const [own] = await callEngine(ben, 'conversations.list', {});
  const to = [own?.id ?? ''];

  // Only the relay has it: ben has not downloaded it.
  await callEngine(ben, 'messages.forward', { ids: [received], to });
  const forwarded = await people.newest(ann, ({ state }, { forwarded: is }) => is && state === 'here');
  expect(forwarded).toMatchObject({ text: 'For you', kind: 'attachment' });
  expect((await bytesOf(ann, forwarded.id)).equals(bytes)).toBe(true);
  expect([storedFiles(relay).length, namesOnDisk(ann).length]).toEqual([1, 1]);

  await callEngine(ann, 'messages.delete', { ids: [sent], forEveryone: true });
  const { id: mine } = await people.newest(ben, (_, { forwarded: is, state }) => is && state === 'sent');
  await callEngine(ben, 'files.download', { messageId: mine, index: 0 });
  await people.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, mine)).equals(bytes)).toBe(true);
  await callEngine(ben, 'messages.delete', { ids: [mine], forEveryone: true });
  await eventually(
    async () => [...namesOnDisk(ben), ...namesOnDisk(ann)],
    ({ length }) => length === 0,
  );
});
