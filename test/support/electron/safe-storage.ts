/**
 * Electron's asynchronous safeStorage, in every state that a desktop can put it in.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type * as Electron from 'electron';
import type { AppDouble } from './app.ts';

const NOT_READY = 'safeStorage cannot be used before app is ready';

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
  readonly #key: Buffer;

  /** @param key of the desktop's key store, 32 bytes; another one is another desktop's */
  constructor(app: AppDouble, key: Buffer = randomBytes(32)) {
    this.#app = app;
    this.#key = key;
  }

  /** Asked too early, the real one does not complain: there is none. */
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return this.#app.isUp && this.available;
  }

  getSelectedStorageBackend() {
    return this.#app.isUp ? this.backend : 'unknown';
  }

  async encryptStringAsync(text: string): Promise<Buffer> {
    this.#app.requireReady(NOT_READY);
    if (!this.wraps) {
      throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.');
    }
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return Buffer.concat([Buffer.from(this.tag), nonce, sealed]);
  }

  async decryptStringAsync(wrapped: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> {
    this.#app.requireReady(NOT_READY);
    if (!Buffer.isBuffer(wrapped)) {
      throw new Error('Expected the first argument of decryptStringAsync() to be a buffer');
    }
    if (wrapped.length === 0) return { result: '', shouldReEncrypt: false };
    try {
      if (!this.opens) throw new Error('the key store does not open');
      const decipher = createDecipheriv('aes-256-gcm', this.#key, wrapped.subarray(3, 15));
      decipher.setAuthTag(wrapped.subarray(-16));
      const result = decipher.update(wrapped.subarray(15, -16), undefined, 'utf8') + decipher.final('utf8');
      return { result, shouldReEncrypt: this.shouldReEncrypt };
    } catch {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
    }
  }
}
