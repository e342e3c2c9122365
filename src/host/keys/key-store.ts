/**
 * The operating system's key store, as far as a host needs one: it keeps a small secret, and gives it back to the
 * same person on the same machine.
 */
export interface KeyStore {
  /** Which store it is, behind the name of the host that uses it. A wrap names it, and is opened only by the one that it names. */
  readonly name: string;
  /**
   * Keeps a secret. What is returned finds it again and is no secret itself.
   * @throws if the store refuses
   */
  keep(secret: Uint8Array): Promise<string>;
  /**
   * Gives a secret back.
   * @returns `isStale` if the store asks that it be kept again
   * @throws if the store is locked, refuses, or does not have it
   */
  fetch(reference: string): Promise<{ secret: Buffer; isStale: boolean }>;
  /**
   * Resolves when what it was given would outlive a crash of this process; null if it would already. A store without
   * this keeps everything at once.
   */
  settled?(): Promise<void> | null;
  /** Forgets a secret, where the store can. */
  forget(reference: string): Promise<void>;
}

/** Finds the key store of this machine; null where there is none that protects anything. */
export type FindKeyStore = () => Promise<KeyStore | null>;
