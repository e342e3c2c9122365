/**
 * The browser host: serves the interface on the loopback address and carries the bridge over a WebSocket.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Calls } from '../host/calls.ts';
import type { InterfaceFiles } from '../host/interface-files.ts';
import { SECURITY_HEADERS } from '../host/security-headers.ts';
import { refusalOf } from './guards.ts';
import { LaunchTokens } from './launch.ts';
import { BridgeSockets } from './sockets.ts';

const ADDRESS = '127.0.0.1';
const LONGEST_EXCHANGE = 1024;

export interface BrowserHostOptions {
  /** Answers what pages call, and tells them what happens. */
  calls: Calls;
  files: InterfaceFiles;
  /** 0 for any free one. */
  port: number;
}

export interface BrowserHost {
  /** A link that opens the app once, within ten minutes. */
  newLink(): string;
  close(): Promise<void>;
}

/** The port is taken, or may not be used. The message is a sentence for the person. */
export class BrowserHostError extends Error {
  override readonly name = 'BrowserHostError';
}

/**
 * Starts the browser host.
 * @throws BrowserHostError
 */
export async function startBrowserHost({ calls, files, port }: BrowserHostOptions): Promise<BrowserHost> {
  const tokens = new LaunchTokens();
  const sockets = new BridgeSockets(calls, tokens);
  let authority = '';
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, authority);
    if (refusal !== null)
      return answer(response, refusal, 'This address serves Waxwing to its own page only.');
    const [path = '/'] = (request.url ?? '/').split('?');
    if (request.method === 'POST' && path === '/session') return exchange(request, response, tokens);
    const file = request.method === 'GET' || request.method === 'HEAD' ? files.get(path) : undefined;
    if (!file) return answer(response, 404, 'There is nothing here.');
    response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': file.type });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  });
  server.requestTimeout = 10_000;
  server.headersTimeout = 5_000;
  server.on('upgrade', (request, socket, head) => {
    if (refusalOf(request, authority) !== null || request.url !== '/bridge') socket.destroy();
    else sockets.accept(request, socket, head);
  });
  await listen(server, port);
  authority = `${ADDRESS}:${(server.address() as AddressInfo).port}`;
  return {
    newLink: () => `http://${authority}/#${tokens.issue()}`,
    async close() {
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, ADDRESS);
    await once(server, 'listening');
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw new BrowserHostError(
      taken
        ? `Port ${port} is in use by another program. Give another with --port, or leave it out.`
        : `Port ${port} cannot be used: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Exchanges a link's token, the whole body as text, for a bearer. */
function exchange(request: IncomingMessage, response: ServerResponse, tokens: LaunchTokens): void {
  if (request.headers['content-type'] !== 'application/json') {
    answer(response, 415, 'Send application/json.');
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
    if (bearer === null) return answer(response, 403, 'This link was used already, or is too old.');
    response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'application/json' });
    response.end(JSON.stringify({ bearer }));
  });
}

function tokenIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'token' in body) return String(body.token);
  } catch {
    // What is no JSON holds no token.
  }
  return '';
}

function answer(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(sentence);
}
