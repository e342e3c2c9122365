/** A browser host with a real engine behind it, and clients that do what no browser would. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Conf from 'conf';
import { WebSocket } from 'ws';
import type { Settings } from '../../src/bridge/settings.ts';
import { defaultSettings } from '../../src/bridge/settings.ts';
import { type BrowserHost, startBrowserHost } from '../../src/browser-host/index.ts';
import { type Calls, createCalls } from '../../src/host/calls.ts';
import type { InterfaceFiles } from '../../src/host/interface-files.ts';
import type { Session } from '../../src/host/session.ts';
import { wordsIn } from '../../src/words/catalogues.ts';
import { temporaryFolder } from './engine.ts';
import { testSession } from './session.ts';

const FILES: InterfaceFiles = new Map([
  ['/', { type: 'text/html; charset=utf-8', body: Buffer.from('<!doctype html><title>Waxwing</title>') }],
  ['/assets/index.js', { type: 'text/javascript; charset=utf-8', body: Buffer.from('"use strict";') }],
]);

/** The calls and answers in a frame of the host. */
export const messagesIn = <T>(frame: Buffer): T[] => JSON.parse(frame.toString()) as T[];

export class TestHost {
  readonly #folder = temporaryFolder();
  readonly session: Session = testSession(this.#folder.path);
  #host: BrowserHost | null = null;
  readonly #sockets = new Set<WebSocket>();
  /** The names of all calls that have passed the host's guards. */
  readonly called: string[] = [];
  /** Answers for calls that this host cannot make without an account. */
  readonly answers = new Map<string, unknown>();
  /** Sends an event to each page. */
  emit: Calls['emit'] = () => undefined;

  async start(): Promise<this> {
    await this.session.start();
    const { session } = this;
    const calls = createCalls({
      session,
      settings: new Conf<Settings>({
        cwd: this.#folder.path,
        configName: 'settings',
        defaults: defaultSettings,
      }),
      info: { kind: 'browser', version: '0', platform: 'test' },
    });
    const call: typeof calls.call = (name, input) => {
      this.called.push(name);
      const value = this.answers.get(name);
      if (value !== undefined) return Promise.resolve({ ok: true, value });
      return calls.call(name, input);
    };
    this.emit = calls.emit;
    this.#host = await startBrowserHost({
      calls: { ...calls, call },
      session,
      files: FILES,
      words: wordsIn('en'),
      port: 0,
    });
    return this;
  }

  get #running(): BrowserHost {
    if (!this.#host) throw new Error('this host is not running');
    return this.#host;
  }

  /** A new link's token. */
  newToken(): string {
    return new URL(this.#running.newLink()).hash.slice(1);
  }

  /** `127.0.0.1:` and the port. */
  get authority(): string {
    return new URL(this.#running.newLink()).host;
  }

  /** Its data folder. */
  get folder(): string {
    return this.#folder.path;
  }

  get origin(): string {
    return `http://${this.authority}`;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  exchange(token: string): Promise<Response> {
    return fetch(`${this.origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.origin },
      body: JSON.stringify({ token }),
    });
  }

  async newBearer(): Promise<string> {
    const response = await this.exchange(this.newToken());
    return ((await response.json()) as { bearer: string }).bearer;
  }

  /** An open WebSocket that has sent nothing yet. */
  async socket(): Promise<WebSocket> {
    const socket = new WebSocket(`ws://${this.authority}/bridge`, { origin: this.origin });
    this.#sockets.add(socket);
    await once(socket, 'open');
    return socket;
  }

  /** An authenticated WebSocket. */
  async welcomedSocket(): Promise<WebSocket> {
    const bearer = await this.newBearer();
    const socket = await this.socket();
    socket.send(bearer);
    await once(socket, 'message');
    return socket;
  }

  /** Cuts off every WebSocket, and waits for their end. */
  async dropSockets(): Promise<void> {
    for (const socket of this.#sockets) {
      if (socket.readyState === WebSocket.CLOSED) continue;
      socket.terminate();
      await once(socket, 'close');
    }
    this.#sockets.clear();
  }

  /** A connection of plain bytes. */
  connection(): Socket {
    return connect(this.port, '127.0.0.1');
  }

  /** Sends raw bytes and reads until the host ends the connection. */
  async raw(bytes: string): Promise<string> {
    const socket = this.connection();
    socket.write(bytes, 'latin1');
    return text(socket);
  }

  async close(): Promise<void> {
    await this.#host?.close();
    this.#host = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await this.session.close();
    this.#folder[Symbol.dispose]();
  }
}
