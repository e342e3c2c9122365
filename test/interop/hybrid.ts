/**
 * ML-KEM keys of devices, protocol §6 and §14: statements name them by digest, and the relay has them.
 */
import { type Bytes, base64url, fromBase64url, sha256 } from './bytes.ts';
import type { Calls } from './calls.ts';
import type { SealKey } from './device.ts';

/** Asks for at most so many at a time. */
const MOST_DIGESTS = 1000;

/**
 * The ML-KEM keys of the devices that have one.
 * @returns what sealing takes beside a device's X25519 key
 * @throws Error while the relay withholds one or shows another: nothing is sealed to that device meanwhile
 */
export async function hybridKeys(
  calls: Calls,
  sealKeys: readonly SealKey[],
): Promise<(deviceKey: string) => { pqKey?: Bytes }> {
  const wanted = sealKeys.flatMap(({ key, pq }) => (pq === null ? [] : [{ key, pq }]));
  const found = new Map<string, Bytes>();
  for (let at = 0; at < wanted.length; at += MOST_DIGESTS) {
    const part = wanted.slice(at, at + MOST_DIGESTS);
    const digests = [...new Set(part.map(({ pq }) => pq))];
    const { keys } = await calls.expect<{ keys: Record<string, string> }>(200, 'POST', '/pq-keys', {
      digests,
    });
    for (const { key, pq } of part) {
      const pqKey = fromBase64url(keys[pq] ?? '');
      if (base64url(sha256(pqKey)) !== pq) throw new Error('the relay does not show an ML-KEM key');
      found.set(key, pqKey);
    }
  }
  return (deviceKey) => {
    const pqKey = found.get(deviceKey);
    return pqKey ? { pqKey } : {};
  };
}
