/** The dependencies of every route. */

import type { Registration } from '../protocol/schemas/accounts.ts';
import type { BlobBytes } from './blobs/bytes.ts';
import type { Transfers } from './blobs/transfers.ts';
import type { CredentialLeases } from './credential-leases.ts';
import type { RecipientLimit } from './delivery/recipient-limit.ts';
import type { RememberedIds } from './delivery/remembered-ids.ts';
import type { SenderNetworks } from './delivery/sender-network.ts';
import type { Waiters } from './delivery/waiters.ts';
import type { Drain } from './http/drain.ts';
import type { Scheduler } from './http/scheduler.ts';
import type { Counters } from './limits/counters.ts';
import type { RelayMetrics } from './metrics/metrics.ts';
import type { QueueLimits } from './rules/queue-share.ts';
import type { RelayLimits } from './settings/limits.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { Store } from './store/store.ts';

export interface RelayContext {
  store: Store;
  /** Storage for the bytes of blobs. */
  bytes: BlobBytes;
  /** Transfers of blobs in progress. */
  transfers: Transfers;
  waiters: Waiters;
  /** Callers with a recent look-up. */
  credentials: CredentialLeases;
  /** Runs work of more than a few milliseconds in slices. */
  scheduler: Scheduler;
  metrics: RelayMetrics;
  counters: Counters;
  recipients: RecipientLimit;
  remembered: RememberedIds;
  networks: SenderNetworks;
  drain: Drain;
  limits: RelayLimits;
  /** One object, which a message to the writer thread has once, however many requests it has. */
  queueLimits: QueueLimits;
  name: string;
  /** The rule for new accounts. */
  registration: Registration;
  /** True if members may make invitation codes. */
  memberInvitations: boolean;
  /** Addresses that may claim reserved handles, by handle. */
  handleOwners: ReadonlyMap<string, string>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The timer of open polls. */
  steady: SteadyClock;
  /** The relay's URL for clients, from its configuration, never from a request. */
  publicUrl: () => URL;
}
