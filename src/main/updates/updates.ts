/**
 * Updates of the app: checks the update server periodically, downloads a newer signed release, and installs
 * it when the app quits. electron-updater does the work; this file and signed-provider.ts decide on
 * acceptance. A copy that cannot replace itself only reports a new version.
 */
import { once } from 'node:events';
import type { AutoUpdater } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { Failure, type FailureData } from '../../base/failure.ts';
import { log } from '../../base/log.ts';
import type { UpdateState } from '../../bridge/shapes/app.ts';
import { boundAnswers, type RequestingExecutor } from './bounded-answers.ts';
import { boundRedirects, type RedirectingExecutor } from './bounded-redirects.ts';
import { type StoringUpdater, storeDownloadsIn } from './download-folder.ts';
import { type CachingUpdater, removeLeftovers } from './leftovers.ts';
import { type IdentifyingUpdater, omitIdentity } from './no-identity.ts';
import { SignedProvider, type SignedSource } from './signed-provider.ts';
import { type DownloadingExecutor, storeDownloads } from './stored-downloads.ts';

/** Milliseconds between two checks. */
const INTERVAL = 6 * 60 * 60 * 1000;

const NOTHING = { version: null, problem: null, newestFrom: null };

export interface UpdatesOptions extends SignedSource {
  updater: AppUpdater;
  /** True if this copy can replace itself without more rights; otherwise new versions are only reported. */
  installs: boolean;
  /** The folder for downloads, of this data folder alone. */
  downloads: string;
  /** Squirrel, which electron-updater uses on macOS; null elsewhere. */
  native: AutoUpdater | null;
  /** True if the person allows automatic checks. */
  mayCheck: () => boolean;
}

export class Updates {
  readonly #options: UpdatesOptions;
  readonly #timer: NodeJS.Timeout;
  /** Resolves when leftovers of earlier starts are deleted. */
  readonly #cleaned: Promise<void>;
  readonly #listeners = new Set<(state: UpdateState) => void>();
  /** Turns false when macOS refuses an update, as in an unsigned copy: it would refuse the next one, too. */
  #installs: boolean;
  #state: UpdateState;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#installs = options.installs;
    this.#state = { ...NOTHING, phase: 'idle', installs: this.#installs };
    const { updater } = options;
    // It would log files and addresses; errors are in the state.
    updater.logger = null;
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = options.installs;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    // Whole files only: the signed manifest has their hash, but not that of a block map.
    updater.disableDifferentialDownload = true;
    // Missing in its types, but the only access to its requests.
    const { httpExecutor } = updater as unknown as {
      httpExecutor: RedirectingExecutor & RequestingExecutor & DownloadingExecutor;
    };
    boundRedirects(httpExecutor);
    boundAnswers(httpExecutor);
    storeDownloads(httpExecutor);
    // A private member of its types.
    omitIdentity(updater as unknown as IdentifyingUpdater);
    // A protected member of its types.
    storeDownloadsIn(updater as unknown as StoringUpdater, options.downloads);
    const { server, key, channel, memory } = options;
    updater.setFeedURL({
      provider: 'custom',
      updateProvider: class extends SignedProvider {
        constructor(
          _options: unknown,
          updater: unknown,
          runtime: ConstructorParameters<typeof SignedProvider>[2],
        ) {
          super({ server, key, channel, memory }, updater, runtime);
        }
      },
    } as Parameters<AppUpdater['setFeedURL']>[0]);
    // Failures also arrive as rejections; an error event without a listener would end the process.
    updater.on('error', () => undefined);
    this.#cleaned = this.#removeLeftovers();
    this.#timer = setInterval(() => this.#checkByItself(), INTERVAL);
    this.#timer.unref();
    this.#checkByItself();
  }

  state(): UpdateState {
    return this.#state;
  }

  /** Checks, and downloads a newer release. Never rejects: failures are in the state. */
  async check(): Promise<UpdateState> {
    const { phase } = this.#state;
    if (phase === 'checking' || phase === 'downloading' || phase === 'ready') return this.#state;
    this.#become({ phase: 'checking' });
    try {
      const result = await this.#options.updater.checkForUpdates();
      if (!result) return this.#become({ phase: 'unavailable' });
      const { version, releaseDate } = result.updateInfo;
      if (!result.isUpdateAvailable) {
        return this.#become({ phase: 'current', newestFrom: Date.parse(releaseDate) });
      }
      if (!this.#installs) return this.#become({ phase: 'available', version });
      this.#become({ phase: 'downloading', version });
      await this.#cleaned;
      const isTaken = await this.#downloadOrClean();
      return this.#become({ phase: isTaken ? 'ready' : 'available', version });
    } catch (error) {
      return this.#become({ phase: 'failed', problem: failureOf(error) });
    }
  }

  async #downloadOrClean(): Promise<boolean> {
    try {
      return await this.#download();
    } catch (error) {
      await this.#removeLeftovers();
      throw error;
    }
  }

  #removeLeftovers(): Promise<void> {
    // The access to its folder is private in its types.
    return removeLeftovers(this.#options.updater as unknown as CachingUpdater);
  }

  /** Downloads the found release. False if macOS refuses it. */
  async #download(): Promise<boolean> {
    const { updater, native } = this.#options;
    if (!native) {
      await updater.downloadUpdate();
      return true;
    }
    const waiting = new AbortController();
    // Squirrel checks the signature of the app and of the update. For an unsigned app it reports that before
    // electron-updater listens, which then waits forever.
    const downloaded = once(native, 'update-downloaded', { signal: waiting.signal }).then(
      () => true,
      () => {
        if (!waiting.signal.aborted) {
          log('warn', 'update.refused');
          this.#installs = false;
        }
        return false;
      },
    );
    try {
      return await Promise.race([downloaded, updater.downloadUpdate().then(() => downloaded)]);
    } finally {
      waiting.abort();
    }
  }

  /** @returns the function that stops listening */
  onChange(listener: (state: UpdateState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Postpones the installation. An installer killed half way, as at the end of a Windows session, leaves no
   * app behind.
   */
  installLater(): void {
    this.#options.updater.autoInstallOnAppQuit = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #checkByItself(): void {
    if (this.#options.mayCheck()) void this.check();
  }

  #become(changes: Pick<UpdateState, 'phase'> & Partial<UpdateState>): UpdateState {
    const state = { ...NOTHING, ...changes, installs: this.#installs };
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
    return state;
  }
}

function failureOf(error: unknown): FailureData {
  return (error instanceof Failure ? error : new Failure('update_server_unreachable')).data;
}
