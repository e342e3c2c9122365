/** Reconnecting WebSocket to the browser host, with calls and events on top. */
import { createBirpc } from 'birpc';
import type { EventName } from '../../bridge/contract.ts';
import type { Answer } from '../../bridge/failure.ts';
import type { Notice } from '../../bridge/notice.ts';

interface HostFunctions {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  mayNotify(isAllowed: boolean): Promise<void>;
  gone(key: string, serial: number): Promise<void>;
}

interface PageFunctions {
  ready(): void;
  event(name: EventName, payload: unknown): void;
  notify(notice: Notice): void;
  withdraw(key: string): void;
}

interface ConnectionOptions {
  bearer: Promise<string | null>;
  onEvent: (name: EventName, payload: unknown) => void;
  /** `refused`: there is no bearer, because the link was used. `ended`: the host does not know the bearer, or no longer. */
  onState: (state: 'connected' | 'resumed' | 'lost' | 'refused' | 'ended') => void;
  onNotice: (notice: Notice) => void;
  onWithdrawn: (key: string) => void;
  /** Called when the host can no longer remove anything, until the next connection. */
  onCut: () => void;
}

/** Close code of src/browser-host/sockets.ts for an unknown bearer. */
const CLOSE_UNAUTHORIZED = 4401;
const FIRST_RETRY = 500;
const LONGEST_RETRY = 5_000;
/** Delay of the notice in milliseconds, so that a reload or a short break shows none. */
const NOTICE_AFTER = 1_500;

export class Connection {
  readonly #options: ConnectionOptions;
  #remote = Promise.withResolvers<HostFunctions>();
  #failures = 0;
  #isConnected = false;
  #wasConnected = false;
  #notice: ReturnType<typeof setTimeout> | undefined;
  #mayNotify = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    void options.bearer.then((bearer) => {
      if (bearer === null) options.onState('refused');
      else this.#connect(bearer);
    });
  }

  /** Waits for a connection if there is none. A call fails with a sentence if its connection breaks. */
  async call(name: string, input: unknown): Promise<Answer<unknown>> {
    const remote = await this.#remote.promise;
    try {
      return await remote.call(name, input);
    } catch {
      return { ok: false, failure: { code: 'connection_broke', parameters: {} } };
    }
  }

  /** Reports to the host whether this page may show notifications, now and at each connection. */
  setMayNotify(isAllowed: boolean): void {
    this.#mayNotify = isAllowed;
    if (this.#isConnected) void this.#reportMayNotify();
  }

  /** Reports to the host that the person or the system removed a notification. Without a connection all are removed. */
  async reportGone(key: string, serial: number): Promise<void> {
    if (!this.#isConnected) return;
    const remote = await this.#remote.promise;
    await remote.gone(key, serial).catch(() => undefined);
  }

  async #reportMayNotify(): Promise<void> {
    const remote = await this.#remote.promise;
    // Repeated after a lost connection.
    await remote.mayNotify(this.#mayNotify).catch(() => undefined);
  }

  #connect(bearer: string): void {
    const socket = new WebSocket(`ws://${location.host}/bridge`);
    const rpc = createBirpc<HostFunctions, PageFunctions>(
      {
        ready: () =>
          this.#ready({
            call: (name, input) => rpc.call(name, input),
            mayNotify: (isAllowed) => rpc.mayNotify(isAllowed),
            gone: (key, serial) => rpc.gone(key, serial),
          }),
        event: (name, payload) => this.#options.onEvent(name, payload),
        notify: (notice) => this.#options.onNotice(notice),
        withdraw: (key) => this.#options.onWithdrawn(key),
      },
      {
        // While the socket closes nothing can be sent. Its calls fail when it is closed.
        post: (message) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
        },
        on: (listener) =>
          socket.addEventListener('message', ({ data }) => {
            // A list: the host sends everything of one turn together.
            for (const message of JSON.parse(String(data)) as unknown[]) listener(message);
          }),
        timeout: -1,
      },
    );
    socket.addEventListener('open', () => socket.send(bearer));
    socket.addEventListener('close', ({ code }) => {
      rpc.$close();
      this.#options.onCut();
      if (code === CLOSE_UNAUTHORIZED) {
        clearTimeout(this.#notice);
        this.#options.onState('ended');
      } else {
        this.#lost(bearer);
      }
    });
  }

  #ready(remote: HostFunctions): void {
    clearTimeout(this.#notice);
    this.#notice = undefined;
    this.#failures = 0;
    this.#isConnected = true;
    this.#remote.resolve(remote);
    this.#options.onState(this.#wasConnected ? 'resumed' : 'connected');
    this.#wasConnected = true;
    void this.#reportMayNotify();
  }

  #lost(bearer: string): void {
    // New calls wait for the next connection, as waiting ones do.
    if (this.#isConnected) this.#remote = Promise.withResolvers();
    this.#isConnected = false;
    this.#notice ??= setTimeout(() => this.#options.onState('lost'), NOTICE_AFTER);
    const wait = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.#failures++);
    setTimeout(() => this.#connect(bearer), wait);
  }
}
