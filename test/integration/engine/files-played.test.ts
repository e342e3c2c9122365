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

const newFilm = (size = SIZE) => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), randomBytes(size - 4)]);

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

/** A relay that sends two chunks of each answer, and the rest when the test permits it. */
class DelayedBlobs {
  /** Requested blobs by their numbers of chunks. */
  readonly requests: string[] = [];
  readonly #rests = new Map<string, () => void>();

  constructor() {
    hostile.babble(isDownload, async (request, response) => {
      const blob = await trueBytes(hostile, request);
      const name = `${Math.floor(blob.length / CHUNK)}`;
      const [, first = '0'] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      this.requests.push(name);
      const range = `bytes ${first}-${blob.length - 1}/${blob.length}`;
      response.writeHead(first === '0' ? 200 : 206, {
        'content-type': 'application/octet-stream',
        ...(first !== '0' && { 'content-range': range }),
      });
      response.write(blob.subarray(Number(first), Number(first) + 2 * CHUNK));
      this.#rests.set(name, () => response.end(blob.subarray(Number(first) + 2 * CHUNK)));
    });
  }

  end(name: string): void {
    this.#rests.get(name)?.();
  }

  async requested(count: number): Promise<void> {
    await eventually(
      async () => this.requests.length,
      (length) => length === count,
    );
  }
}

/** Documents of 4, 8 and 12 chunks. */
const newDocuments = (count: number) =>
  [4, 8, 12].slice(0, count).map((size) => randomBytes(size * PLAIN_CHUNK));
const PDF = { name: 'document.pdf', mediaType: 'application/pdf' };

async function remoteFiles(all: readonly Buffer[], about: typeof WEBM): Promise<FilePlace[]> {
  const places: FilePlace[] = [];
  for (const bytes of all) places.push(await remoteFile(bytes, about));
  return places;
}

async function statesOf(places: readonly FilePlace[]) {
  const { ben } = people;
  const [conversation] = await callEngine(ben, 'conversations.list', {});
  const conversationId = conversation?.id ?? '';
  const { messages } = await callEngine(ben, 'messages.list', { conversationId, limit: 50 });
  return places.map(({ messageId }) => messages.find(({ id }) => id === messageId)?.files[0]?.state);
}

test('a film that is played is downloaded before other files, which continue after it', async () => {
  const { ben } = people;
  const documents = newDocuments(3);
  const others = await remoteFiles(documents, PDF);
  const film = newFilm();
  const played = await remoteFile(film);
  const relay = new DelayedBlobs();

  for (const place of others) await callEngine(ben, 'files.download', place);
  await relay.requested(2);
  await callEngine(ben, 'files.download', played);
  const { path } = await callEngine(ben, 'files.open', played);
  expect(relay.requests.toSpliced(2).sort()).toEqual(['4', '8']);
  expect(relay.requests.slice(2)).toEqual(['40']);
  // Both places are free, and only the film is fetched.
  expect((await read(path, 0, PLAIN_CHUNK)).equals(film.subarray(0, PLAIN_CHUNK))).toBe(true);
  expect(relay.requests).toHaveLength(3);
  expect(await statesOf([...others, played])).toEqual(['receiving', 'receiving', 'receiving', 'receiving']);

  relay.end('40');
  expect((await read(path, 0, SIZE)).equals(film)).toBe(true);
  await relay.requested(5);
  expect(relay.requests.slice(3).sort()).toEqual(['4', '8']);
  relay.end('4');
  await relay.requested(6);
  expect(relay.requests.at(-1)).toBe('12');
  relay.end('8');
  relay.end('12');
  await eventually(
    () => statesOf([...others, played]),
    (all) => all.every((state) => state === 'here'),
  );
  for (const [index, { messageId }] of others.entries())
    expect((await bytesOf(ben, messageId)).equals(documents[index] ?? Buffer.alloc(0))).toBe(true);
});

test('films that are played at once are downloaded beside each other, and other files after both', async () => {
  const { ben } = people;
  const others = await remoteFiles(newDocuments(1), PDF);
  const films = [newFilm(), newFilm(44 * PLAIN_CHUNK)];
  const played = await remoteFiles(films, WEBM);
  const relay = new DelayedBlobs();
  for (const place of others) await callEngine(ben, 'files.download', place);
  await relay.requested(1);
  const paths: string[] = [];
  for (const place of played) {
    await callEngine(ben, 'files.download', place);
    paths.push((await callEngine(ben, 'files.open', place)).path);
  }
  for (const _ of [1, 2, 3])
    for (const path of paths) expect(await read(path, 0, PLAIN_CHUNK)).toHaveLength(PLAIN_CHUNK);
  expect(relay.requests).toEqual(['4', '40', '44']);
  relay.end('40');
  expect(await read(paths[0] ?? '', 0, SIZE)).toHaveLength(SIZE);
  await eventually(
    () => statesOf(played),
    ([state]) => state === 'here',
  );
  await callEngine(ben, 'connection.retry', {});
  expect(await read(paths[1] ?? '', 0, PLAIN_CHUNK)).toHaveLength(PLAIN_CHUNK);
  expect(relay.requests).toEqual(['4', '40', '44']);
  relay.end('44');
  await relay.requested(4);
  relay.end('4');
  await eventually(
    () => statesOf([...played, ...others]),
    (all) => all.every((state) => state === 'here'),
  );
  expect(relay.requests).toEqual(['4', '40', '44', '4']);
});

test('of five films that are played at once, the one that was read first waits until it is read again', async () => {
  const { ben } = people;
  const played = await remoteFiles(
    [40, 41, 42, 43, 44].map((chunks) => newFilm(chunks * PLAIN_CHUNK)),
    WEBM,
  );
  const relay = new DelayedBlobs();
  const paths: string[] = [];
  for (const place of played) {
    await callEngine(ben, 'files.download', place);
    paths.push((await callEngine(ben, 'files.open', place)).path);
  }
  expect(relay.requests).toEqual(['40', '41', '42', '43', '44']);
  expect(await read(paths[0] ?? '', 0, PLAIN_CHUNK)).toHaveLength(PLAIN_CHUNK);
  await relay.requested(6);
  expect(relay.requests.at(-1)).toBe('40');
  for (const place of played) await callEngine(ben, 'files.stop', place);
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
