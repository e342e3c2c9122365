/** Files that are forwarded, and on the sender's other computer. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, eventually, linkEngines } from '../../support/engine.ts';
import { bytesOf, FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { storedFiles } from '../../support/test-blob.ts';

const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };

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

test('the other computer of the sender shows and downloads the file', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  await using desktop = await new LocalEngine(relay.url).start();
  await linkEngines(people.ann, desktop);
  const bytes = randomBytes(90_000);
  await sendFiles(people.ann, people.chat, [{ bytes, name: 'a.png', mediaType: 'image/png' }], 'Look');
  const message = await people.newest(desktop, ({ state }) => state === 'here');
  expect(message).toMatchObject({ text: 'Look', kind: 'attachment', state: 'sent' });
  expect((await bytesOf(desktop, message.id)).equals(bytes)).toBe(true);
});

test('a file that the relay has deleted is forwarded from the copy here, or refused without one', async () => {
  await using hostile = await HostileRelay.start();
  await using people = await FileChat.start(hostile.url);
  const { ann, ben, chat } = people;
  const bytes = randomBytes(150_000);
  const { id: sent } = await sendFiles(ann, chat, [{ bytes, ...PDF }]);
  const { id: received } = await people.newest(ben, ({ state }) => state === 'remote');
  // Its answer to adopting a blob that it does not know.
  hostile.babble(
    (path) => path.endsWith('/adopt'),
    async (request, response) => {
      const { authorization = '' } = request.headers;
      const unknown = `/api/v1/blobs/${randomBytes(16).toString('base64url')}/adopt`;
      const answer = await fetch(hostile.relay.url + unknown, { method: 'POST', headers: { authorization } });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    },
  );
  const [own] = await callEngine(ben, 'conversations.list', {});
  const fromBen = callEngine(ben, 'messages.forward', { ids: [received], to: [own?.id ?? ''] });
  await expect(fromBen).rejects.toMatchObject({ code: 'file_gone' });

  await callEngine(ann, 'messages.forward', { ids: [sent], to: [chat] });
  const { id } = await people.newest(ben, ({ state }, { forwarded }) => forwarded && state === 'remote');
  // Another blob, under a key of its own: no part of its bytes is the same.
  expect([storedFiles(hostile.relay).length, namesOnDisk(ann).length]).toEqual([2, 2]);
  const [first, second] = namesOnDisk(ann).map((name) => readFileSync(join(ann.folder.path, 'files', name)));
  const chunk = 65_552;
  for (let at = 0; at < (first?.length ?? 0); at += chunk)
    expect(second?.includes(first?.subarray(at, at + chunk) ?? '')).toBe(false);
  await callEngine(ben, 'files.download', { messageId: id, index: 0 });
  await people.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, id)).equals(bytes)).toBe(true);
});
