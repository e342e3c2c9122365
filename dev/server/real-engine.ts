/**
 * The way from a page of the dev server to a browser host: two addresses, handed on after the same check of where a
 * request is from that the host makes. The host gets its own name and origin, so that without the check here every
 * page that reaches the dev server would pass there.
 */
import { type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Plugin, ViteDevServer } from 'vite';
import { refusalOf } from '../../src/browser-host/guards.ts';

export class RealEngine {
  /** Origin of the browser host; null until it has started. */
  target: string | null = null;
  readonly plugin: Plugin = {
    name: 'waxwing-real-engine',
    configureServer: (server) => this.#serve(server),
  };

  #serve(server: ViteDevServer): void {
    const { httpServer } = server;
    const authority = () => `127.0.0.1:${(httpServer?.address() as AddressInfo | null)?.port}`;
    server.middlewares.use((request, response, next) => {
      if (request.url !== '/session') return next();
      if (refusalOf(request, authority()) !== null) response.writeHead(403).end();
      else this.#forward(request, response);
    });
    httpServer?.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (request.url !== '/bridge') return;
      socket.on('error', () => socket.destroy());
      if (refusalOf(request, authority()) !== null) socket.destroy();
      else this.#join(request, socket, head);
    });
  }

  /** A request to the host, as if its own page had made it. */
  #proxyRequest(request: IncomingMessage) {
    const { origin, host } = new URL(this.target ?? 'http://127.0.0.1:1');
    const headers = { ...request.headers, host, ...(request.headers.origin !== undefined && { origin }) };
    return open(`${origin}${request.url}`, { method: request.method ?? 'GET', headers });
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const call = this.#proxyRequest(request);
    call.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    call.on('error', () => response.destroy());
    request.pipe(call);
  }

  #join(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const call = this.#proxyRequest(request);
    call.on('upgrade', (answer, other, otherHead) => {
      const lines = answer.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
      );
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      // Bytes that arrived with the end of either side's headers.
      socket.write(otherHead);
      other.write(head);
      other.on('error', () => socket.destroy());
      other.on('close', () => socket.end());
      socket.on('close', () => other.destroy());
      other.pipe(socket).pipe(other);
    });
    call.on('response', () => socket.destroy());
    call.on('error', () => socket.destroy());
    call.end();
  }
}
