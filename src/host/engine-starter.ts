/**
 * Starts engines on one folder, with the relay on this computer where none was given: the relay once, and for as long
 * as the host runs; an engine each time the data is opened.
 */

import { join } from 'node:path';
import type { Failure } from '../base/failure.ts';
import type { FindProxy } from '../client/way-out.ts';
import { type EmbeddedRelay, startEmbeddedRelay } from '../embedded/start.ts';
import { type EngineHandle, type EngineOptions, startEngine } from '../engine/start.ts';
import { engineFolder, finishRemoval } from './data-folder.ts';

export interface EngineStarterOptions {
  /** The data folder. */
  folder: string;
  /** Base URL of the only relay to be used; null: one on this computer, and whichever the person chooses. */
  relay: string | null;
  /** The proxy for calls to a relay on another computer; by default the one that the environment names. */
  findProxy?: FindProxy;
  /** Worker entries of a host that bundles. */
  workers?: { engine: URL; sealing: URL; embedded: URL; store: URL };
}

export class EngineStarter {
  /** Resolves with a failure when an engine or the relay broke. */
  readonly broken: Promise<Failure>;
  readonly #options: EngineStarterOptions;
  readonly #broke = Promise.withResolvers<Failure>();
  #embedded: EmbeddedRelay | null = null;

  constructor(options: EngineStarterOptions) {
    this.#options = options;
    this.broken = this.#broke.promise;
  }

  /** @throws Failure */
  async start(
    own: Pick<EngineOptions, 'databaseKey' | 'keepRecoveryWrap' | 'receipts'>,
  ): Promise<EngineHandle> {
    const { folder, relay, workers, findProxy } = this.#options;
    if (relay === null && !this.#embedded) {
      this.#embedded = await startEmbeddedRelay({
        dataDirectory: join(folder, 'embedded'),
        ...(workers && { workers }),
      });
      this.#watch(this.#embedded);
    }
    finishRemoval(folder);
    const engine = await startEngine({
      ...own,
      dataDirectory: engineFolder(folder),
      relays: { embedded: this.#embedded?.url ?? null, fixed: relay },
      findProxy,
      ...(workers && { workers }),
    });
    this.#watch(engine);
    return engine;
  }

  /** Stops the relay on this computer. */
  async close(): Promise<void> {
    await this.#embedded?.close();
    this.#embedded = null;
  }

  #watch({ ended }: { ended: Promise<Failure | null> }): void {
    void ended.then((reason) => reason !== null && this.#broke.resolve(reason));
  }
}
