/** Electron's asynchronous safeStorage, in every state of a desktop. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type * as Electron from 'electron';
import type { AppDouble } from './app.ts';

const NOT_READY = 'safeStorage cannot be used before app is ready';

type Backend = ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>;

/** The state of a desktop's key store while a program starts. */
export interface KeyStoreState {
  /** The backend that Chromium has chosen on Linux. */
  backend: Backend;
  /** The version that ciphertexts begin with; v10 is the key in Chromium's source code. */
  tag: 'v10' | 'v11';
  /** False while it is locked, or another desktop's. */
  opens: boolean;
  wraps: boolean;
  shouldReEncrypt: boolean;
}

/** A desktop without a key store: on Linux Chromium pretends to have one, on the others it encrypts nothing. */
export function noKeyStore(platform: NodeJS.Platform): Partial<KeyStoreState> {
  return platform === 'linux' ? { backend: 'basic_text', tag: 'v10' } : { opens: false, wraps: false };
}

export class SafeStorageDouble
  implements
    Pick<
      Electron.SafeStorage,
      'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
    >
{
  readonly #app: AppDouble;
  readonly #key: Buffer;
  readonly #state: KeyStoreState;
  #isAsked = false;

  /** @param key of the desktop's key store, 32 bytes; another one is another desktop's */
  constructor(app: AppDouble, key: Buffer = randomBytes(32)) {
    this.#app = app;
    this.#key = key;
    this.#state = {
      backend: 'gnome_libsecret',
      tag: 'v11',
      opens: true,
      wraps: true,
      shouldReEncrypt: false,
    };
  }

  /**
   * Drives: changes the state of the key store. After its first query, the real one checks again only after a
   * restart.
   */
  become(state: Partial<KeyStoreState>): void {
    if (this.#isAsked)
      throw new Error('Electron has asked the key store, and keeps what it heard until it ends');
    Object.assign(this.#state, state);
  }

  /** The real one reports false before the app is ready, and later always true. */
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (this.#app.isReady()) this.#isAsked = true;
    return this.#app.isReady();
  }

  getSelectedStorageBackend() {
    return this.#app.isReady() ? this.#state.backend : 'unknown';
  }

  async encryptStringAsync(text: string): Promise<Buffer> {
    this.#app.requireReady(NOT_READY);
    this.#isAsked = true;
    if (!this.#state.wraps) {
      throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.');
    }
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return Buffer.concat([Buffer.from(this.#state.tag), nonce, sealed]);
  }

  async decryptStringAsync(wrapped: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> {
    this.#app.requireReady(NOT_READY);
    if (!Buffer.isBuffer(wrapped)) {
      throw new Error('Expected the first argument of decryptStringAsync() to be a buffer');
    }
    if (wrapped.length === 0) return { result: '', shouldReEncrypt: false };
    this.#isAsked = true;
    try {
      if (!this.#state.opens) throw new Error('the key store does not open');
      const decipher = createDecipheriv('aes-256-gcm', this.#key, wrapped.subarray(3, 15));
      decipher.setAuthTag(wrapped.subarray(-16));
      const result = decipher.update(wrapped.subarray(15, -16), undefined, 'utf8') + decipher.final('utf8');
      return { result, shouldReEncrypt: this.#state.shouldReEncrypt };
    } catch {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
    }
  }
}
