/**
 * Answers under `/files/` for scenes, as a host gives them: files made from their names, and written files until the server
 * ends.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { FILE_PIECE_BYTES, FILES_PATH } from '../../src/bridge/files.ts';
import { placeIn } from '../../src/host/file-answers.ts';
import { answerHeaders } from '../../src/host/security-headers.ts';
import { type MadeFile, makeFile } from './made-files.ts';

const MADE = `${FILES_PATH}made/`;
/** Limit of a written file, in bytes. */
const MAX_BYTES = 64 * FILE_PIECE_BYTES;
/** Limit of the written files that are kept. */
const MAX_KEPT = 100;

export class FileAnswers {
  readonly #written = new Map<string, Buffer>();
  readonly #made = new Map<string, MadeFile | null>();

  /** Answers a request for a file. False if it asks for something else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (!pathname.startsWith(FILES_PATH)) return false;
    if (request.method === 'PUT') {
      void this.#write(pathname, Number(searchParams.get('offset')), request, response);
    } else {
      this.#read(decodeURIComponent(pathname), searchParams.has('save'), request, response);
    }
    return true;
  }

  async #write(path: string, offset: number, request: IncomingMessage, response: ServerResponse) {
    const piece = await buffer(request);
    const before = this.#written.get(path) ?? Buffer.alloc(0);
    const code =
      offset !== before.length || piece.length > FILE_PIECE_BYTES
        ? 'file_unfinished'
        : before.length + piece.length > MAX_BYTES
          ? 'disk_full'
          : null;
    if (code !== null) {
      response.writeHead(409, answerHeaders('application/json'));
      response.end(JSON.stringify({ code, parameters: {} }));
      return;
    }
    this.#written.set(path, Buffer.concat([before, piece]));
    const [oldest] = this.#written.keys();
    if (this.#written.size > MAX_KEPT && oldest !== undefined) this.#written.delete(oldest);
    response.writeHead(204, answerHeaders('text/plain')).end();
  }

  #read(path: string, isDownload: boolean, request: IncomingMessage, response: ServerResponse) {
    const written = this.#written.get(path);
    const file = written ? { type: typeOf(written), body: written } : this.#make(path);
    if (!file) {
      response.writeHead(404, answerHeaders('text/plain')).end();
      return;
    }
    const save = isDownload ? { 'content-disposition': 'attachment' } : {};
    const headers = { ...answerHeaders(file.type), ...save, 'accept-ranges': 'bytes' };
    const { range } = request.headers;
    const size = file.body.length;
    const place = placeIn(range ?? null, size);
    if (!place) {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end();
      return;
    }
    const { from, to } = place;
    const part = range !== undefined && { 'content-range': `bytes ${from}-${to - 1}/${size}` };
    response.writeHead(part ? 206 : 200, { ...headers, ...part }).end(file.body.subarray(from, to));
  }

  #make(path: string): MadeFile | null {
    const known = this.#made.get(path);
    if (known !== undefined) return known;
    const made = path.startsWith(MADE) ? makeFile(path.slice(MADE.length)) : null;
    this.#made.set(path, made);
    return made;
  }
}

/** The type of a written file by its first bytes. */
function typeOf(bytes: Buffer): string {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  // A recording: Chromium writes voice messages in this container.
  if (head.startsWith('\x1aE\xdf\xa3')) return 'audio/webm';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : 'application/octet-stream';
}
