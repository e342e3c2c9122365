/**
 * A short cache of credentials, so that frequent calls do not look them up each time.
 *
 * A cached credential is a lease. It ends at once when this relay revokes the credential, or when another relay
 * reports its revocation; it always ends after a second. So a relay without such a report serves a revoked
 * credential for a second at most. Sending needs only a lease. A read needs a new look-up before its answer is sent.
 * Every other call needs a look-up of its own when it arrives. That look-up serves the call, unless it is more than
 * half a second old when the body has arrived, or the call waits for its turn: then it is repeated
 * (routes/endpoint.ts).
 */
import { bytesOfDigest, digestTextOf } from './secrets.ts';
import type { CredentialRecord } from './store/records.ts';
import type { Store } from './store/store.ts';

/** The lifetime of a look-up, in milliseconds. */
export const CREDENTIAL_LEASE = 1_000;
/** The most leases. Beyond this, all are looked up again. */
const MAX_LEASES = 10_000;

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
  /** Counts revocations: a look-up in progress meanwhile may have read outdated data. */
  #ends = 0;

  /** @param now a monotonic clock in milliseconds */
  constructor(store: Pick<Store, 'findCredential'>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * A credential that is valid, or was {@link CREDENTIAL_LEASE} ago.
   * @param time milliseconds since 1970, for its expiry
   * @returns a promise only for a look-up
   */
  findCredential(secret: string, time: number): CredentialRecord | Promise<CredentialRecord | null> {
    const key = digestTextOf(secret);
    const lease = this.#byDigest.get(key);
    if (
      lease &&
      this.#now() < lease.until &&
      time < (lease.credential.expiresAt ?? Number.POSITIVE_INFINITY)
    ) {
      return lease.credential;
    }
    return this.#lookUp(key, time);
  }

  async #lookUp(key: string, time: number): Promise<CredentialRecord | null> {
    const ends = this.#ends;
    const until = this.#now() + CREDENTIAL_LEASE;
    const credential = await this.#store.findCredential(bytesOfDigest(key), time);
    if (credential && !credential.suspended && ends === this.#ends) this.#save(key, { credential, until });
    return credential;
  }

  /** These credentials are no longer valid. */
  end(ids: readonly string[]): void {
    this.#ends++;
    for (const id of ids) {
      const key = this.#digests.get(id);
      if (key !== undefined) this.#byDigest.delete(key);
      this.#digests.delete(id);
    }
  }

  #save(key: string, lease: Lease): void {
    if (this.#byDigest.size >= MAX_LEASES) {
      this.#byDigest.clear();
      this.#digests.clear();
    }
    this.#byDigest.set(key, lease);
    this.#digests.set(lease.credential.id, key);
  }
}
