/** Deleting chats and locking apps during a file transfer. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { callEngine, eventually, temporaryFolder } from '../../support/engine.ts';
import { FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';

const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };
const OCTETS = { 'content-type': 'application/octet-stream' };

let hostile: HostileRelay;
let people: FileChat;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  people = await FileChat.start(hostile.url);
});
afterEach(() => hostile.answerTruthfully());
afterAll(async () => {
  await people[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

/** Never answers uploads of parts. */
function holdUploads(): Promise<unknown> {
  hostile.babble(
    (path, method) => method === 'PUT' && path.includes('/parts/'),
    () => undefined,
  );
  return hostile.nextRequest(({ method, path }) => method === 'PUT' && path.includes('/parts/'));
}

/** Waits until no file is on the disk of an engine. */
const untilEmpty = (engine: FileChat['ann']) =>
  eventually(
    async () => namesOnDisk(engine),
    ({ length }) => length === 0,
  );

test('locking while a file is saved leaves no plain copy that is not complete', async () => {
  using target = temporaryFolder();
  const { ann, chat } = people;
  void holdUploads();
  const { id } = await sendFiles(ann, chat, [{ bytes: randomBytes(12_000_000), ...PDF }]);
  const saved = ann.handle.exportFile({ messageId: id, index: 0 }, join(target.path, 'report.pdf'));
  while (readdirSync(target.path).length === 0) await setImmediate();
  await ann.close();
  const { ok } = await saved;
  expect(readdirSync(target.path)).toEqual(ok ? ['report.pdf'] : []);
  await ann.start();
  await callEngine(ann, 'messages.delete', { ids: [id], forEveryone: false });
  await untilEmpty(ann);
});

test('small files are downloaded before large ones that wait', async () => {
  const { ann, ben, chat } = people;
  const sizes = [400_000, 300_000, 200_000, 10_000];
  const files = sizes.map((size) => ({ bytes: randomBytes(size), ...PDF }));
  await sendFiles(ann, chat, files);
  const { id } = await people.newest(ben, ({ state }) => state === 'remote');
  const delayed: (() => void)[] = [];
  hostile.babble(
    (path, method) => method === 'GET' && path.includes('/blobs/'),
    async (request, response) => {
      const answer = await fetch(hostile.relay.url + request.url, {
        headers: { authorization: request.headers.authorization ?? '' },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      delayed.push(() => {
        response.writeHead(200, OCTETS);
        response.end(bytes);
      });
    },
  );
  const arrived = async () => {
    const { files: all } = await people.newest(ben, () => true);
    return all.flatMap(({ state, size }) => (state === 'here' ? [size] : []));
  };
  const untilDelayed = (count: number) =>
    eventually(
      async () => delayed.length,
      (length) => length === count,
    );
  for (const index of [0, 1]) await callEngine(ben, 'files.download', { messageId: id, index });
  await untilDelayed(2);
  for (const index of [2, 3]) await callEngine(ben, 'files.download', { messageId: id, index });
  // One slot becomes free: the smallest waiting file is next.
  delayed[0]?.();
  await untilDelayed(3);
  delayed[2]?.();
  await untilDelayed(4);
  const first = await eventually(arrived, ({ length }) => length === 2);
  expect(first).toContain(10_000);
  delayed[1]?.();
  delayed[3]?.();
  await eventually(arrived, ({ length }) => length === 4);
});

test('deleting a chat during its transfers leaves nothing on the disks or at the relay', async () => {
  const { ann, ben, chat } = people;
  const bytes = randomBytes(500_000);
  await sendFiles(ann, chat, [{ bytes, ...PDF }], 'To download');
  const { id, conversationId } = await people.newest(
    ben,
    ({ state }, { text }) => state === 'remote' && text === 'To download',
  );
  hostile.babble(
    (path, method) => method === 'GET' && path.includes('/blobs/'),
    (_, response) => {
      response.writeHead(200, OCTETS);
      response.write(randomBytes(100));
    },
  );
  const begun = hostile.nextRequest(({ method, path }) => method === 'GET' && path.includes('/blobs/'));
  await callEngine(ben, 'files.download', { messageId: id, index: 0 });
  await begun;
  await callEngine(ben, 'conversations.delete', { id: conversationId });
  await untilEmpty(ben);

  const stored = () => hostile.relay.rows<object>('SELECT id FROM blob');
  const before = (await stored()).length;
  const uploading = holdUploads();
  await sendFiles(ann, chat, [{ bytes, ...PDF }], 'To upload');
  await uploading;
  expect(await stored()).toHaveLength(before + 1);
  await callEngine(ann, 'conversations.delete', { id: chat });
  await untilEmpty(ann);
  await eventually(stored, ({ length }) => length === before);
  expect(await callEngine(ann, 'conversations.list', {})).toEqual([]);
});
