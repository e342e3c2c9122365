/**
 * A key store that outlives its process, in its own folder.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyStore } from '../../src/host/keys/key-store.ts';

export class FileKeyStore implements KeyStore {
  readonly name = 'keyring/file';
  readonly #folder: string;
  isStale = false;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async keep(secret: Uint8Array): Promise<string> {
    const reference = randomUUID();
    writeFileSync(join(this.#folder, reference), secret);
    return reference;
  }

  async fetch(reference: string): Promise<{ secret: Buffer; isStale: boolean }> {
    return { secret: readFileSync(join(this.#folder, reference)), isStale: this.isStale };
  }

  async forget(reference: string): Promise<void> {
    rmSync(join(this.#folder, reference));
  }
}
