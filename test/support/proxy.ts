/**
 * An HTTP proxy in front of a relay, where a test can cut connections at chosen places.
 */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestRelay, type TestRelayOptions } from './relay.ts';

/** One exchange as the proxy sees it. */
export interface Exchange {
  method: string;
  path: string;
  /** The Authorization header identifies callers. */
  caller: string;
  /** Before the relay receives it, or after it has answered. */
  stage: 'before' | 'after';
}

/**
 * The longest idle time of a connection, in milliseconds: longer than a test. A client in the test's own thread may use a
 * connection in the very moment in which the proxy gives it up.
 */
const KEEP_ALIVE = 600_000;

export class CuttingProxy {
  readonly #server: Server;
  #relay: TestRelay | null = null;
  /** Base URL of the relay behind. */
  target = '';
  /** True to cut the connection here. Called twice for each exchange, which waits for the answer. */
  cuts: (exchange: Exchange) => boolean | Promise<boolean> = () => false;
  /** The path sent to the relay in place of the requested one. */
  rewrites: (path: string, method: string) => string = (path) => path;

  constructor() {
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE }, async (incoming, outgoing) => {
      const cutAt = async (stage: Exchange['stage']): Promise<boolean> => {
        const { method = '', url: path = '/', headers } = incoming;
        if (!(await this.cuts({ method, path, caller: headers.authorization ?? '', stage }))) return false;
        incoming.socket.destroy();
        return true;
      };
      if (await cutAt('before')) return;
      const headers = { ...incoming.headers, host: new URL(this.target).host };
      const forwarded = request(
        new URL(this.rewrites(incoming.url ?? '/', incoming.method ?? ''), this.target),
        {
          method: incoming.method,
          headers,
        },
      );
      forwarded.once('response', async (answer) => {
        if (await cutAt('after')) {
          answer.resume();
          return;
        }
        // Without the headers about the relay's own connections.
        const { connection: _, 'keep-alive': __, ...own } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, own);
        answer.pipe(outgoing);
      });
      forwarded.once('error', () => incoming.socket.destroy());
      outgoing.once('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
  }

  /** Starts one with its own relay behind it, which ends with it. */
  static async withRelay(options: TestRelayOptions = {}): Promise<CuttingProxy> {
    const proxy = await new CuttingProxy().start();
    proxy.#relay = await new TestRelay({ publicUrl: proxy.url, ...options }).start();
    proxy.target = proxy.#relay.url;
    return proxy;
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    await this.#relay?.[Symbol.asyncDispose]();
  }
}
