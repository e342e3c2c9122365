/**
 * Electron's asynchronous safeStorage, in every state that a desktop can put it in.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type * as Electron from 'electron';
import type { AppDouble } from './app.ts';

export class SafeStorageDouble
  implements
    Pick<
      Electron.SafeStorage,
      'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
    >
{
  available = true;
  backend: ReturnType<Electron.SafeStorage['getSelectedStorageBackend']> = 'gnome_libsecret';
  /** The version that ciphertexts begin with; v10 is the key that stands in Chromium's source. */
  tag: 'v10' | 'v11' = 'v11';
  /** The key store is locked, or another desktop's. */
  opens = true;
  wraps = true;
  shouldReEncrypt = false;
  readonly #app: AppDouble;
  readonly #key = randomBytes(32);

  constructor(app: AppDouble) {
    this.#app = app;
  }

  async isAsyncEncryptionAvailable(): Promise<boolean> {
    this.#app.requireReady('safeStorage');
    return this.available;
  }

  getSelectedStorageBackend() {
    this.#app.requireReady('safeStorage');
    return this.backend;
  }

  async encryptStringAsync(text: string): Promise<Buffer> {
    this.#app.requireReady('safeStorage');
    if (!this.wraps) throw new Error('Error while encrypting the text provided');
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return Buffer.concat([Buffer.from(this.tag), nonce, sealed]);
  }

  async decryptStringAsync(wrapped: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> {
    this.#app.requireReady('safeStorage');
    if (!this.opens) throw new Error('Error while decrypting the ciphertext provided');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, wrapped.subarray(3, 15));
    decipher.setAuthTag(wrapped.subarray(-16));
    const result = decipher.update(wrapped.subarray(15, -16), undefined, 'utf8') + decipher.final('utf8');
    return { result, shouldReEncrypt: this.shouldReEncrypt };
  }
}
