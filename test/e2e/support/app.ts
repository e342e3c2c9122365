/**
 * Several people on one relay, each with their own app.
 */
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import Database from 'better-sqlite3-multiple-ciphers';
import { temporaryFolder } from '../../support/engine.ts';
import { firstRun } from './pages.ts';
import { PASSPHRASE, WaxwingProcess } from './waxwing.ts';

/** A separate relay, as an operator starts one. */
export class OwnRelay {
  readonly folder = temporaryFolder();
  readonly #process: WaxwingProcess;

  /** @param args further arguments of `waxwing relay` */
  constructor(args: readonly string[] = []) {
    this.#process = new WaxwingProcess(['relay', '--port', '0', '--data', this.folder.path, ...args]);
  }

  url(): Promise<string> {
    return this.#process.url();
  }

  /** Number of copies in the queues of devices. */
  waiting(): number {
    const database = new Database(join(this.folder.path, 'relay.db'), { readonly: true });
    try {
      return (
        database.prepare<[], { count: number }>('SELECT count(*) AS count FROM delivery').get()?.count ?? 0
      );
    } finally {
      database.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
    this.folder[Symbol.dispose]();
  }
}

/** One person's app: a process with its own data, and its page. */
export class App {
  readonly folder = temporaryFolder();
  readonly page: Page;
  readonly #relay: string;
  readonly #args: readonly string[];
  readonly #environment: Record<string, string>;
  #process: WaxwingProcess | null = null;

  /**
   * @param args further arguments of `waxwing serve`, after its relay and data
   * @param environment further variables of its process
   */
  constructor(
    page: Page,
    relay: string,
    args: readonly string[] = [],
    environment: Record<string, string> = {},
  ) {
    this.page = page;
    this.#args = args;
    this.#relay = relay;
    this.#environment = { WAXWING_PASSPHRASE: PASSPHRASE, ...environment };
  }

  /** Opens a new relay account, in a new browser context. */
  static async newcomer(
    browser: Browser,
    relay: string,
    handle: string,
    environment: Record<string, string> = {},
  ): Promise<App> {
    const app = new App(await (await browser.newContext()).newPage(), relay, [], environment);
    await app.start();
    await firstRun(app.page, handle);
    return app;
  }

  async start(): Promise<void> {
    const args = ['serve', '--relay', this.#relay, '--data', this.folder.path, ...this.#args];
    this.#process = new WaxwingProcess(args, undefined, this.#environment);
    await this.page.goto(await this.#process.url());
  }

  /** A link for another tab. */
  async newLink(): Promise<string> {
    if (!this.#process) throw new Error('this app is not running');
    return this.#process.newLink();
  }

  /** The output of the process: its links, and nothing confidential. */
  get output(): string {
    return this.#process?.output ?? '';
  }

  /** Kills the process without a warning, and starts it again with the same data. */
  async killAndStart(): Promise<void> {
    await this.#process?.stop('SIGKILL');
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.stop();
    this.folder[Symbol.dispose]();
  }
}
