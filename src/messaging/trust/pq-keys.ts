/**
 * The post-quantum keys of devices. A seal key names its own by digest; the key is fetched once, and checked
 * against the digest.
 */

import { BoundedMap } from '../../protocol/bounded-map.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { RecipientKey } from '../../protocol/envelope.ts';
import { MAX_PQ_KEYS } from '../../protocol/limits.ts';
import { isPqKeyOf, type SealKey } from '../../protocol/seal-key.ts';
import type { KeySource } from '../relay.ts';

/** Limit of keys in memory, 1,184 bytes each. Devices make new ones each day. */
const MAX_KEPT = 10_000;

export class PqKeys {
  readonly #source: Pick<KeySource, 'pqKeys'>;
  readonly #kept = new BoundedMap<string, Uint8Array>(MAX_KEPT);

  constructor(source: Pick<KeySource, 'pqKeys'>) {
    this.#source = source;
  }

  /**
   * Recipient keys of devices. If a statement names a post-quantum key, it is required: no copy for that
   * device is sealed without it.
   * @returns by seal key, without those whose post-quantum key the relay does not show
   * @throws the errors of the source
   */
  async recipientKeys(sealKeys: readonly SealKey[]): Promise<Map<SealKey, RecipientKey>> {
    const pqKeys = await this.#get(new Set(sealKeys.flatMap(({ pq }) => pq ?? [])));
    const recipientKeys = new Map<SealKey, RecipientKey>();
    for (const sealKey of sealKeys) {
      const x25519 = decodeBase64Url(sealKey.key);
      const mlKem = sealKey.pq === null ? null : pqKeys.get(sealKey.pq);
      if (mlKem === null) recipientKeys.set(sealKey, x25519);
      else if (mlKem) recipientKeys.set(sealKey, { x25519, mlKem });
    }
    return recipientKeys;
  }

  async #get(digests: ReadonlySet<string>): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const unknown: string[] = [];
    for (const digest of digests) {
      const key = this.#kept.get(digest);
      if (key) found.set(digest, key);
      else unknown.push(digest);
    }
    for (let start = 0; start < unknown.length; start += MAX_PQ_KEYS) {
      const batch = unknown.slice(start, start + MAX_PQ_KEYS);
      for (const [digest, text] of Object.entries(await this.#source.pqKeys(batch))) {
        const key = decodeBase64Url(text);
        if (!digests.has(digest) || !isPqKeyOf(digest, key)) continue;
        found.set(digest, key);
        this.#kept.set(digest, key);
      }
    }
    return found;
  }
}
