/** Answers to a page's requests for the bytes of files. */
import { expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { FILE_PIECE_BYTES } from '../../../src/bridge/files.ts';
import type { FileAccess } from '../../../src/engine/start.ts';
import { answerFile, answerPiece, type FileAnswer, isFilePath } from '../../../src/host/file-answers.ts';

const ADDRESS = 'A'.repeat(22);
const PATH = `/files/${ADDRESS}`;
const BYTES = Uint8Array.from({ length: 1_300_000 }, (_, index) => index % 251);

/** An engine with one file. `written` has the pieces that arrive. */
class OneFile implements FileAccess {
  readonly written: [string, number, number][] = [];
  readonly #about: { mediaType: string; name: string };

  constructor(mediaType = 'image/png', name = 'Bridge.png') {
    this.#about = { mediaType, name };
  }

  writeFile: FileAccess['writeFile'] = async (address, offset, bytes) => {
    this.written.push([address, offset, bytes.length]);
    return { ok: true, value: null };
  };

  readFile: FileAccess['readFile'] = async (address, offset, length) => {
    if (address !== ADDRESS) return { ok: false, failure: new Failure('file_missing').data };
    const bytes = BYTES.subarray(offset, offset + length);
    return { ok: true, value: { bytes, size: BYTES.length, ...this.#about } };
  };

  describeFile: FileAccess['describeFile'] = () => Promise.reject(new Error('not for pages'));
  exportFile: FileAccess['exportFile'] = () => Promise.reject(new Error('not for pages'));
}

async function bodyOf({ body }: FileAnswer): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('C11: a whole file is answered with its type, and can never run as a page', async () => {
  const answer = await answerFile(new OneFile(), 'GET', PATH, null);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': '1300000',
    'accept-ranges': 'bytes',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect((await bodyOf(answer)).equals(BYTES)).toBe(true);
});

test.each([
  ['bytes=0-', 0, 1_300_000],
  ['bytes=10-19', 10, 20],
  ['bytes=1299990-9999999', 1_299_990, 1_300_000],
  ['bytes=-5', 1_299_995, 1_300_000],
])('the range %s is answered in part', async (range, from, to) => {
  const answer = await answerFile(new OneFile(), 'GET', PATH, range);
  expect(answer.status).toBe(206);
  expect(answer.headers).toMatchObject({
    'content-range': `bytes ${from}-${to - 1}/1300000`,
    'content-length': String(to - from),
  });
  expect((await bodyOf(answer)).equals(BYTES.subarray(from, to))).toBe(true);
});

test.each(['bytes=1300000-', 'bytes=20-10', 'bytes=-0', 'bytes=', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6'])(
  'the range %s is refused',
  async (range) => {
    const answer = await answerFile(new OneFile(), 'GET', PATH, range);
    expect(answer).toMatchObject({
      status: 416,
      body: null,
      headers: { 'content-range': 'bytes */1300000' },
    });
  },
);

test('a HEAD request reads no bytes', async () => {
  expect(await answerFile(new OneFile(), 'HEAD', PATH, null)).toMatchObject({ status: 200, body: null });
});

test('a type that the app does not show is a download under its own name', async () => {
  const unknown = new OneFile('application/octet-stream', 'a"b\'c ü.pdf');
  const { headers } = await answerFile(unknown, 'GET', PATH, null);
  expect(headers['content-disposition']).toBe("attachment; filename*=UTF-8''a%22b%27c%20%C3%BC.pdf");
  const saved = await answerFile(new OneFile(), 'GET', `${PATH}?save`, null);
  expect(saved.headers['content-disposition']).toBe("attachment; filename*=UTF-8''Bridge.png");
});

test('an unknown or malformed address, and one of a locked app, has no file', async () => {
  const other = `/files/${'B'.repeat(22)}`;
  for (const path of [other, '/files/', '/files/..%2f', `${PATH}/x`, '/files/short']) {
    expect((await answerFile(new OneFile(), 'GET', path, null)).status).toBe(404);
  }
  expect((await answerFile(null, 'GET', PATH, null)).status).toBe(404);
  expect([isFilePath(PATH), isFilePath('/filesystem'), isFilePath('/')]).toEqual([true, false, false]);
});

test('a piece is passed on with its place', async () => {
  const files = new OneFile();
  const answer = await answerPiece(files, `${PATH}?offset=1048576`, new Uint8Array(5));
  expect(answer.status).toBe(204);
  expect(files.written).toEqual([[ADDRESS, 1_048_576, 5]]);
});

test.each(['', '?offset=', '?offset=-1', '?offset=1.5', '?offset=x', '?offset=1e99'])(
  'a piece without a valid place is refused: %s',
  async (query) => {
    const files = new OneFile();
    const answer = await answerPiece(files, PATH + query, new Uint8Array(5));
    expect(answer.status).toBe(400);
    expect(JSON.parse((await bodyOf(answer)).toString())).toMatchObject({ code: 'input_malformed' });
    expect(files.written).toEqual([]);
  },
);

test('a piece over the limit is refused, and the reason of a refusal is the body', async () => {
  const files = new OneFile();
  const long = new Uint8Array(FILE_PIECE_BYTES + 1);
  expect((await answerPiece(files, `${PATH}?offset=0`, long)).status).toBe(400);
  files.writeFile = async () => ({ ok: false, failure: new Failure('disk_full').data });
  const answer = await answerPiece(files, `${PATH}?offset=0`, new Uint8Array(1));
  expect(answer.status).toBe(409);
  expect(JSON.parse((await bodyOf(answer)).toString())).toEqual({ code: 'disk_full', parameters: {} });
});
