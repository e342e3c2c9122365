/**
 * Sessions for tests: a real engine behind a real key, with a key store chosen by the test.
 */
import { randomUUID } from 'node:crypto';
import type { KeyStore } from '../../src/host/keys/key-store.ts';
import { Session, type SessionOptions } from '../../src/host/session.ts';

/** A session without a key store, whose key may be plain. Nothing listens at its relay. */
export function testSession(folder: string, options: Partial<SessionOptions> = {}): Session {
  return new Session({
    folder,
    findStore: async () => null,
    mayBePlain: true,
    relay: 'http://127.0.0.1:9',
    autoLockMinutes: () => null,
    ...options,
  });
}

/** A key store in memory that can be locked, and forgets nothing by default. */
export class MemoryKeyStore implements KeyStore {
  readonly name: string;
  readonly secrets = new Map<string, Buffer>();
  opens = true;
  keeps = true;
  isStale = false;

  constructor(name = 'keyring/test') {
    this.name = name;
  }

  async keep(secret: Uint8Array): Promise<string> {
    if (!this.keeps) throw new Error('The key store refuses.');
    const reference = randomUUID();
    this.secrets.set(reference, Buffer.from(secret));
    return reference;
  }

  async fetch(reference: string): Promise<{ secret: Buffer; isStale: boolean }> {
    const secret = this.secrets.get(reference);
    if (!this.opens || !secret) throw new Error('The key store is locked.');
    return { secret: Buffer.from(secret), isStale: this.isStale };
  }

  async forget(reference: string): Promise<void> {
    this.secrets.delete(reference);
  }
}
