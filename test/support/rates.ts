import { DEFAULT_QUOTAS } from '../../src/protocol/limits.ts';

/** High rates that are never reached, for tests and benchmarks that call often. */
const roomy = { burst: 1e6, perSecond: 1e6 };
export const ROOMY_RATES = {
  credential: roomy,
  address: roomy,
  login: roomy,
  link: roomy,
  openJoin: roomy,
  recipient: roomy,
  remembered: roomy,
};

/** Shares that leave a queue to the first sender, for tests of the queue as a whole. */
export const WHOLE_QUEUE = { sender: 1, network: 1 };

/** Invented logins of a test do not end the sessions that it uses. */
export const ROOMY_QUOTAS = { ...DEFAULT_QUOTAS, sessions: 100_000 };
