/** app://waxwing: the interface's own origin. A request can only name a file of the build. */
import { Readable } from 'node:stream';
import type { CustomScheme } from 'electron';
import { FILE_PIECE_BYTES } from '../bridge/files.ts';
import type { Settings } from '../bridge/settings.ts';
import {
  answerFile,
  answerPiece,
  type FileAccess,
  type FileAnswer,
  isFilePath,
} from '../host/file-answers.ts';
import { type InterfaceFiles, inAppearance } from '../host/interface-files.ts';
import { answerHeaders, SECURITY_HEADERS } from '../host/security-headers.ts';

export const APP_ORIGIN = 'app://waxwing';
export const APP_PAGE = `${APP_ORIGIN}/`;

export const APP_SCHEME: CustomScheme = {
  scheme: 'app',
  // `stream`: media are read by range. Compiled code is cached in the data folder, so that the next start need not compile
  // the interface again.
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
};

/** Answers requests to app:// from the interface's files, with the page adapted to the settings. */
export function appSchemeHandler(
  files: InterfaceFiles,
  settings: () => Settings,
): (request: Request) => Response {
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405);
    const url = URL.parse(request.url);
    if (url?.protocol !== 'app:' || url.host !== 'waxwing') return refusal(404);
    const found = files.get(url.pathname);
    if (!found) return refusal(404);
    const file = url.pathname === '/' ? inAppearance(found, settings()) : found;
    const body = request.method === 'HEAD' ? null : new Uint8Array(file.body);
    return new Response(body, { status: 200, headers: answerHeaders(file.type) });
  };
}

/** Answers requests for the bytes of files (src/host/file-answers.ts), and others by `page`. */
export function withFiles(
  page: (request: Request) => Response,
  access: () => FileAccess | null,
): (request: Request) => Response | Promise<Response> {
  return (request) => {
    const url = URL.parse(request.url);
    const isOurs = url?.protocol === 'app:' && url.host === 'waxwing';
    return isOurs && isFilePath(url.pathname)
      ? serveFile(request, url.pathname + url.search, access())
      : page(request);
  };
}

async function serveFile(request: Request, path: string, files: FileAccess | null): Promise<Response> {
  const { method } = request;
  if (method === 'PUT') {
    const piece = await readPiece(request);
    return piece === null ? refusal(413) : toResponse(await answerPiece(files, path, piece));
  }
  if (method !== 'GET' && method !== 'HEAD') return refusal(405);
  return toResponse(await answerFile(files, method, path, request.headers.get('range')));
}

/** A piece of a file; null if it is too long. */
async function readPiece({ body }: Request): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > FILE_PIECE_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function toResponse({ status, headers, body }: FileAnswer): Response {
  const stream = body && (Readable.toWeb(Readable.from(body)) as ReadableStream);
  return new Response(stream, { status, headers });
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS });
}
