/**
 * The operating system's key store, as used by a host: it stores a small secret for one person on one
 * machine.
 */
export interface KeyStore {
  /**
   * Name of the store, prefixed with the name of its host. A wrap names its store, and only that one opens
   * it.
   */
  readonly name: string;
  /**
   * Stores a secret. The returned reference is not secret.
   * @throws if the store refuses
   */
  keep(secret: Uint8Array): Promise<string>;
  /**
   * Fetches a secret.
   * @returns `isStale` if the store asks to store it again
   * @throws if the store is locked, refuses, or does not have it
   */
  fetch(reference: string): Promise<{ secret: Buffer; isStale: boolean }>;
  /**
   * Resolves when the stored secret is safe from a crash of this process; null if it is already. Absent in a
   * store that writes at once.
   */
  settled?(): Promise<void> | null;
  /** Forgets a secret, if the store can. */
  forget(reference: string): Promise<void>;
}

/** Finds the key store of this machine; null without a protecting one. */
export type FindKeyStore = () => Promise<KeyStore | null>;
