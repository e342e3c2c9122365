/** The relay: an HTTP API that resolves public directory data and routes sealed envelopes. */
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { adminCommands } from './admin/commands.ts';
import { startAdminServer } from './admin/server.ts';
import { adminSocketPath } from './admin/socket-path.ts';
import { nameOfPlace, openBlobBytes } from './blobs/place.ts';
import { Transfers } from './blobs/transfers.ts';
import type { RelayContext } from './context.ts';
import { CredentialLeases } from './credential-leases.ts';
import { RecipientLimit } from './delivery/recipient-limit.ts';
import { RememberedIds } from './delivery/remembered-ids.ts';
import { SenderNetworks } from './delivery/sender-network.ts';
import { Waiters } from './delivery/waiters.ts';
import { startExpiry } from './expiry.ts';
import { followUnused } from './http/connections.ts';
import { Drain } from './http/drain.ts';
import { LocalCounters } from './http/local-counters.ts';
import { Scheduler } from './http/scheduler.ts';
import { createServer } from './http/server.ts';
import { type Counters, rateOfOne } from './limits/counters.ts';
import { countingStore, RelayMetrics } from './metrics/metrics.ts';
import { startMetricsServer } from './metrics/server.ts';
import { logWarning } from './operator/warnings.ts';
import { ResourceStack } from './resource-stack.ts';
import { addAccountRoutes } from './routes/accounts.ts';
import { addApiKeyRoutes } from './routes/api-keys.ts';
import { addAuthRoutes } from './routes/auth.ts';
import { addBlobRoutes } from './routes/blobs.ts';
import { addDeviceRoutes } from './routes/devices.ts';
import { addDirectoryRoutes } from './routes/directory.ts';
import { endpointAdder } from './routes/endpoint.ts';
import { addEnvelopeRoutes } from './routes/envelopes.ts';
import { addFrontRoutes } from './routes/front.ts';
import { addGroupRoutes } from './routes/group-directory.ts';
import { addGroupEnvelopeRoutes } from './routes/group-envelopes.ts';
import { addGroupTokenRoutes } from './routes/group-tokens.ts';
import { addInboxRoutes } from './routes/inbox.ts';
import { addLinkRoutes } from './routes/links.ts';
import { addMeRoutes } from './routes/me.ts';
import { addReportRoutes } from './routes/reports.ts';
import { addRosterRoutes } from './routes/rosters.ts';
import { DEFAULT_RELAY_LIMITS, queueLimits, type RelayLimits } from './settings/limits.ts';
import type { RelayOptions } from './settings/options.ts';
import { requireSecurePublicUrl } from './settings/public-url.ts';
import { type SteadyClock, steadyClock } from './steady-clock.ts';
import { type Jobs, OWN_JOBS } from './store/jobs.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import type { Store } from './store/store.ts';
import type { Wakeups } from './store/wakeups.ts';

export type { RelayLimits } from './settings/limits.ts';
export type { RelayOptions } from './settings/options.ts';

/** The time limit for running requests when the relay closes, in milliseconds. */
const DRAIN_TIME = 3_000;
/**
 * The most connections that the system completes before they are accepted, if its own limit allows that many. All clients reconnect
 * at once after a restart; beyond this number, they try again after a second or more. Node's default is 511.
 */
const BACKLOG = 4_096;

export interface Relay {
  /** Its listening address, for callers on this machine. Clients elsewhere use `publicUrl`. */
  readonly url: string;
  readonly port: number;
  /** The URL of the metrics, if they are served. */
  readonly metricsPort: number | null;
  /** The number of committed transactions since the start. */
  readonly commits: number;
  /** The number of open polls. */
  readonly heldPolls: number;
  /** Announces the end: it still answers every request, and reports that it is not ready. */
  drain(): void;
  /** Answers open polls, finishes running requests, closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a relay; resolves when it listens.
 * @throws Error with the reason for a failed start: the port is in use, the database has a newer version or is not
 *   durable
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const limits = { ...DEFAULT_RELAY_LIMITS, ...options.limits };
  const { clock = Date.now, steady = steadyClock } = options;
  if (options.publicUrl !== undefined && !options.insecureHttp) requireSecurePublicUrl(options.publicUrl);
  const socketPath = options.admin ? adminSocketPath(options.dataDirectory) : null;
  const metrics = new RelayMetrics();
  const scheduler = new Scheduler();
  const drain = new Drain();
  const app = createServer(options, limits, metrics, scheduler, drain);
  await using opened = new ResourceStack();
  const {
    store: plain,
    wakeups,
    counters,
    networks,
    jobs,
  } = await openStore(options, limits, steady, app.log, metrics);
  opened.defer(() => plain.close());
  opened.defer(() => counters.close());
  const store = countingStore(plain, metrics);
  const bytes = await openBlobBytes(options.blobs, options.dataDirectory);
  opened.defer(() => bytes.close());
  const transfers = new Transfers(limits.blobPartTimeout);
  const credentials = new CredentialLeases(store, () => steady.now());
  const waiters = new Waiters(store, limits.heldPolls, wakeups, (ids) => credentials.end(ids), steady);
  metrics.watch(store, waiters, transfers);
  const localUrl = () => urlOf(app.server.address() as AddressInfo);
  const publicUrl = () => new URL(options.publicUrl ?? localUrl());
  const context: RelayContext = {
    store,
    bytes,
    transfers,
    waiters,
    credentials,
    scheduler,
    metrics,
    drain,
    counters,
    recipients: new RecipientLimit(rateOfOne(limits.rates.recipient, counters), limits.shares, () =>
      steady.now(),
    ),
    remembered: new RememberedIds(rateOfOne(limits.rates.remembered, counters), () => steady.now()),
    networks,
    limits,
    queueLimits: queueLimits(limits),
    clock,
    steady,
    publicUrl,
    name: options.name ?? 'Waxwing relay',
    registration: options.registration ?? 'open',
    memberInvitations: options.memberInvitations ?? false,
    handleOwners: new Map(Object.entries(options.handleOwners ?? {})),
  };

  app.decorateRequest('credential', null);
  app.decorateRequest('network', '');
  app.decorateRequest('authenticatedAt', 0);
  const add = endpointAdder(app, context);
  addFrontRoutes(app, add, context);
  addAuthRoutes(add, context);
  addMeRoutes(add, context);
  addAccountRoutes(add, context);
  addApiKeyRoutes(add, context);
  addDeviceRoutes(add, context);
  addDirectoryRoutes(add, context);
  addEnvelopeRoutes(add, context);
  addBlobRoutes(add, context);
  addInboxRoutes(add, context);
  addLinkRoutes(add, context);
  addGroupRoutes(add, context);
  addRosterRoutes(add, context);
  addReportRoutes(add, context);
  addGroupTokenRoutes(add, context);
  addGroupEnvelopeRoutes(add, context);

  const closeUnused = followUnused(app.server);
  opened.defer(() => {
    drain.begin();
    return closeServer(app, waiters, closeUnused);
  });
  await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0, backlog: BACKLOG });
  const retention = limits.retentionSeconds * 1000;
  const auditRetention = limits.auditSeconds * 1000;
  const expiry = startExpiry({
    store,
    jobs,
    bytes,
    waiters,
    clock,
    steady,
    retention,
    auditRetention,
    log: app.log,
  });
  opened.defer(() => expiry.stop());
  const metricsServer = options.metrics ? await startMetricsServer(metrics, options.metrics) : null;
  if (metricsServer) opened.defer(() => metricsServer.close());
  if (socketPath !== null) {
    opened.defer(await startAdminServer(socketPath, adminCommands(context), app.log));
  }
  const everything = opened.move();
  return {
    url: localUrl(),
    port: (app.server.address() as AddressInfo).port,
    metricsPort: metricsServer?.port ?? null,
    get commits() {
      return store.measure().commits;
    },
    get heldPolls() {
      return waiters.size;
    },
    drain: () => drain.begin(),
    close: () => everything[Symbol.asyncDispose](),
  };
}

/** The store, and the parts shared by the relays on it. */
interface StoreParts {
  store: Store;
  wakeups: Wakeups | null;
  counters: Counters;
  networks: SenderNetworks;
  jobs: Jobs;
}

async function openStore(
  { dataDirectory, database, workers, onBroken, publicUrl = '', blobs }: RelayOptions,
  { writeQueueBytes: queueBytes }: RelayLimits,
  steady: SteadyClock,
  log: FastifyBaseLogger,
  metrics: RelayMetrics,
): Promise<StoreParts> {
  if (database !== undefined) {
    // Most relays have no PostgreSQL: they do not load its driver.
    const { openPostgresStore } = await import('./store/postgres/store.ts');
    const onWarning = (reason: string) => logWarning(log, 'warn', 'connection_lost', { reason });
    const onFlush = (envelopes: number) => metrics.flushes.observe(envelopes);
    const settings = { publicUrl, blobs: nameOfPlace(blobs, dataDirectory) };
    const onDifferent = (names: readonly string[]) =>
      logWarning(log, 'warn', 'settings_differ', { settings: names });
    const postgres = { url: database, queueBytes, settings, onDifferent, onWarning, onFlush };
    const opened = await openPostgresStore(postgres);
    const networks = new SenderNetworks(opened.networkKey);
    const counters = opened.openCounters((text) => networks.hash(text));
    return { ...opened, counters, networks };
  }
  const store = await openSqliteStore({
    dataDirectory,
    worker: workers?.store,
    queueBytes,
    onBroken(reason) {
      logWarning(log, 'fatal', 'database_broke', { reason });
      onBroken?.(reason);
    },
  });
  return {
    store,
    wakeups: null,
    counters: new LocalCounters(() => steady.now()),
    networks: new SenderNetworks(),
    jobs: OWN_JOBS,
  };
}

/** Answers open polls, and waits for running ones. */
async function closeServer(app: FastifyInstance, waiters: Waiters, closeUnused: () => void): Promise<void> {
  waiters.stop();
  const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIME);
  const closed = app.close();
  closeUnused();
  await closed;
  clearTimeout(deadline);
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
