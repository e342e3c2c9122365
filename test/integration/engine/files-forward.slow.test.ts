/** Files that are forwarded, and on the sender's other computer. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, linkEngines } from '../../support/engine.ts';
import { bytesOf, FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { storedFiles } from '../../support/test-blob.ts';
import { PDF } from './files-forward.ts';

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

test('a file that the relay has deleted is forwarded from the copy here, or not at all', async () => {
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
  // Another blob, under its own key: no part of its bytes is the same.
  expect([storedFiles(hostile.relay).length, namesOnDisk(ann).length]).toEqual([2, 2]);
  const [first, second] = namesOnDisk(ann).map((name) => readFileSync(join(ann.folder.path, 'files', name)));
  const chunk = 65_552;
  for (let at = 0; at < (first?.length ?? 0); at += chunk)
    expect(second?.includes(first?.subarray(at, at + chunk) ?? '')).toBe(false);
  await callEngine(ben, 'files.download', { messageId: id, index: 0 });
  await people.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, id)).equals(bytes)).toBe(true);
});
