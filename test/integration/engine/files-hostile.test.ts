/** C11: downloads from a relay that lies about a blob, and claims of senders about their files. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat, isDownload, namesOnDisk, newestMessages } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { directBody, forge, targetOf } from '../../support/hostile-relay/forgery.ts';
import { newHonest } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../support/person.ts';
import { TestBlob, uploadBlob } from '../../support/test-blob.ts';
import { CHUNK, OCTETS, trueBytes, written } from './files-hostile.ts';

/** Changes of a blob. Without a length in the answer, the blob ends with the connection. */
const LIES: [string, (blob: Buffer) => Buffer][] = [
  ['another blob of the same length', (blob) => randomBytes(blob.length)],
  [
    'two chunks swapped',
    (blob) =>
      Buffer.concat([blob.subarray(CHUNK, 2 * CHUNK), blob.subarray(0, CHUNK), blob.subarray(2 * CHUNK)]),
  ],
  [
    'a chunk repeated',
    (blob) => Buffer.concat([blob.subarray(0, CHUNK), blob.subarray(0, CHUNK), blob.subarray(2 * CHUNK)]),
  ],
  [
    'one bit in the padding changed',
    (blob) => {
      const copy = Buffer.from(blob);
      copy[copy.length - 20] = (copy[copy.length - 20] ?? 0) ^ 1;
      return copy;
    },
  ],
  ['bytes behind the end', (blob) => Buffer.concat([blob, randomBytes(CHUNK)])],
];

test('C11: a blob that is not the sent one is refused and leaves nothing on the disk', async () => {
  await using hostile = await HostileRelay.start();
  await using people = await FileChat.start(hostile.url);
  const { ann, ben } = people;
  const bytes = randomBytes(200_000);
  await sendFiles(ann, people.chat, [{ bytes, name: 'report.pdf', mediaType: 'application/pdf' }]);
  const { id } = await people.newest(ben, ({ state }) => state === 'remote');
  const place = { messageId: id, index: 0 };
  for (const [lie, change] of LIES) {
    let answers = 0;
    hostile.babble(isDownload, async (request, response) => {
      answers += 1;
      response.writeHead(200, OCTETS);
      response.end(change(await trueBytes(hostile, request)));
    });
    await callEngine(ben, 'files.download', place);
    const { files } = await people.newest(ben, ({ problem }) => problem !== null);
    expect([lie, files[0]?.state, files[0]?.problem?.code]).toEqual([lie, 'remote', 'file_not_as_sent']);
    // One more download from the start, and no further one.
    expect([lie, answers, namesOnDisk(ben)]).toEqual([lie, 2, []]);
    await expect(callEngine(ben, 'files.open', place)).rejects.toMatchObject({ code: 'file_missing' });
  }
  hostile.babble(
    () => false,
    () => undefined,
  );
  await callEngine(ben, 'files.download', place);
  await people.newest(ben, ({ state, problem }) => state === 'here' && problem === null);
  expect((await bytesOf(ben, id)).equals(bytes)).toBe(true);
});

/** A body with files, of a stranger. */
function bodyWith(from: string, to: string, files: readonly object[]) {
  return { ...directBody(from, to, ''), kind: 'attachment', files, fallback: 'Files' };
}

test('C11: false sizes, digests and repeated keys of a sender fail separately; accepting downloads the valid files', async () => {
  await using hostile = await HostileRelay.start();
  const { engine: ben, address } = await newHonest(hostile, 'ben');
  const dora = await newPerson(hostile.relay);
  const target = await targetOf(hostile, dora.token, address);
  const blob = await uploadBlob(hostile.relay, dora.token, new TestBlob(90_000));
  const [key, digest] = [encodeBase64Url(blob.key), encodeBase64Url(blob.digest)];
  const about = { mediaType: 'image/png', name: 'a.png' };
  const other = encodeBase64Url(randomBytes(32));
  const files = [
    { key, digest, size: 90_000, ...about },
    { key, digest: other, size: 90_000, ...about },
    { key, digest, size: 50_000, ...about },
    { key, digest, size: 0, ...about },
    { key, digest, size: 2_113_929_216, ...about },
    { key: other, digest, size: 90_000, ...about },
    { key, digest, size: 90_000, ...about, name: 'twice.png' },
  ];
  const body = bodyWith(dora.address, target.address, files);
  hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  await callEngine(ben, 'connection.retry', {});
  const states = async () =>
    (await newestMessages(ben)).at(-1)?.files.map(({ state, problem }) => problem?.code ?? state) ?? [];
  await eventually(states, ({ length }) => length === files.length);
  // A request: nothing is downloaded before the person accepts it.
  expect(new Set(await states())).toEqual(new Set(['remote']));
  expect(hostile.requests.some(({ path }) => path.includes('/blobs/'))).toBe(false);
  const [request] = await callEngine(ben, 'conversations.list', {});
  await callEngine(ben, 'conversations.accept', { id: request?.id ?? '' });
  const ended = await eventually(states, (all) => all.every((state) => state !== 'receiving'));
  expect(ended).toEqual([
    'here',
    ...['file_not_as_sent', 'file_not_as_sent', 'file_not_as_sent'],
    // Too long for a download without a request.
    'remote',
    'file_gone',
    'here',
  ]);
  const [message] = await newestMessages(ben);
  expect((await bytesOf(ben, message?.id ?? '')).equals(blob.file)).toBe(true);
  expect(namesOnDisk(ben)).toHaveLength(1);
});

test('C11: the files of a stranger draw on their budget, and none is downloaded', async () => {
  await using hostile = await HostileRelay.start();
  const { engine: ben, address } = await newHonest(hostile, 'ben');
  const dora = await newPerson(hostile.relay);
  const target = await targetOf(hostile, dora.token, address);
  const newFile = () => ({
    ...{ key: encodeBase64Url(randomBytes(32)), digest: encodeBase64Url(randomBytes(32)) },
    ...{ size: 0, mediaType: 'image/png', name: 'a' },
  });
  for (let count = 0; count < 2_000; count += 10) {
    const body = bodyWith(dora.address, target.address, Array.from({ length: 10 }, newFile));
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  }
  await callEngine(ben, 'connection.retry', {});
  await eventually(
    async () => hostile.unacknowledged(target.deviceId),
    (left) => left === 0,
  );
  const [chat] = await callEngine(ben, 'conversations.list', {});
  const page = { conversationId: chat?.id ?? '', limit: 200 };
  const { messages, hasOlder } = await callEngine(ben, 'messages.list', page);
  const count = messages.reduce((sum, { files }) => sum + files.length, 0);
  expect(hasOlder).toBe(false);
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(1_000);
  expect(namesOnDisk(ben)).toEqual([]);
  expect(hostile.requests.some(({ path }) => path.includes('/blobs/'))).toBe(false);
});

test.each([
  ['canceled by the person', 'files.stop'],
  ['of a person who is then blocked', 'conversations.block'],
] as const)('an automatic download %s leaves nothing on the disk', async (_end, call) => {
  await using hostile = await HostileRelay.start();
  await using people = await FileChat.start(hostile.url);
  const { ann, ben, chat } = people;
  hostile.babble(isDownload, async (request, response) => {
    const blob = await trueBytes(hostile, request);
    response.writeHead(200, OCTETS);
    response.write(blob.subarray(0, CHUNK));
  });
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(200_000)]);
  await sendFiles(ann, chat, [{ bytes, name: 'a.png', mediaType: 'image/png' }]);
  const { id, conversationId } = await people.newest(ben, ({ state }) => state === 'receiving');
  await written(ben, CHUNK);
  if (call === 'files.stop') await callEngine(ben, call, { messageId: id, index: 0 });
  else await callEngine(ben, call, { id: conversationId });
  await eventually(
    async () => namesOnDisk(ben),
    ({ length }) => length === 0,
  );
});
