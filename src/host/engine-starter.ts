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
  /** The last started one, which may be closed. */
  #engine: EngineHandle | null = null;

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
    if (unusable && !(await isElsewhere(engine, null))) {
      await engine.close();
      throw unusable;
    }
    this.#engine = engine;
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
    this.#watchRelay(this.#embedded);
    return null;
  }

  #watchRelay(relay: EmbeddedRelay): void {
    void relay.ended.then(async (reason) => {
      if (reason === null) return;
      if (!this.#engine || !(await isElsewhere(this.#engine, relay.url))) return this.#broke.resolve(reason);
      log('warn', 'embedded.unused', describe(reason));
      this.#embedded = null;
    });
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

/**
 * Reports whether there is an account, and not on the relay of this computer.
 * @param url of that relay; null if it is not there
 */
async function isElsewhere(engine: EngineHandle, url: string | null): Promise<boolean> {
  const state = await engine.call('app.state', {});
  if (!state.ok) return false;
  const { phase, me } = engineProcedures['app.state'].output.parse(state.value);
  return phase !== 'new' && me?.relayUrl !== url;
}
