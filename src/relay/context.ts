/**
 * What every route works with.
 */

import type { Registration } from '../protocol/schemas/accounts.ts';
import type { BlobBytes } from './blobs/bytes.ts';
import type { Transfers } from './blobs/transfers.ts';
import type { CredentialLeases } from './credential-leases.ts';
import type { RecipientLimit } from './delivery/recipient-limit.ts';
import type { SenderNetworks } from './delivery/sender-network.ts';
import type { Waiters } from './delivery/waiters.ts';
import type { Drain } from './http/drain.ts';
import type { Scheduler } from './http/scheduler.ts';
import type { Counters } from './limits/counters.ts';
import type { RelayMetrics } from './metrics/metrics.ts';
import type { RelayLimits } from './settings/options.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { Store } from './store/store.ts';

export interface RelayContext {
  store: Store;
  /** Where the bytes of blobs lie. */
  bytes: BlobBytes;
  /** Bytes of blobs that are under way. */
  transfers: Transfers;
  waiters: Waiters;
  /** Who calls, as it was looked up a moment ago. */
  credentials: CredentialLeases;
  /** Runs work of more than a few milliseconds in slices. */
  scheduler: Scheduler;
  metrics: RelayMetrics;
  counters: Counters;
  recipients: RecipientLimit;
  networks: SenderNetworks;
  drain: Drain;
  limits: RelayLimits;
  name: string;
  /** Who may open an account. */
  registration: Registration;
  /** Whether members may make invitation codes. */
  memberInvitations: boolean;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Ends what is held. */
  steady: SteadyClock;
  /** The URL under which clients know the relay, from its configuration, never from a request. */
  publicUrl: () => URL;
}
