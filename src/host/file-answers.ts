/**
 * Answers to a page's requests for the bytes of files, for both hosts: `GET /files/ADDRESS` with a range, and
 * `PUT /files/ADDRESS?offset=0` for the pieces of a prepared file. An address is random, and ends with the engine.
 */
import { Failure, type FailureData } from '../base/failure.ts';
import { FILE_PIECE_BYTES, FILES_PATH } from '../bridge/files.ts';
import type { FileAccess, FileBytes } from '../engine/start.ts';
import { answerHeaders } from './security-headers.ts';

export type { FileAccess };

/** Length of the pieces that are read, in bytes. */
const READ_BYTES = 512 * 1024;
const ADDRESS = /^[\w-]{22}$/;
const UNKNOWN_TYPE = 'application/octet-stream';

export interface FileAnswer {
  status: number;
  headers: Record<string, string>;
  /** Null for none. Each piece is read when it is requested. */
  body: AsyncIterable<Uint8Array> | null;
}

/** Reports whether a path is one of files. */
export function isFilePath(path: string): boolean {
  return path.startsWith(FILES_PATH);
}

/**
 * Answers a request to read a file.
 * @param url path and query
 * @param range header of the request; null without one
 */
export async function answerFile(
  files: FileAccess | null,
  method: string,
  url: string,
  range: string | null,
): Promise<FileAnswer> {
  const { address, query } = parse(url);
  if (!files || address === null) return refused(404, new Failure('file_missing').data);
  const first = await files.readFile(address, 0, 1);
  if (!first.ok) return refused(404, first.failure);
  const { size } = first.value;
  const place = placeIn(range, size);
  const headers = headersOf(first.value, query.has('save'));
  if (place === null)
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: null };
  const { from, to } = place;
  const isPart = range !== null;
  return {
    status: isPart ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(to - from),
      ...(isPart && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
    body: method === 'HEAD' ? null : piecesOf(files, address, from, to),
  };
}

/**
 * Answers a request to write a piece of a prepared file.
 * @param body the whole piece, at most {@link FILE_PIECE_BYTES}
 */
export async function answerPiece(
  files: FileAccess | null,
  url: string,
  body: Uint8Array,
): Promise<FileAnswer> {
  const { address, query } = parse(url);
  const offset = /^\d{1,16}$/.test(query.get('offset') ?? '') ? Number(query.get('offset')) : -1;
  if (!files || address === null) return refused(404, new Failure('file_unprepared').data);
  if (!Number.isSafeInteger(offset) || offset < 0 || body.length > FILE_PIECE_BYTES)
    return refused(400, new Failure('input_malformed').data);
  const written = await files.writeFile(address, offset, body);
  if (!written.ok) return refused(409, written.failure);
  return { status: 204, headers: answerHeaders('text/plain; charset=utf-8'), body: null };
}

function parse(url: string): { address: string | null; query: URLSearchParams } {
  const [path = '', query = ''] = url.split('?');
  const address = path.slice(FILES_PATH.length);
  return { address: ADDRESS.test(address) ? address : null, query: new URLSearchParams(query) };
}

async function* piecesOf(
  files: FileAccess,
  address: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const answer = await files.readFile(address, at, Math.min(READ_BYTES, to - at));
    if (!answer.ok) throw new Error('the file was removed while it was read');
    yield answer.value.bytes;
    at += answer.value.bytes.length;
  }
}

/** The one range of a header, from inclusive to exclusive; null if it cannot be satisfied. */
export function placeIn(range: string | null, size: number): { from: number; to: number } | null {
  if (range === null) return { from: 0, to: size };
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return from < to ? { from, to } : null;
}

/** A file is never a page: a document opened from its address has no scripts and no origin. */
function headersOf({ mediaType, name }: FileBytes, saves: boolean): Record<string, string> {
  const asDownload = saves || mediaType === UNKNOWN_TYPE;
  const file = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return {
    ...answerHeaders(mediaType),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    'content-disposition': asDownload ? `attachment; filename*=UTF-8''${file}` : 'inline',
  };
}

function refused(status: number, failure: FailureData): FileAnswer {
  const body = new TextEncoder().encode(JSON.stringify(failure));
  return { status, headers: answerHeaders('application/json'), body: one(body) };
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
