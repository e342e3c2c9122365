/** The operator's options, and their defaults. */
import type { Logger } from 'pino';
import { DEFAULT_LIMITS, DEFAULT_QUOTAS, type Limits, type Quotas } from '../../protocol/limits.ts';
import type { Registration } from '../../protocol/schemas/accounts.ts';
import type { BlobPlace } from '../blobs/place.ts';
import type { Rate } from '../limits/counters.ts';
import type { QueueLimits, QueueShares } from '../rules/queue-share.ts';
import type { SteadyClock } from '../steady-clock.ts';

export interface RelayLimits extends Limits {
  /** The most of each that an account may have at a time. */
  quotas: Quotas;
  /** The time limits for the headers, and for headers with body, in milliseconds. */
  headersTimeout: number;
  requestTimeout: number;
  /**
   * The longest time without traffic on a connection, in milliseconds: a client that does not read its answer is
   * disconnected. Longer than a held poll, which has no traffic either.
   */
  stalledTimeout: number;
  maxConnections: number;
  /** The most open connections of one network address. */
  connectionsByAddress: number;
  /** The most unsigned login challenges of one network address. The next one replaces the oldest. */
  challenges: number;
  /** The lifetime of the audit log's rows, in seconds. */
  auditSeconds: number;
  /** The most simultaneous inbox calls of one credential. */
  heldPolls: number;
  /** The share of one sender or network in a device's queue, and in the rate of mail to an address. */
  shares: QueueShares;
  /** The approximate ciphertext in one answer of the inbox, in bytes. */
  inboxBytes: number;
  /** The most bytes of all blobs at the relay. */
  storedBlobBytes: number;
  /** The longest transfer of a part of a blob, in either direction, in milliseconds. */
  blobPartTimeout: number;
  /** The most data waiting to be written, in bytes. Beyond, calls are answered 503. */
  writeQueueBytes: number;
  rates: {
    /** Calls with one credential. */
    credential: Rate;
    /** Calls from one network address. */
    address: Rate;
    /** Calls without a credential, which are logins, from one network address. */
    login: Rate;
    /**
     * New computers waiting to be linked, from one network address; ten times as many from the network around it.
     */
    link: Rate;
    /**
     * Joins of one open group from the network around an address: its chain has room for 40,000 entries in total.
     */
    openJoin: Rate;
    /** Envelopes to one address, from all senders together. */
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

/** The limits of a device's queue. */
export function queueLimits({ queueEnvelopes, queueBytes, shares }: RelayLimits): QueueLimits {
  return { queueEnvelopes, queueBytes, shares };
}

export interface RelayOptions {
  /** The folder of the relay's files. Created with mode 0700 if it does not exist. */
  dataDirectory: string;
  /** The URL of a PostgreSQL database. Without one, the database is a file in the data directory. */
  database?: string;
  /** Listening interface. Loopback by default. */
  host?: string;
  /** 0 or absent: a free port. */
  port?: number;
  /**
   * The relay's URL for clients. Its host is the domain of logins, which is never read from a request. By default
   * the listening address.
   */
  publicUrl?: string;
  /** Host headers allowed besides those of `publicUrl` and of this computer: for example that of a probe. */
  hosts?: string[];
  /** Allows plain http to another computer in `publicUrl`. Credentials then travel unprotected. */
  insecureHttp?: boolean;
  /** Storage for the bytes of blobs: by default `blobs` in the data directory. */
  blobs?: BlobPlace;
  name?: string;
  /**
   * The rule for new accounts. By default everybody may open one, which suits a relay that only this computer
   * reaches. `waxwing relay` chooses by its listening address.
   */
  registration?: Registration;
  /** Allows members to make invitation codes, too. */
  memberInvitations?: boolean;
  limits?: Partial<RelayLimits>;
  /** Addresses of trusted proxies, whose X-Forwarded-For is used. None by default. */
  trustedProxies?: string[];
  /** The address of the metrics; on loopback unless a host is given. Port 0: a free one. Not served by default. */
  metrics?: { host?: string; port: number };
  /** Opens the operator's socket in the data folder. Only for a caller who has locked that folder. */
  admin?: boolean;
  /** Without one, nothing is logged. */
  logger?: Logger;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** The timer of held calls, look-ups of credentials, and limits of this relay alone. The machine's own by default. */
  steady?: SteadyClock;
  /** Entries of worker threads; the sources by default. A host with a bundler passes its bundles. */
  workers?: { store: URL };
  /** Called if the database failed. The relay then answers 503 to every write, and should be restarted. */
  onBroken?: (reason: string) => void;
}
