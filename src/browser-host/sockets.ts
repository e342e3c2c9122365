/** The bridge over WebSockets. The first frame of a socket is its bearer; before that nothing is answered. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createBirpc } from 'birpc';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { postTogether } from '../base/post-together.ts';
import type { EventName, Input } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import type { Notice } from '../bridge/notice.ts';
import type { Calls } from '../host/calls.ts';
import { PreparedFiles } from '../host/prepared-files.ts';
import type { Session } from '../host/session.ts';
import type { LaunchTokens } from './launch.ts';
import type { PageScreen } from './page-screen.ts';
import { limitRate } from './rate-limit.ts';

/** Functions for a page. Each frame to it is a list of calls and answers; each frame from it is one. */
export interface HostFunctions {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  /** Reports whether the browser allows the page to show notifications. */
  mayNotify(isAllowed: boolean): void;
  /** Reports that the person or the system removed a notification. */
  gone(key: string, serial: number): void;
}

/** Functions of a page. */
export interface PageFunctions {
  ready(): void;
  event(name: EventName, payload: unknown): void;
  notify(notice: Notice): void;
  /** Removes a notification, if this page shows it. */
  withdraw(key: string): void;
}

/**
 * A call in birpc's form: type, method, arguments, id. Checked because birpc would look up a method that is
 * not a string, and throw an uncaught error.
 */
const BridgeRequest = z.object({
  t: z.literal('q'),
  m: z.string(),
  a: z.array(z.unknown()),
  i: z.string().min(1).max(64),
});
type BridgeRequest = z.infer<typeof BridgeRequest>;

/** Fits the longest draft with every character escaped. */
const LONGEST_FRAME = 512 * 1024;
/** Limit of unread bytes for a page. */
const MAX_UNREAD = 16 * 1024 * 1024;
const MAX_FRAGMENTS = 128;
const MAX_CHUNKS = 4_096;
/** Limit of pages: authenticated sockets. */
const MAX_PAGES = 16;
/**
 * Limit of unauthenticated sockets. Any program on this computer can open some; a new one ends the oldest, so
 * that silent ones keep no page out, which authenticates as soon as it is connected.
 */
const MAX_STRANGERS = 64;
const FIRST_FRAME_WITHIN = 5_000;
const GOODBYE_WITHIN = 1_000;
const PING_EVERY = 20_000;
/** The page reconnects by itself. */
const CLOSE_TRY_LATER = 1013;
/** A browser hides a 401 from a page; the page distinguishes this code from a lost connection. */
export const CLOSE_UNAUTHORIZED = 4401;

/** Unlocking calls. None of them succeeds while the data is open. */
const UNLOCKING: readonly string[] = ['lock.choose', 'lock.unlock', 'lock.recover', 'lock.retry'];
/** After any of these, the calling page stays trusted. */
const REOPENING: readonly string[] = [...UNLOCKING, 'lock.wipe'];
/** Calls and events allowed for any page, before unlocking. */
const PUBLIC_CALLS: readonly string[] = ['lock.state', 'host.info', 'settings.get', ...UNLOCKING];
const PUBLIC_EVENTS: readonly string[] = ['lock.changed', 'settings.changed'];

const LOCKED: Answer<never> = {
  ok: false,
  failure: { code: 'unlocked_elsewhere', parameters: {} },
};

interface BridgeSocketsOptions {
  calls: Calls;
  session: Pick<Session, 'isOpen'>;
  tokens: LaunchTokens;
  /** Shows notifications through the pages. */
  screen: PageScreen;
}

export class BridgeSockets {
  readonly #calls: Calls;
  readonly #session: Pick<Session, 'isOpen'>;
  readonly #tokens: LaunchTokens;
  readonly #screen: PageScreen;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_FRAME,
    // Each fragment costs more than its contents, and any program on this computer may send some before
    // authenticating.
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    perMessageDeflate: false,
  });

  /** Unauthenticated sockets, oldest first. Terminated if they ignore the close frame. */
  readonly #strangers = new Set<WebSocket>();
  readonly #pages = new Set<WebSocket>();

  constructor({ calls, session, tokens, screen }: BridgeSocketsOptions) {
    this.#screen = screen;
    this.#calls = calls;
    this.#session = session;
    this.#tokens = tokens;
  }

  /** Accepts an upgrade request that has passed the guards. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => this.#greet(client));
  }

  /** Closes every page's socket; one that does not answer at once is terminated. */
  async close(): Promise<void> {
    this.#server.close();
    const { clients } = this.#server;
    for (const client of clients) client.close(1001);
    const tooLate = setTimeout(() => {
      for (const client of clients) client.terminate();
    }, GOODBYE_WITHIN);
    await Promise.all([...clients].map((client) => once(client, 'close')));
    clearTimeout(tooLate);
  }

  #greet(client: WebSocket): void {
    client.on('error', () => client.terminate());
    const [oldest] = this.#strangers;
    if (oldest && this.#strangers.size >= MAX_STRANGERS) {
      this.#strangers.delete(oldest);
      oldest.terminate();
    }
    this.#strangers.add(client);
    const tooLate = setTimeout(() => client.close(CLOSE_UNAUTHORIZED), FIRST_FRAME_WITHIN);
    client.once('close', () => {
      clearTimeout(tooLate);
      this.#strangers.delete(client);
    });
    client.once('message', (frame) => {
      clearTimeout(tooLate);
      const bearer = textOf(frame);
      if (this.#tokens.isBearer(bearer)) this.#welcome(client, bearer);
      else client.close(CLOSE_UNAUTHORIZED);
    });
  }

  #welcome(client: WebSocket, bearer: string): void {
    this.#strangers.delete(client);
    if (this.#pages.size >= MAX_PAGES) {
      client.close(CLOSE_TRY_LATER);
      return;
    }
    this.#pages.add(client);
    client.once('close', () => this.#pages.delete(client));
    this.#serve(client, bearer);
  }

  #serve(client: WebSocket, bearer: string): void {
    // A page that connected while the data was locked is trusted only after it unlocked the data.
    let isTrusted = this.#session.isOpen;
    const prepared = new PreparedFiles(this.#calls);
    const call = async (name: string, input: unknown): Promise<Answer<unknown>> => {
      if (!isTrusted && this.#session.isOpen && !PUBLIC_CALLS.includes(name)) return LOCKED;
      const answer = await prepared.call(name, input);
      if (answer.ok && name === 'host.attend') shown.attend((input as Input<'host.attend'>).conversationId);
      if (answer.ok && REOPENING.includes(name) && this.#session.isOpen) {
        isTrusted = true;
        this.#endOthers(client, bearer);
      }
      return answer;
    };
    // Without a prototype, so that a page can only name these functions.
    const functions: HostFunctions = Object.assign(Object.create(null), {
      call: (name: unknown, input: unknown) => call(String(name), input),
      mayNotify: (isAllowed: unknown) => shown.allow(isAllowed === true),
      gone: (key: unknown, serial: unknown) => shown.gone(String(key), Number(serial)),
    });
    const page = createBirpc<PageFunctions, HostFunctions>(functions, {
      post: postTogether((messages) => {
        if (client.readyState !== client.OPEN) return;
        client.send(JSON.stringify(messages));
        // It does not read. Later it reconnects and queries everything again.
        if (client.bufferedAmount > MAX_UNREAD) client.terminate();
      }).add,
      on: (listener) =>
        limitRate(client, (frame) => {
          const message = requestIn(textOf(frame));
          if (message === null) client.close(1007);
          else listener(message);
        }),
      eventNames: ['ready', 'event', 'notify', 'withdraw'],
    });
    const shown = this.#screen.add({
      isTrusted: () => isTrusted && this.#session.isOpen,
      notify: (notice) => void page.notify(notice),
      withdraw: (key) => void page.withdraw(key),
    });
    const stop = this.#calls.onEvent((name, payload) => {
      if (!this.#session.isOpen) isTrusted = false;
      if (isTrusted || PUBLIC_EVENTS.includes(name)) void page.event(name, payload);
    });
    let isAlive = true;
    client.on('pong', () => {
      isAlive = true;
    });
    const ping = setInterval(() => {
      if (!isAlive) client.terminate();
      isAlive = false;
      client.ping();
    }, PING_EVERY);
    client.once('close', () => {
      clearInterval(ping);
      stop();
      shown.remove();
      prepared.drop();
      page.$close();
    });
    void page.ready();
  }

  #endOthers(client: WebSocket, bearer: string): void {
    this.#tokens.revokeOthers(bearer);
    for (const other of this.#server.clients) if (other !== client) other.close(CLOSE_UNAUTHORIZED);
  }
}

function textOf(frame: RawData): string {
  return Array.isArray(frame)
    ? Buffer.concat(frame).toString('utf8')
    : Buffer.from(frame as Buffer).toString('utf8');
}

/** The birpc request in a frame; null if there is none. */
function requestIn(text: string): BridgeRequest | null {
  try {
    return BridgeRequest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
