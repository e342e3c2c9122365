/**
 * Keeps electron-updater from following a redirect to anything but https.
 */
import type { RequestOptions } from 'node:http';
import { Failure } from '../../base/failure.ts';

/** The part of electron-updater's ElectronHttpExecutor for all redirects. */
export interface RedirectingExecutor {
  addRedirectHandlers(
    request: unknown,
    options: RequestOptions,
    reject: (error: Error) => void,
    redirectCount: number,
    follow: (options: RequestOptions) => void,
  ): void;
}

/** Changes the executor in place. */
export function refusePlainHttp(executor: RedirectingExecutor): void {
  const addHandlers = executor.addRedirectHandlers.bind(executor);
  executor.addRedirectHandlers = (request, options, reject, redirectCount, follow) => {
    addHandlers(request, options, reject, redirectCount, (next) => {
      if (next.protocol === 'https:') follow(next);
      else reject(new Failure('update_insecure'));
    });
  };
}
