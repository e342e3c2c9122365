/**
 * Keeps electron-updater from following a redirect to anything but https, and from following redirects without an end: it passes its
 * count of redirects on before it raises it.
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

/** Redirects of one request that are followed. */
const MAX_REDIRECTS = 10;

/** Changes the executor in place. */
export function boundRedirects(executor: RedirectingExecutor): void {
  const addHandlers = executor.addRedirectHandlers.bind(executor);
  /** Number of redirects before a request, by its options. */
  const counts = new WeakMap<RequestOptions, number>();
  executor.addRedirectHandlers = (request, options, reject, redirectCount, follow) => {
    const count = counts.get(options) ?? 0;
    addHandlers(request, options, reject, redirectCount, (next) => {
      if (next.protocol !== 'https:') return reject(new Failure('update_insecure'));
      if (count >= MAX_REDIRECTS) return reject(new Failure('update_server_unreachable'));
      counts.set(next, count + 1);
      follow(next);
    });
  };
}
