/** Files that are forwarded, and on the sender's other computer. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { storedFiles } from '../../support/blobs.ts';
import { callEngine, eventually, linkEngines } from '../../support/engine.ts';
import { bytesOf, FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };

test('a forwarded file is the same blob, and outlives the deletion by its sender', async () => {
  await using relay = await new TestRelay().start();
  await using people = await new FileChat(relay.url).start();
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

test('the other computer of the sender shows and downloads the file', async () => {
  await using relay = await new TestRelay().start();
  await using people = await new FileChat(relay.url).start();
  await using desktop = await new LocalEngine(relay.url).start();
  await linkEngines(people.ann, desktop);
  const bytes = randomBytes(90_000);
  await sendFiles(people.ann, people.chat, [{ bytes, name: 'a.png', mediaType: 'image/png' }], 'Look');
  const message = await people.newest(desktop, ({ state }) => state === 'here');
  expect(message).toMatchObject({ text: 'Look', kind: 'attachment', state: 'sent' });
  expect((await bytesOf(desktop, message.id)).equals(bytes)).toBe(true);
});
