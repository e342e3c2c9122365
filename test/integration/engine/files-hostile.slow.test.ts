/** C11: downloads from a relay that lies about a blob, and claims of senders about their files. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat, isDownload, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { CHUNK, OCTETS, trueBytes, written } from './files-hostile.ts';

test('a stalled download can be stopped, survives locking, and continues from its place', async () => {
  await using hostile = await HostileRelay.start();
  await using people = await FileChat.start(hostile.url);
  const { ann, ben } = people;
  const bytes = randomBytes(1_000_000);
  await sendFiles(ann, people.chat, [{ bytes, name: 'report.pdf', mediaType: 'application/pdf' }]);
  const { id } = await people.newest(ben, ({ state }) => state === 'remote');
  const place = { messageId: id, index: 0 };
  const ranges: (string | undefined)[] = [];
  /** Sends some bytes of the requested file, and then nothing. */
  const half = async (request: IncomingMessage, response: ServerResponse) => {
    const { range } = request.headers;
    ranges.push(range);
    const from = Number(/\d+/.exec(range ?? '0')?.[0]);
    const blob = await trueBytes(hostile, request);
    const last = { 'content-range': `bytes ${from}-${blob.length - 1}/${blob.length}` };
    response.writeHead(range ? 206 : 200, { ...OCTETS, ...(range && last) });
    response.write(blob.subarray(from, from + 4 * CHUNK));
  };
  hostile.babble(isDownload, half);
  await callEngine(ben, 'files.download', place);
  await written(ben, 4 * CHUNK);
  await callEngine(ben, 'files.stop', place);
  await people.newest(ben, ({ state, problem }) => state === 'remote' && problem === null);

  await callEngine(ben, 'files.download', place);
  await written(ben, 8 * CHUNK);
  await ben.close();
  hostile.babble(isDownload, async (request, response) => {
    ranges.push(request.headers.range);
    const answer = await fetch(hostile.relay.url + request.url, {
      headers: { authorization: request.headers.authorization ?? '', range: request.headers.range ?? '' },
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await ben.start();
  await people.newest(ben, ({ state }) => state === 'here');
  // A place may be requested twice.
  expect([...new Set(ranges)]).toEqual([undefined, `bytes=${4 * CHUNK}-`, `bytes=${8 * CHUNK}-`]);
  expect((await bytesOf(ben, id)).equals(bytes)).toBe(true);
  expect(namesOnDisk(ben)).toHaveLength(1);
});

test('a message deleted during its download leaves nothing on the disk', async () => {
  await using hostile = await HostileRelay.start();
  await using people = await FileChat.start(hostile.url);
  const { ann, ben } = people;
  const bytes = randomBytes(1_000_000);
  await sendFiles(ann, people.chat, [{ bytes, name: 'report.pdf', mediaType: 'application/pdf' }]);
  const { id } = await people.newest(ben, ({ state }) => state === 'remote');
  hostile.babble(isDownload, async (request, response) => {
    response.writeHead(200, OCTETS);
    response.write((await trueBytes(hostile, request)).subarray(0, 4 * CHUNK));
  });
  await callEngine(ben, 'files.download', { messageId: id, index: 0 });
  await written(ben, 4 * CHUNK);
  expect(namesOnDisk(ben)).toHaveLength(1);
  await callEngine(ben, 'messages.delete', { ids: [id], forEveryone: false });
  await eventually(
    async () => namesOnDisk(ben),
    ({ length }) => length === 0,
  );
});
