/**
 * A host with delays: answers to a page are delayed for as long as a test needs.
 */
import type { Page } from '@playwright/test';
import type { ProcedureName } from '../../../src/bridge/contract.ts';

export class DelayedAnswers {
  readonly #names = new Set<string>();
  /** Ids of the calls whose answers are delayed, with their names. */
  readonly #calls = new Map<string, string>();
  #kept: { name: string; send: () => void }[] = [];

  /** Inserts itself between a page that is not open yet and its host. */
  static async between(page: Page): Promise<DelayedAnswers> {
    const delayed = new DelayedAnswers();
    await page.routeWebSocket(/\/bridge$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        // The first frame is the bearer.
        const { a, i } = /^\{/.test(String(frame)) ? JSON.parse(String(frame)) : { a: [], i: '' };
        if (delayed.#names.has(a?.[0])) delayed.#calls.set(i, a[0]);
        server.send(frame);
      });
      server.onMessage((frame) => {
        const others: unknown[] = [];
        for (const message of JSON.parse(String(frame)) as { t: string; i: string }[]) {
          const name = message.t === 's' ? delayed.#calls.get(message.i) : undefined;
          if (name === undefined) others.push(message);
          else delayed.#kept.push({ name, send: () => socket.send(JSON.stringify([message])) });
        }
        if (others.length > 0) socket.send(JSON.stringify(others));
      });
    });
    return delayed;
  }

  /** Delays the answers of this procedure from now on. */
  delay(name: ProcedureName): void {
    this.#names.add(name);
  }

  /** True if an answer was given and is delayed. */
  isDelayed(name: ProcedureName): boolean {
    return this.#kept.some((kept) => kept.name === name);
  }

  /** Delivers delayed answers and stops delaying: of one procedure, or of all. */
  answer(only?: ProcedureName): void {
    const isMeant = (name: string) => only === undefined || name === only;
    for (const name of this.#names) if (isMeant(name)) this.#names.delete(name);
    for (const [id, name] of this.#calls) if (isMeant(name)) this.#calls.delete(id);
    const arriving = this.#kept.filter(({ name }) => isMeant(name));
    this.#kept = this.#kept.filter(({ name }) => !isMeant(name));
    for (const { send } of arriving) send();
  }
}
