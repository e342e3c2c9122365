/**
 * Credentials that were looked up a moment ago, so that one that calls often is not looked up for each call.
 *
 * What is held is a lease: it ends at once when this relay ends the credential, when another relay tells that it did, and
 * after a second in any case. A relay on the same database that hears nothing serves a credential for no longer than
 * that. It sends with a lease. What was read is told after another look, and all else is done after one (routes/endpoint.ts).
 */
import type { CredentialRecord } from './store/records.ts';
import type { Store } from './store/store.ts';

/** How long a look-up counts, in milliseconds. */
export const CREDENTIAL_LEASE = 1_000;
/** Credentials that are held at most. Beyond, all are looked up again. */
const MOST_LEASES = 10_000;

interface Lease {
  credential: CredentialRecord;
  /** Milliseconds of a monotonic clock. */
  until: number;
}

export class CredentialLeases {
  readonly #store: Pick<Store, 'findCredential'>;
  readonly #now: () => number;
  readonly #byDigest = new Map<string, Lease>();
  readonly #digests = new Map<string, string>();
  /** Counts what ended: a look-up that was under way meanwhile may have read what is true no longer. */
  #ends = 0;

  /** @param now a monotonic clock in milliseconds */
  constructor(store: Pick<Store, 'findCredential'>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * A credential that is valid, or was {@link CREDENTIAL_LEASE} ago.
   * @param digest hash of its secret
   * @param time milliseconds since 1970, for its expiry
   */
  async findCredential(digest: Uint8Array, time: number): Promise<CredentialRecord | null> {
    const key = Buffer.from(digest).toString('latin1');
    const lease = this.#byDigest.get(key);
    if (
      lease &&
      this.#now() < lease.until &&
      time < (lease.credential.expiresAt ?? Number.POSITIVE_INFINITY)
    ) {
      return lease.credential;
    }
    const ends = this.#ends;
    const until = this.#now() + CREDENTIAL_LEASE;
    const credential = await this.#store.findCredential(digest, time);
    if (credential && !credential.suspended && ends === this.#ends) this.#hold(key, { credential, until });
    return credential;
  }

  /** These credentials are valid no longer. */
  end(ids: readonly string[]): void {
    this.#ends++;
    for (const id of ids) {
      const key = this.#digests.get(id);
      if (key !== undefined) this.#byDigest.delete(key);
      this.#digests.delete(id);
    }
  }

  #hold(key: string, lease: Lease): void {
    if (this.#byDigest.size >= MOST_LEASES) {
      this.#byDigest.clear();
      this.#digests.clear();
    }
    this.#byDigest.set(key, lease);
    this.#digests.set(lease.credential.id, key);
  }
}
