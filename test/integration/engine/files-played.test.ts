/** C11: sounds and films that are played while they are downloaded. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FilePlace } from '../../../src/bridge/files.ts';
import { answerFile } from '../../../src/host/file-answers.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat, isDownload, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { CHUNK, trueBytes } from './files-hostile.ts';

const PLAIN_CHUNK = 65_536;
const WEBM = { name: 'film.webm', mediaType: 'video/webm' };
const [SIZE, CHUNKS] = [40 * PLAIN_CHUNK, 40];

let hostile: HostileRelay;
let people: FileChat;
/** The app of ben. */
let clocked: ClockedEngine;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  clocked = new ClockedEngine(hostile.url);
  people = await new FileChat<LocalEngine>(new LocalEngine(hostile.url), clocked).start();
});
afterAll(async () => {
  await people[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

/** A relay that sends as many chunks as the test permits. */
class SlowBlobs {
  /** Ranges of the requests. */
  readonly ranges: (string | undefined)[] = [];
  #permitted = 0;
  #wake = Promise.withResolvers<void>();

  /** @param change of the blob */
  constructor(change: (blob: Buffer) => Buffer = (blob) => blob) {
    hostile.babble(isDownload, async (request, response) => {
      const { range } = request.headers;
      const place = this.ranges.push(range);
      const blob = change(await trueBytes(hostile, request));
      const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
      const end = last === '' ? blob.length : Number(last) + 1;
      response.writeHead(range === undefined ? 200 : 206, {
        'content-type': 'application/octet-stream',
        ...(range !== undefined && { 'content-range': `bytes ${first}-${end - 1}/${blob.length}` }),
      });
      for (let at = Number(first); at < end; at += CHUNK) {
        while (this.#permitted === 0) await this.#wake.promise;
        // Its client has left it for a later request.
        if (place < this.ranges.length) return;
        this.#permitted--;
        response.write(blob.subarray(at, Math.min(end, at + CHUNK)));
      }
      response.end();
    });
  }

  permit(chunks: number): void {
    this.#permitted += chunks;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

/** Sends a file to ben, whose download begins. */
async function beginDownload(bytes: Buffer, about = WEBM): Promise<FilePlace> {
  const place = await remoteFile(bytes, about);
  await callEngine(people.ben, 'files.download', place);
  return place;
}

const newFilm = () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), randomBytes(SIZE - 4)]);

/** The bytes of a range, as a page reads them. */
async function read(path: string, from: number, to: number): Promise<Buffer> {
  const { status, body } = await answerFile(people.ben.handle, 'GET', path, `bytes=${from}-${to - 1}`);
  expect(status).toBe(206);
  return body ? buffer(body) : Buffer.alloc(0);
}

test('C11: the verified chunks of a film are read during its download, and the requested place is fetched next', async () => {
  const { ben } = people;
  const relay = new SlowBlobs();
  const film = newFilm();
  const place = await beginDownload(film);
  const opening = callEngine(ben, 'files.open', place);
  relay.permit(1);
  const { path, mediaType, size } = await opening;
  expect([mediaType, size]).toEqual(['video/webm', SIZE]);
  const begin = read(path, 0, 100_000);
  relay.permit(1);
  expect((await begin).equals(film.subarray(0, 100_000))).toBe(true);

  const [from, to] = [30 * PLAIN_CHUNK + 5, 31 * PLAIN_CHUNK + 5];
  const later = read(path, from, to);
  // A request has eight chunks at least.
  relay.permit(6);
  await eventually(
    async () => relay.ranges.length,
    (count) => count === 2,
  );
  relay.permit(2);
  expect((await later).equals(film.subarray(from, to))).toBe(true);
  expect((await people.newest(ben, () => true)).files[0]?.state).toBe('receiving');
  expect(relay.ranges).toEqual([undefined, `bytes=${30 * CHUNK}-`]);

  const whole = read(path, 0, SIZE);
  relay.permit(CHUNKS);
  expect((await whole).equals(film)).toBe(true);
  await people.newest(ben, ({ state, problem }) => state === 'here' && problem === null);
  expect((await bytesOf(ben, place.messageId)).equals(film)).toBe(true);
  expect(relay.ranges.slice(2)).toEqual([`bytes=${8 * CHUNK}-${30 * CHUNK - 1}`]);
  expect(namesOnDisk(ben).filter((name) => !/^\d+$/.test(name))).toEqual([]);
});

test.each([
  [
    'with a changed chunk in the middle',
    10,
    (blob: Buffer) => {
      const copy = Buffer.from(blob);
      copy[10 * CHUNK + 7] = (copy[10 * CHUNK + 7] ?? 0) ^ 1;
      return copy;
    },
  ],
  [
    'with two chunks swapped in the middle',
    10,
    (blob: Buffer) =>
      Buffer.concat([
        blob.subarray(0, 10 * CHUNK),
        blob.subarray(11 * CHUNK, 12 * CHUNK),
        blob.subarray(10 * CHUNK, 11 * CHUNK),
        blob.subarray(12 * CHUNK),
      ]),
  ],
])(
  'C11: a film %s plays up to there, the rest is refused, and nothing stays on the disk',
  async (_, good, change) => {
    const { ben } = people;
    const before = namesOnDisk(ben);
    const relay = new SlowBlobs(change);
    const film = newFilm();
    const place = await beginDownload(film);
    relay.permit(good);
    const { path } = await callEngine(ben, 'files.open', place);
    const played = film.subarray(0, good * PLAIN_CHUNK);
    expect((await read(path, 0, played.length)).equals(played)).toBe(true);
    const rest = read(path, played.length, SIZE).catch((error: unknown) => error);
    relay.permit(2 * CHUNKS);
    expect(await rest).toBeInstanceOf(Error);
    const { files } = await people.newest(ben, ({ problem }) => problem !== null);
    expect([files[0]?.state, files[0]?.problem?.code]).toEqual(['remote', 'file_not_as_sent']);
    expect(namesOnDisk(ben)).toEqual(before);
    expect((await answerFile(ben.handle, 'GET', path, 'bytes=0-9')).status).toBe(404);
  },
);

test('a download that was canceled behind a gap continues with the missing chunks alone', async () => {
  const { ben } = people;
  const relay = new SlowBlobs();
  const film = newFilm();
  const place = await beginDownload(film);
  relay.permit(1);
  const { path } = await callEngine(ben, 'files.open', place);
  const from = 30 * PLAIN_CHUNK;
  const later = read(path, from, from + 10);
  relay.permit(7);
  await eventually(
    async () => relay.ranges.length,
    (count) => count === 2,
  );
  relay.permit(1);
  expect((await later).equals(film.subarray(from, from + 10))).toBe(true);
  await callEngine(ben, 'files.stop', place);
  await people.newest(ben, ({ state }) => state === 'remote');
  const again = new SlowBlobs();
  again.permit(CHUNKS);
  await callEngine(ben, 'files.download', place);
  await people.newest(ben, ({ state }) => state === 'here');
  expect(again.ranges).toEqual([`bytes=${8 * CHUNK}-${30 * CHUNK - 1}`, `bytes=${31 * CHUNK}-`]);
  expect((await bytesOf(ben, place.messageId)).equals(film)).toBe(true);
});

/** A file at the relay, in a message to ben. */
async function remoteFile(bytes: Buffer, about = WEBM): Promise<FilePlace> {
  const { ann, ben, chat } = people;
  const sent = await sendFiles(ann, chat, [{ bytes, ...about }], randomBytes(6).toString('hex'));
  const { id } = await people.newest(ben, ({ state }, { text }) => state === 'remote' && text === sent.text);
  return { messageId: id, index: 0 };
}

test('a film that is played is downloaded before other files, which continue after it', async () => {
  const { ben } = people;
  const documents = [1, 2, 3].map((number) => ({
    about: { name: `${number}.pdf`, mediaType: 'application/pdf' },
    bytes: randomBytes(number * 4 * PLAIN_CHUNK),
  }));
  const others: FilePlace[] = [];
  for (const { about, bytes } of documents) others.push(await remoteFile(bytes, about));
  const film = newFilm();
  const played = await remoteFile(film);

  /** Requests, and the rests of their answers, by the number of chunks. */
  const requests: string[] = [];
  const held = new Map<string, () => void>();
  hostile.babble(isDownload, async (request, response) => {
    const blob = await trueBytes(hostile, request);
    const name = `${Math.floor(blob.length / CHUNK)}`;
    const [, first = '0'] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
    requests.push(name);
    const range = `bytes ${first}-${blob.length - 1}/${blob.length}`;
    response.writeHead(first === '0' ? 200 : 206, {
      'content-type': 'application/octet-stream',
      ...(first !== '0' && { 'content-range': range }),
    });
    response.write(blob.subarray(Number(first), Number(first) + 2 * CHUNK));
    held.set(name, () => response.end(blob.subarray(Number(first) + 2 * CHUNK)));
  });
  const requested = (count: number) =>
    eventually(
      async () => requests.length,
      (length) => length === count,
    );
  const states = async () => {
    const { messages } = await callEngine(ben, 'messages.list', {
      conversationId: (await callEngine(ben, 'conversations.list', {}))[0]?.id ?? '',
      limit: 50,
    });
    return [...others, played].map(
      ({ messageId }) => messages.find(({ id }) => id === messageId)?.files[0]?.state,
    );
  };

  for (const place of others) await callEngine(ben, 'files.download', place);
  await requested(2);
  await callEngine(ben, 'files.download', played);
  const { path } = await callEngine(ben, 'files.open', played);
  expect(requests.toSpliced(2).sort()).toEqual(['4', '8']);
  expect(requests.slice(2)).toEqual(['40']);
  // Both places are free, and only the film is fetched.
  expect((await read(path, 0, PLAIN_CHUNK)).equals(film.subarray(0, PLAIN_CHUNK))).toBe(true);
  expect(requests).toHaveLength(3);
  expect(await states()).toEqual(['receiving', 'receiving', 'receiving', 'receiving']);

  held.get('40')?.();
  expect((await read(path, 0, SIZE)).equals(film)).toBe(true);
  await requested(5);
  expect(requests.slice(3).sort()).toEqual(['4', '8']);
  held.get('4')?.();
  await requested(6);
  expect(requests.at(-1)).toBe('12');
  held.get('8')?.();
  held.get('12')?.();
  await eventually(states, (all) => all.every((state) => state === 'here'));
  for (const [index, { messageId }] of others.entries())
    expect((await bytesOf(ben, messageId)).equals(documents[index]?.bytes ?? Buffer.alloc(0))).toBe(true);
});

test.each([
  ['that was not read for half a minute', 31_000],
  ['after the clock was set back', -3_600_000],
])('other files continue beside a film %s', async (_, milliseconds) => {
  const { ben } = people;
  const relay = new SlowBlobs();
  const played = await beginDownload(newFilm());
  relay.permit(1);
  const { path } = await callEngine(ben, 'files.open', played);
  expect((await read(path, 0, 10)).length).toBe(10);
  const other = await remoteFile(randomBytes(PLAIN_CHUNK), { name: '1.pdf', mediaType: 'application/pdf' });
  await callEngine(ben, 'files.download', other);
  await callEngine(ben, 'connection.retry', {});
  expect(relay.ranges).toHaveLength(1);
  clocked.ahead += milliseconds;
  await callEngine(ben, 'connection.retry', {});
  await eventually(
    async () => relay.ranges.length,
    (count) => count === 2,
  );
  // The film would continue from its place.
  expect(relay.ranges).toEqual([undefined, undefined]);
  await callEngine(ben, 'files.stop', played);
  await callEngine(ben, 'files.stop', other);
  // Later tests need a clock that is not behind the planned times.
  if (milliseconds < 0) clocked.ahead -= milliseconds;
});

test('C11: canceling a download ends the readers that wait for its bytes', async () => {
  const { ben } = people;
  const relay = new SlowBlobs();
  const place = await beginDownload(newFilm());
  relay.permit(2);
  const { path } = await callEngine(ben, 'files.open', place);
  const waiting = read(path, 20 * PLAIN_CHUNK, SIZE).catch((error: unknown) => error);
  await callEngine(ben, 'files.stop', place);
  expect(await waiting).toBeInstanceOf(Error);
  expect((await answerFile(ben.handle, 'GET', path, 'bytes=0-9')).status).toBe(404);
  await expect(callEngine(ben, 'files.open', place)).rejects.toMatchObject({ code: 'file_missing' });
});

test('C11: a film that is played during its download is not readable after its person is blocked', async () => {
  const { ben } = people;
  const relay = new SlowBlobs();
  const place = await beginDownload(newFilm());
  relay.permit(2);
  const { path } = await callEngine(ben, 'files.open', place);
  expect((await read(path, 0, 10)).length).toBe(10);
  const [conversation] = await callEngine(ben, 'conversations.list', {});
  const id = conversation?.id ?? '';
  await callEngine(ben, 'conversations.block', { id });
  const { status } = await answerFile(ben.handle, 'GET', path, 'bytes=0-9');
  await callEngine(ben, 'conversations.unblock', { id });
  await callEngine(ben, 'files.stop', place);
  expect(status).toBe(404);
});

test('C11: only sounds and films by claim and first bytes are read before they are complete', async () => {
  const { ben } = people;
  const relay = new SlowBlobs();
  const document = await beginDownload(newFilm(), { name: 'film.pdf', mediaType: 'application/pdf' });
  await expect(callEngine(ben, 'files.open', document)).rejects.toMatchObject({ code: 'file_missing' });
  relay.permit(CHUNKS + 10);
  await people.newest(ben, ({ state }) => state === 'here');

  const other = new SlowBlobs();
  const page = Buffer.concat([Buffer.from('<html>'), randomBytes(SIZE)]);
  const claimed = await beginDownload(page);
  other.permit(3);
  const { path, mediaType } = await callEngine(ben, 'files.open', claimed);
  expect(mediaType).toBe('application/octet-stream');
  expect((await answerFile(ben.handle, 'GET', path, 'bytes=0-9')).status).toBe(404);
  await callEngine(ben, 'files.stop', claimed);
  other.permit(CHUNKS + 10);
  await eventually(
    async () => (await people.newest(ben, () => true)).files[0]?.state,
    (state) => state === 'remote',
  );
});
