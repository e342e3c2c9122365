/**
 * The wrap under the system's key store: the data key is sealed under a random key, which the store keeps.
 */
import { randomBytes } from 'node:crypto';
import { openBox, sealBox } from '../../base/node/secret-box.ts';
import type { KeyStore } from './key-store.ts';
import { KEY_BYTES } from './plain-key.ts';
import type { SystemWrap } from './wraps.ts';

/** @throws if the store refuses */
export async function wrapByStore(store: KeyStore, key: Uint8Array): Promise<SystemWrap> {
  const wrapping = randomBytes(KEY_BYTES);
  const reference = await store.keep(wrapping);
  const named = { kind: 'system' as const, store: store.name, reference };
  const wrap = { ...named, ...sealBox(wrapping, key, purposeOf(named)) };
  wrapping.fill(0);
  return wrap;
}

/**
 * The data key, or null if the store does not open it now, or if the wrap was changed.
 * @returns `isStale` if the store asks to wrap the key again
 */
export async function openByStore(
  store: KeyStore,
  wrap: SystemWrap,
): Promise<{ key: Buffer; isStale: boolean } | null> {
  try {
    const { secret, isStale } = await store.fetch(wrap.reference);
    const key = openBox(secret, wrap, purposeOf(wrap));
    secret.fill(0);
    return key && { key, isStale };
  } catch {
    return null;
  }
}

function purposeOf({ store, reference }: Pick<SystemWrap, 'store' | 'reference'>): string {
  return `waxwing data key v1 under the key store ${store}, ${reference}`;
}
