/**
 * Several people on one relay, each with an app of their own.
 */
import type { Page } from '@playwright/test';
import { temporaryFolder } from '../../support/engine.ts';
import { WaxwingProcess } from './waxwing.ts';

/** One person's app: a process with data of its own, and the page that shows it. */
export class App {
  readonly folder = temporaryFolder();
  readonly page: Page;
  readonly #relay: string;
  #process: WaxwingProcess | null = null;

  constructor(page: Page, relay: string) {
    this.page = page;
    this.#relay = relay;
  }

  async start(): Promise<void> {
    this.#process = new WaxwingProcess(['serve', '--relay', this.#relay, '--data', this.folder.path]);
    await this.page.goto(await this.#process.url());
  }

  /** All that the process has printed: its links, and nothing else that is anybody's business. */
  get output(): string {
    return this.#process?.output ?? '';
  }

  /** The process is killed with no chance to say goodbye, and started again with the same data. */
  async killAndStart(): Promise<void> {
    await this.#process?.stop('SIGKILL');
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.stop();
    this.folder[Symbol.dispose]();
  }
}
