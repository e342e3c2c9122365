/** The operator's options. */
import type { Logger } from 'pino';
import type { Registration } from '../../protocol/schemas/accounts.ts';
import type { BlobPlace } from '../blobs/place.ts';
import type { SteadyClock } from '../steady-clock.ts';
import type { RelayLimits } from './limits.ts';

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
   * The rule for new accounts. By default everyone may open one, which suits a relay that only this computer
   * reaches. `waxwing relay` chooses by its listening address.
   */
  registration?: Registration;
  /** Allows members to make invitation codes, too. */
  memberInvitations?: boolean;
  /** Addresses that may claim reserved handles, by handle: those of built-in bots. None by default. */
  handleOwners?: Readonly<Record<string, string>>;
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
  /** The timer of open polls, look-ups of credentials, and limits of this relay alone. The machine's own by default. */
  steady?: SteadyClock;
  /** Entries of worker threads; the sources by default. A host with a bundler passes its bundles. */
  workers?: { store: URL };
  /** Called if the database failed. The relay then answers 503 to every write, and should be restarted. */
  onBroken?: (reason: string) => void;
}
