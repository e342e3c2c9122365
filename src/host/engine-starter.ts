/**
 * Starts engines on one folder, with a relay on this computer unless one was given. The relay starts once and
 * runs as long as the host; an engine starts each time the data is opened.
 */

import { join } from 'node:path';
import { describe } from '../base/error-facts.ts';
import { type Failure, failedWith } from '../base/failure.ts';
import { log } from '../base/log.ts';
import { engineProcedures } from '../bridge/contract.ts';
import type { FindProxy } from '../client/way-out.ts';
import { type EmbeddedRelay, startEmbeddedRelay } from '../embedded/start.ts';
import { type EngineHandle, type EngineOptions, startEngine } from '../engine/start.ts';
import { engineFolder, finishRemoval } from './data-folder.ts';

export interface EngineStarterOptions {
  /** The data folder. */
  folder: string;
  /** Base URL of the only allowed relay; null: one on this computer, or the person's choice. */
  relay: string | null;
  /** The proxy for calls to relays on other computers; by default from the environment. */
  findProxy?: FindProxy;
  /** Worker entries of a bundling host. */
  workers?: { engine: URL; sealing: URL; files: URL; embedded: URL; store: URL };
}

export class EngineStarter {
  /** Resolves with the failure of an engine or the relay. */
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
    own: Pick<
      EngineOptions,
      'databaseKey' | 'files' | 'keepRecoveryWrap' | 'onUpdate' | 'receipts' | 'signal'
    >,
  ): Promise<EngineHandle> {
    const { folder, relay, workers, findProxy } = this.#options;
    const unusable = relay === null && !this.#embedded ? await this.#startRelay() : null;
    finishRemoval(folder);
    const engine = await startEngine({
      ...own,
      dataDirectory: engineFolder(folder),
      relays: { embedded: this.#embedded?.url ?? null, fixed: relay },
      findProxy,
      ...(workers && { workers }),
    }).catch((error: unknown) => {
      throw unusable && failedWith(error, 'data_of_embedded_relay') ? unusable : error;
    });
    if (unusable && !(await hasAccount(engine))) {
      await engine.close();
      throw unusable;
    }
    this.#watch(engine);
    return engine;
  }

  /** @returns the reason why the relay on this computer cannot be used: an account on another server does not need it */
  async #startRelay(): Promise<Failure | null> {
    const { folder, workers } = this.#options;
    try {
      this.#embedded = await startEmbeddedRelay({
        dataDirectory: join(folder, 'embedded'),
        ...(workers && { workers }),
      });
    } catch (error) {
      if (!failedWith(error, 'relay_here_unusable')) throw error;
      log('warn', 'embedded.unusable', describe(error));
      return error;
    }
    this.#watch(this.#embedded);
    return null;
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

async function hasAccount(engine: EngineHandle): Promise<boolean> {
  const state = await engine.call('app.state', {});
  return state.ok && engineProcedures['app.state'].output.parse(state.value).phase !== 'new';
}
