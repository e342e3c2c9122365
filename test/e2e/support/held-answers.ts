/**
 * A host that takes its time: answers to a page are kept back for as long as a test wants.
 */
import type { Page } from '@playwright/test';
import type { ProcedureName } from '../../../src/bridge/contract.ts';

export class HeldAnswers {
  readonly #names = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #kept: (() => void)[] = [];

  /** Comes between a page that is not open yet and its host. */
  static async between(page: Page): Promise<HeldAnswers> {
    const held = new HeldAnswers();
    await page.routeWebSocket(/\/bridge$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        // The first frame is the bearer.
        const { a, i } = /^\{/.test(String(frame)) ? JSON.parse(String(frame)) : { a: [], i: '' };
        if (held.#names.has(a?.[0])) held.#ids.add(i);
        server.send(frame);
      });
      server.onMessage((frame) => {
        const { t, i } = JSON.parse(String(frame));
        if (t === 's' && held.#ids.has(i)) held.#kept.push(() => socket.send(frame));
        else socket.send(frame);
      });
    });
    return held;
  }

  /** From now on this procedure is asked in vain. */
  hold(name: ProcedureName): void {
    this.#names.add(name);
  }

  /** What was kept back arrives, and nothing more is. */
  release(): void {
    this.#names.clear();
    this.#ids.clear();
    for (const send of this.#kept.splice(0)) send();
  }
}
