/**
 * What an operator can set, and what holds otherwise.
 */
import type { Logger } from 'pino';
import { DEFAULT_LIMITS, DEFAULT_QUOTAS, type Limits, type Quotas } from '../../protocol/limits.ts';
import type { Registration } from '../../protocol/schemas/accounts.ts';
import type { BlobPlace } from '../blobs/place.ts';
import type { Rate } from '../limits/counters.ts';
import type { QueueLimits, QueueShares } from '../rules/queue-share.ts';
import type { SteadyClock } from '../steady-clock.ts';

export interface RelayLimits extends Limits {
  /** How many of each an account may have at a time. */
  quotas: Quotas;
  /** How long headers, and headers with body, may take to arrive, in milliseconds. */
  headersTimeout: number;
  requestTimeout: number;
  /**
   * How long nothing may move on a connection, in milliseconds: a client that does not read its answer is cut off.
   * Above the hold of a poll, during which nothing moves either.
   */
  stalledTimeout: number;
  maxConnections: number;
  /** Connections that one network address may hold open. */
  connectionsByAddress: number;
  /** Login challenges of one network address that wait to be signed. One more takes the place of the oldest. */
  challenges: number;
  /** How long the audit log keeps what was written down, in seconds. */
  auditSeconds: number;
  /** Inbox calls that one credential may hold open at once. */
  heldPolls: number;
  /** How much of a device's queue, and of what is sent to an address, one sender or network may take. */
  shares: QueueShares;
  /** Ciphertext in one answer of the inbox, about, in bytes. */
  inboxBytes: number;
  /** What all blobs may take at the relay, in bytes. */
  storedBlobBytes: number;
  /** How long a part of a blob may take on its way, in either direction, in milliseconds. */
  blobPartTimeout: number;
  /** What may wait to be written, in bytes. Beyond, calls are answered 503. */
  writeQueueBytes: number;
  rates: {
    /** Calls with one credential. */
    credential: Rate;
    /** Calls from one network address. */
    address: Rate;
    /** Calls without a credential, which are logins, from one network address. */
    login: Rate;
    /** Computers that begin to wait to be linked, from one network address; ten times as many from the network around it. */
    link: Rate;
    /** Joins of one open group from the network around an address: its chain has room for 40,000 entries of everybody. */
    openJoin: Rate;
    /** Envelopes to one address, from everybody together. */
    recipient: Rate;
  };
}

export const DEFAULT_RELAY_LIMITS: RelayLimits = {
  ...DEFAULT_LIMITS,
  quotas: DEFAULT_QUOTAS,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  stalledTimeout: 75_000,
  maxConnections: 20_000,
  connectionsByAddress: 1_000,
  challenges: 32,
  auditSeconds: 400 * 24 * 3600,
  heldPolls: 8,
  shares: { sender: 1 / 4, network: 1 / 2 },
  inboxBytes: 4 * 1024 * 1024,
  storedBlobBytes: 100 * 1024 * 1024 * 1024,
  blobPartTimeout: 300_000,
  writeQueueBytes: 64 * 1024 * 1024,
  rates: {
    credential: { burst: 1_000, perSecond: 50 },
    address: { burst: 4_000, perSecond: 400 },
    login: { burst: 120, perSecond: 2 },
    link: { burst: 10, perSecond: 10 / 3600 },
    openJoin: { burst: 200, perSecond: 200 / 86_400 },
    recipient: { burst: 10_000, perSecond: 100 },
  },
};

/** Those of a device's queue. */
export function queueLimits({ queueEnvelopes, queueBytes, shares }: RelayLimits): QueueLimits {
  return { queueEnvelopes, queueBytes, shares };
}

export interface RelayOptions {
  /** Where the relay's files live. Made with mode 0700 if it is not there. */
  dataDirectory: string;
  /** The URL of a PostgreSQL database. Without one, the database is a file in the data directory. */
  database?: string;
  /** Interface to listen on. Loopback by default. */
  host?: string;
  /** 0 or absent: a free port. */
  port?: number;
  /**
   * The URL under which clients know the relay. Its host is the domain of logins, which is never taken from a
   * request. Where it listens by default.
   */
  publicUrl?: string;
  /** Host headers that requests may carry besides those of `publicUrl` and of this computer: that of a probe, say. */
  hosts?: string[];
  /** Lets `publicUrl` be plain http to another computer. Credentials then travel unprotected. */
  insecureHttp?: boolean;
  /** Where the bytes of blobs lie: `blobs` in the data directory unless said. */
  blobs?: BlobPlace;
  name?: string;
  /**
   * Who may open an account. Everybody unless said: that is for a relay that only this computer reaches. `waxwing relay`
   * chooses by where it listens.
   */
  registration?: Registration;
  /** Lets members make invitation codes, too. */
  memberInvitations?: boolean;
  limits?: Partial<RelayLimits>;
  /** Addresses of proxies in front, whose X-Forwarded-For is believed. None by default. */
  trustedProxies?: string[];
  /** Where metrics are served; on loopback unless a host is given. Port 0: a free one. Not served by default. */
  metrics?: { host?: string; port: number };
  /**
   * Whether the operator can speak to the relay by a socket in the data folder. Anyone who starts it holds that folder
   * alone.
   */
  admin?: boolean;
  /** Nothing is logged without one. */
  logger?: Logger;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Ends calls that are held. The machine's own by default. */
  steady?: SteadyClock;
  /** Entries of worker threads; the sources by default. A host that bundles passes what it made of them. */
  workers?: { store: URL };
  /** Called if the database broke. The relay then answers 503 to every write, and should be started again. */
  onBroken?: (reason: string) => void;
}
