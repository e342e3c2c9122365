/**
 * The browser host: serves the interface on the loopback address and carries the bridge over a WebSocket.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FILE_PIECE_BYTES } from '../bridge/files.ts';
import type { Calls } from '../host/calls.ts';
import {
  answerFile,
  answerPiece,
  type FileAccess,
  type FileAnswer,
  isFilePath,
} from '../host/file-answers.ts';
import { type InterfaceFiles, inAppearance } from '../host/interface-files.ts';
import { ArrivalNotices } from '../host/notifications/arrival-notices.ts';
import { answerHeaders } from '../host/security-headers.ts';
import type { Session } from '../host/session.ts';
import type { Words } from '../words/format.ts';
import { ANSWERS } from './answers.ts';
import { refusalOf } from './guards.ts';
import { LaunchTokens } from './launch.ts';
import { PageScreen } from './page-screen.ts';
import { BridgeSockets } from './sockets.ts';

const ADDRESS = '127.0.0.1';
const LONGEST_EXCHANGE = 1024;

export interface BrowserHostOptions {
  /** Answers the calls of pages, and emits events. */
  calls: Calls;
  /** True if the data is open: a page that connected before has to unlock it. */
  session: Pick<Session, 'isOpen' | 'files'>;
  files: InterfaceFiles;
  /** Texts of notifications. */
  words: Words;
  /** 0 for any free one. */
  port: number;
}

export interface BrowserHost {
  /** A link that opens the app once, within ten minutes. */
  newLink(): string;
  close(): Promise<void>;
}

/**
 * Starts the browser host.
 * @throws Error of Node's with `syscall` 'listen', if the port is in use or forbidden
 */
export async function startBrowserHost({
  calls,
  session,
  files,
  words,
  port,
}: BrowserHostOptions): Promise<BrowserHost> {
  const tokens = new LaunchTokens();
  const screen = new PageScreen();
  const sockets = new BridgeSockets({ calls, session, tokens, screen });
  const notices = new ArrivalNotices({
    calls,
    session,
    words,
    screen,
    isAttended: (conversationId) => screen.isAttended(conversationId),
    // The clicked page comes to the front and opens the chat.
    open: () => undefined,
  });
  let authority = '';
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request, authority);
    if (refusal !== null) answer(response, refusal, 'not_its_page');
    else if (request.method === 'POST' && request.url === '/session') exchange(request, response, tokens);
    else if (isFilePath(request.url ?? '')) void serveFile(request, response, calls.files());
    else sendFile(request, response, files, calls);
  };
  const server = createServer(
    {
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      // Check interval of both limits; Node's 30 seconds would add 30 seconds to them.
      connectionsCheckingInterval: 1_000,
      // A request without Host gets this host's answer instead of Node's.
      requireHostHeader: false,
    },
    handle,
  );
  server.on('checkExpectation', handle);
  // Invalid HTTP, or a slow request, gets no answer.
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, authority);
    if (refusal !== null) refuseUpgrade(request, socket as Socket, refusal);
    else if (request.url !== '/bridge') refuseUpgrade(request, socket as Socket, 404);
    else sockets.accept(request, socket, head);
  });
  server.listen(port, ADDRESS);
  await once(server, 'listening');
  authority = `${ADDRESS}:${(server.address() as AddressInfo).port}`;
  return {
    newLink: () => `http://${authority}/#${tokens.issue()}`,
    async close() {
      notices.close();
      server.close();
      const closed = once(server, 'close');
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers an upgrade request on its bare socket, and closes the connection. */
function refuseUpgrade(request: IncomingMessage, socket: Socket, status: number): void {
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  answer(response, status, 'not_its_page');
}

/** Answers a request of a page for the bytes of a file. */
async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  files: FileAccess | null,
): Promise<void> {
  const { method = 'GET', url = '' } = request;
  try {
    if (method === 'PUT') {
      const piece = await readPiece(request);
      if (piece === null) return answer(response, 413, 'too_long');
      await write(response, await answerPiece(files, url, piece));
    } else if (method === 'GET' || method === 'HEAD') {
      await write(response, await answerFile(files, method, url, request.headers.range ?? null));
    } else answer(response, 404, 'nothing_here');
  } catch {
    // The page ended the request, or the file was removed while it was read.
    response.destroy();
  }
}

/** A piece of a file; null if it is too long. */
async function readPiece(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > FILE_PIECE_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function write(response: ServerResponse, { status, headers, body }: FileAnswer): Promise<void> {
  response.writeHead(status, headers);
  if (body === null) response.end();
  else await pipeline(Readable.from(body), response);
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  files: InterfaceFiles,
  calls: Pick<Calls, 'settings'>,
): void {
  const [path = '/'] = (request.url ?? '/').split('?');
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  const found = isReading ? files.get(path) : undefined;
  if (!found) {
    answer(response, 404, 'nothing_here');
    return;
  }
  const file = path === '/' ? inAppearance(found, calls.settings()) : found;
  send(response, 200, file.type, file.body);
}

/** Exchanges a link's token, the whole body as text, for a bearer. */
function exchange(request: IncomingMessage, response: ServerResponse, tokens: LaunchTokens): void {
  if (request.headers['content-type'] !== 'application/json') {
    answer(response, 415, 'not_json');
    return;
  }
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    text += part;
    if (text.length > LONGEST_EXCHANGE) request.destroy();
  });
  request.on('end', () => {
    const bearer = tokens.exchange(tokenIn(text));
    if (bearer === null) return answer(response, 403, 'link_used');
    send(response, 200, 'application/json', Buffer.from(JSON.stringify({ bearer })));
  });
}

function tokenIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'token' in body) return String(body.token);
  } catch {
    // Invalid JSON contains no token.
  }
  return '';
}

function answer(response: ServerResponse, status: number, name: keyof typeof ANSWERS): void {
  send(response, status, 'text/plain; charset=utf-8', Buffer.from(ANSWERS[name]));
}

function send(response: ServerResponse, status: number, type: string, body: Buffer): void {
  const headers = { ...answerHeaders(type), 'content-length': body.length };
  response.writeHead(status, headers).end(body);
}
