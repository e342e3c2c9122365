/**
 * Updates of the app: asks the update server now and then, downloads what is newer and signed, and installs it when
 * the app is quit. electron-updater does it; what may be taken is decided here and in signed-provider.ts.
 */
import type { AppUpdater } from 'electron-updater';
import { Failure, type FailureData } from '../../base/failure.ts';
import type { UpdateState } from '../../bridge/shapes.ts';
import { boundAnswers, type RequestingExecutor } from './bounded-answers.ts';
import { type RedirectingExecutor, refusePlainHttp } from './https-only.ts';
import { SignedProvider, type SignedSource } from './signed-provider.ts';

/** Milliseconds between two checks. */
const INTERVAL = 6 * 60 * 60 * 1000;

export interface UpdatesOptions extends SignedSource {
  updater: AppUpdater;
  /** Whether the person lets the app ask by itself. */
  mayCheck: () => boolean;
}

export class Updates {
  readonly #options: UpdatesOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<(state: UpdateState) => void>();
  #state: UpdateState = { phase: 'idle', version: null, problem: null };

  constructor(options: UpdatesOptions) {
    this.#options = options;
    const { updater } = options;
    // It would name files and addresses; what went wrong is told in the state.
    updater.logger = null;
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = true;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    // Whole files only: their hash stands in the signed manifest, that of a block map does not.
    updater.disableDifferentialDownload = true;
    // Not part of its types, but the only way to its requests.
    const { httpExecutor } = updater as unknown as { httpExecutor: RedirectingExecutor & RequestingExecutor };
    refusePlainHttp(httpExecutor);
    boundAnswers(httpExecutor);
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
    // Failures come as rejections too; an error event without a listener would end the process.
    updater.on('error', () => undefined);
    this.#timer = setInterval(() => this.#checkByItself(), INTERVAL);
    this.#timer.unref();
    this.#checkByItself();
  }

  state(): UpdateState {
    return this.#state;
  }

  /** Asks, and downloads what is newer. Never rejects: what went wrong is in the state. */
  async check(): Promise<UpdateState> {
    const { phase } = this.#state;
    if (phase === 'checking' || phase === 'downloading' || phase === 'ready') return this.#state;
    this.#become({ phase: 'checking', version: null, problem: null });
    try {
      const result = await this.#options.updater.checkForUpdates();
      if (!result) return this.#become({ phase: 'unavailable', version: null, problem: null });
      if (!result.isUpdateAvailable) return this.#become({ phase: 'current', version: null, problem: null });
      const { version } = result.updateInfo;
      this.#become({ phase: 'downloading', version, problem: null });
      await this.#options.updater.downloadUpdate();
      return this.#become({ phase: 'ready', version, problem: null });
    } catch (error) {
      return this.#become({ phase: 'failed', version: null, problem: failureOf(error) });
    }
  }

  /** Returns the function that stops listening. */
  onChange(listener: (state: UpdateState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Leaves what was downloaded for another time. An installer that is ended by the system half way, as at the end of a
   * session of Windows, leaves no app behind.
   */
  keepForLater(): void {
    this.#options.updater.autoInstallOnAppQuit = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #checkByItself(): void {
    if (this.#options.mayCheck()) void this.check();
  }

  #become(state: UpdateState): UpdateState {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
    return state;
  }
}

function failureOf(error: unknown): FailureData {
  if (error instanceof Failure) return error.data;
  const isChecksum = error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH';
  return new Failure(isChecksum ? 'update_other_file' : 'update_server_unreachable').data;
}
