/**
 * Access to the browser host: by a link printed in this host's terminal.
 *
 * A link contains a token that works once and for ten minutes. It is exchanged for a bearer, which the page
 * keeps as long as its tab is open. The bearer is only in memory here: a restart revokes all of them.
 */
import { randomBytes } from 'node:crypto';

/** Lifetime of a link in milliseconds: time to copy it from one terminal and machine to another. */
export const LINK_LIFE = 10 * 60_000;
const MAX_BEARERS = 64;

export class LaunchTokens {
  readonly #links = new Map<string, number>();
  readonly #bearers = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A token for a new link. */
  issue(): string {
    const token = secret();
    this.#links.set(token, this.#now() + LINK_LIFE);
    return token;
  }

  /** Exchanges a link's token for a bearer; null for a used, expired or unknown token. */
  exchange(token: string): string | null {
    const until = this.#links.get(token);
    // Deleted first: of two simultaneous exchanges one fails.
    this.#links.delete(token);
    if (until === undefined || this.#now() >= until) return null;
    const bearer = secret();
    const [oldest] = this.#bearers;
    if (this.#bearers.size >= MAX_BEARERS && oldest !== undefined) this.#bearers.delete(oldest);
    this.#bearers.add(bearer);
    return bearer;
  }

  /** Revokes every bearer but one. */
  revokeOthers(bearer: string): void {
    for (const other of this.#bearers) if (other !== bearer) this.#bearers.delete(other);
  }

  isBearer(text: string): boolean {
    return this.#bearers.has(text);
  }
}

/** 256 random bits. Looked up in a hash table, so that the time does not depend on a guess. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}
