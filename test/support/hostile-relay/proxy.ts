/**
 * A relay that lies: it forwards to a real one and changes its answers.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Limits } from '../../../src/protocol/limits.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { eventually } from '../engine.ts';
import { ROOMY_RATES } from '../rates.ts';
import { TestRelay } from '../relay.ts';

/** One answer of the real relay, before it is passed on, with its body as JSON; null without a body. */
export interface Passing {
  method: string;
  /** With the query. */
  path: string;
  /** The credential of the caller; empty if there is none. */
  credential: string;
  status: number;
  body: unknown;
  /** Set by a lie: the answer does not arrive. */
  isLost?: boolean;
}

/** Changes an answer. Its result becomes the body; `undefined` leaves it unchanged. */
export type Lie = (passing: Passing) => unknown;

type Fits = (path: string, method: string) => boolean;

/** Answers in place of the relay, with other bytes. */
export type Nonsense = (request: IncomingMessage, response: ServerResponse) => void;

/** A received request. */
interface Received {
  method: string;
  /** With the query. */
  path: string;
  credential: string;
  body: string;
}

export class HostileRelay {
  readonly relay: TestRelay;
  readonly #server: Server;
  /** Envelopes that were never sent, by the device that receives them. */
  readonly #invented = new Map<string, InboxEnvelope[]>();
  readonly #guests = new AsyncDisposableStack();
  #lies: Lie[] = [];
  #nonsense: { matches: Fits; answer: Nonsense } | null = null;
  /** All received requests. */
  readonly requests: Received[] = [];
  readonly #awaited = new Set<(request: Received) => void>();

  private constructor(server: Server, relay: TestRelay) {
    this.#server = server;
    this.relay = relay;
    server.on('request', (request, response) => {
      void this.#pass(request, response).catch(() => request.socket.destroy());
    });
  }

  /** @param limits of the real relay, where they are not the usual ones */
  static async start(limits: Partial<Limits> = {}): Promise<HostileRelay> {
    // As long as the real relay keeps idle connections: one that is closed earlier may be in use.
    const server = createServer({ keepAliveTimeout: 72_000 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const relay = await new TestRelay({
      publicUrl,
      memberInvitations: true,
      limits: { ...limits, rates: ROOMY_RATES },
    }).start();
    return new HostileRelay(server, relay);
  }

  /** Registers a cleanup, run in reverse order before this relay ends. */
  use<T extends AsyncDisposable>(guest: T): T {
    return this.#guests.use(guest);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Bodies of all posted envelopes. */
  get sent(): string[] {
    const sends = this.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/envelopes'),
    );
    return sends.map(({ body }) => body);
  }

  /** The next matching request from now on. */
  nextRequest(matches: (request: Received) => boolean): Promise<Received> {
    const { promise, resolve } = Promise.withResolvers<Received>();
    const see = (request: Received) => {
      if (!matches(request)) return;
      this.#awaited.delete(see);
      resolve(request);
    };
    this.#awaited.add(see);
    return promise;
  }

  /** Adds a lie. Later lies change the results of earlier ones. */
  lie(lie: Lie): void {
    this.#lies.push(lie);
  }

  /** Answers nonsense from now on to matching paths. */
  babble(matches: Fits, answer: Nonsense): void {
    this.#nonsense = { matches, answer };
  }

  /** Shows a device an invented envelope, until it is acknowledged. */
  invent(deviceId: string, envelope: InboxEnvelope): void {
    this.#invented.set(deviceId, [...(this.#invented.get(deviceId) ?? []), envelope]);
  }

  /** Number of unacknowledged invented envelopes of a device. */
  unacknowledged(deviceId: string): number {
    return this.#invented.get(deviceId)?.length ?? 0;
  }

  /** Shows a device invented envelopes, and polls until it has judged them all. @returns the last poll */
  async deliver<T>(
    deviceId: string,
    envelopes: readonly InboxEnvelope[],
    look: () => Promise<T>,
  ): Promise<T> {
    for (const envelope of envelopes) this.invent(deviceId, envelope);
    const [last] = await eventually(
      async () => [await look(), this.unacknowledged(deviceId)] as const,
      ([, left]) => left === 0,
    );
    return last;
  }

  /** Is honest from now on, also about invented data. */
  answerTruthfully(): void {
    this.#lies = [];
    this.#nonsense = null;
    this.#invented.clear();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const bytes = await readAll(request);
    const isOctets = path.includes('/blobs/');
    const body = isOctets ? '' : bytes.toString();
    const credential = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const received = { method, path, credential, body };
    this.requests.push(received);
    for (const see of this.#awaited) see(received);
    if (this.#nonsense?.matches(path, method)) {
      this.#nonsense.answer(request, response);
      return;
    }
    if (isOctets) return this.#passOctets(request, response, bytes);
    const aborted = new AbortController();
    response.once('close', () => aborted.abort());
    const answer = await fetch(this.relay.url + this.#unheld(path), {
      method,
      headers: headersOf(request),
      ...(body !== '' && { body }),
      signal: aborted.signal,
    });
    const text = await answer.text();
    const parsed = text === '' ? null : JSON.parse(text);
    const passing: Passing = { method, path, credential, status: answer.status, body: parsed };
    if (method === 'POST' && path.endsWith('/inbox/ack')) this.#forget(JSON.parse(body));
    this.#showInvented(passing);
    for (const lie of this.#lies) {
      const changed = lie(passing);
      if (changed !== undefined) passing.body = changed;
    }
    if (passing.isLost) {
      request.socket.destroy();
      return;
    }
    response.writeHead(passing.status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
      date: answer.headers.get('date') ?? '',
    });
    response.end(passing.body === null ? '' : JSON.stringify(passing.body));
  }

  /** Bytes of files pass unchanged. */
  async #passOctets(request: IncomingMessage, response: ServerResponse, bytes: Buffer): Promise<void> {
    const { range, 'content-digest': digest } = request.headers;
    const answer = await fetch(this.relay.url + request.url, {
      method: request.method ?? 'GET',
      headers: {
        ...headersOf(request),
        ...(range !== undefined && { range }),
        ...(digest !== undefined && { 'content-digest': String(digest) }),
      },
      ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
    });
    const {
      connection: _,
      'keep-alive': __,
      'transfer-encoding': ___,
      ...headers
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, headers);
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  /** Invented envelopes are shown at once, without waiting for honest ones. */
  #unheld(path: string): string {
    return this.unacknowledged(deviceOf(path)) > 0 ? path.replace(/&wait=\d+/, '') : path;
  }

  /** Before honest envelopes: when those have arrived, the lies have been judged. */
  #showInvented(passing: Passing): void {
    const invented = this.#invented.get(deviceOf(passing.path));
    if (!invented || passing.status !== 200) return;
    (passing.body as { envelopes: InboxEnvelope[] }).envelopes.unshift(...invented);
  }

  #forget({ device, ids }: { device: string; ids: string[] }): void {
    const left = this.#invented.get(device)?.filter(({ id }) => !ids.includes(id));
    if (left) this.#invented.set(device, left);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#guests.disposeAsync();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    await this.relay[Symbol.asyncDispose]();
  }
}

/** The device whose inbox is requested; empty for any other path. */
function deviceOf(path: string): string {
  return /\/inbox\?device=([^&]+)/.exec(path)?.[1] ?? '';
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const { authorization, 'content-type': type } = request.headers;
  return {
    ...(authorization !== undefined && { authorization }),
    ...(type !== undefined && { 'content-type': type }),
  };
}
