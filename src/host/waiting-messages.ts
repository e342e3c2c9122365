/**
 * Asks the relay for new messages while the data is locked. It polls for the first envelope, which it neither
 * opens nor acknowledges. It ends with the session at the relay: it has only a token for that.
 */

import { PollPace, pause } from '../base/backoff.ts';
import { ClockWatch } from '../base/clock-watch.ts';
import { NetworkWatch } from '../base/node/network-watch.ts';
import { RelayApi } from '../client/api.ts';
import { RelayHttp, RelayRefusal } from '../client/http.ts';
import { SecretCredential } from '../client/session.ts';
import { waitAfter } from '../client/wait-after.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';
import type { InboxAccess } from '../engine/start.ts';

/** Longest poll at the relay, in seconds. */
const HOLD = 25;
/** Upper limit of the session's stated lifetime, in milliseconds. */
const MAX_WATCH = 24 * 3_600_000;

export class WaitingMessages {
  readonly #stop = new AbortController();
  readonly #watches = [new ClockWatch(() => this.retry()), new NetworkWatch(() => this.retry())];
  #attempt = new AbortController();

  /** @param onWaiting called once, when there is a message */
  constructor(access: InboxAccess, onWaiting: () => void, findProxy = findProxyByEnvironment) {
    for (const watch of this.#watches) watch.start();
    void this.#watch(access, onWaiting, findProxy).finally(() => this.close());
  }

  close(): void {
    for (const watch of this.#watches) watch.stop();
    this.#stop.abort();
  }

  /** Cancels the current call or wait, which may have failed during sleep, and asks again. */
  retry(): void {
    this.#attempt.abort();
  }

  async #watch(
    { relayUrl, token, address, deviceId, expiresAt }: InboxAccess,
    onWaiting: () => void,
    findProxy: FindProxy,
  ): Promise<void> {
    const stop = this.#stop.signal;
    const relay = new RelayApi(
      new RelayHttp(relayUrl, { findProxy, trustsSystem: true }),
      new SecretCredential(token),
    );
    const pace = new PollPace();
    const end = Math.min(expiresAt, Date.now() + MAX_WATCH);
    let failures = 0;
    while (!stop.aborted && Date.now() < end) {
      this.#attempt = new AbortController();
      const signal = AbortSignal.any([stop, this.#attempt.signal]);
      const requestedAt = performance.now();
      try {
        const { envelopes } = await relay.inbox(deviceId, { limit: 1, wait: HOLD, signal });
        failures = 0;
        const isThere = envelopes.some(({ toAddress }) => toAddress === address);
        if (isThere && !stop.aborted) return onWaiting();
        // A relay that does not hold the call, or returns messages of others, is not asked endlessly.
        await pause(pace.next({ requestedAt, isNews: false, isFull: false }), signal);
      } catch (error) {
        if (error instanceof RelayRefusal && !error.temporary) return;
        failures += 1;
        await pause(waitAfter(error, failures, performance.now() - requestedAt), signal);
      }
    }
  }
}
