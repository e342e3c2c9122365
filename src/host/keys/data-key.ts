/**
 * The data key of a folder: 32 random bytes that open the cache. On disk it exists only in wraps (keys.json),
 * each for one holder: the system's key store, a passphrase, or the person's recovery phrase.
 *
 * The key is returned to the caller that opens it and not stored here. Calls must not overlap, which the
 * session ensures.
 */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { log } from '../../base/log.ts';
import { openRecoveryWrap, type RecoveryWrap } from '../../base/node/recovery-wrap.ts';
import { openWithPassphrase, sealWithPassphrase } from '../../base/node/secret-box.ts';
import { requirePassphrase } from '../../base/require-passphrase.ts';
import { walletFromSecret } from '../../base/wallet-secret.ts';
import { hasMessages, makeDataFolder, removeEngineData } from '../data-folder.ts';
import { Attempts } from './attempts.ts';
import type { FindKeyStore, KeyStore } from './key-store.ts';
import { KEY_BYTES, PLAIN_KEY_FILE, readPlainKey, removePlainKey, writePlainKey } from './plain-key.ts';
import { type AskReason, decideStart } from './start-state.ts';
import { openByStore, wrapByStore } from './system-wrap.ts';
import { isUnsettled, markUnsettled, settle } from './unsettled.ts';
import { KEYS_FILE, readWraps, type Wrap, writeWraps } from './wraps.ts';

const PURPOSE = 'waxwing data key v1';

/**
 * The question before a key can be opened. `store-refused`: the key store exists and does not open its wrap.
 */
export type KeyQuestion = 'choose-passphrase' | AskReason | 'store-refused';

/** The protection of the key on this machine. */
export type KeyHolder = 'store' | 'passphrase' | 'plain-file';

export interface DataKeyOptions {
  /** The data folder. */
  folder: string;
  findStore: FindKeyStore;
  /** True if the person has requested a key without protection, for a new folder. */
  mayBePlain: boolean;
}

export class DataKey {
  readonly attempts: Attempts;
  readonly #folder: string;
  readonly #findStore: FindKeyStore;
  readonly #mayBePlain: boolean;
  #store: KeyStore | null = null;

  constructor({ folder, findStore, mayBePlain }: DataKeyOptions) {
    this.#folder = makeDataFolder(folder);
    this.#findStore = findStore;
    this.#mayBePlain = mayBePlain;
    this.attempts = new Attempts(folder);
  }

  /**
   * Opens the key without a question, and creates it in a new folder; otherwise returns the question.
   * @param hasPassphrase whether a new passphrase was given, which takes precedence over other protection
   * @throws Failure with nothing changed
   */
  async start(hasPassphrase = false): Promise<Buffer | KeyQuestion> {
    const wraps = readWraps(this.#folder);
    this.#store = await this.#findStore();
    const step = decideStart({
      passphraseWrap: wraps.some(({ kind }) => kind === 'passphrase'),
      recoveryWrap: wraps.some(({ kind }) => kind === 'recovery'),
      wrapStores: wraps.flatMap((wrap) => (wrap.kind === 'system' ? [wrap.store] : [])),
      plainKey: existsSync(join(this.#folder, PLAIN_KEY_FILE)),
      messages: hasMessages(this.#folder),
      store: this.#store?.name ?? null,
      mayBePlain: this.#mayBePlain,
      hasPassphrase,
    });
    switch (step.do) {
      case 'make':
        return this.#make(step.keptBy);
      case 'open':
        return step.by === 'store' ? this.#openByStore() : this.#requirePlainKey();
      case 'wrap-plain-key':
        return this.#wrapPlainKey();
      case 'ask':
        return step.because;
      case 'choose-passphrase':
        // A damaged plain key is reported before anyone is asked for a passphrase.
        readPlainKey(this.#folder);
        return step.do;
      case 'refuse':
        throw new Failure('keys_missing', { path: this.#folder, file: KEYS_FILE });
    }
  }

  /** Holder of the key; null without one. */
  get holder(): KeyHolder | null {
    const wraps = readWraps(this.#folder);
    if (wraps.some(({ kind }) => kind === 'passphrase')) return 'passphrase';
    if (existsSync(join(this.#folder, PLAIN_KEY_FILE))) return 'plain-file';
    return wraps.some(({ kind }) => kind === 'system') ? 'store' : null;
  }

  /** Reports whether only a passphrase can protect the key. */
  get needsPassphrase(): boolean {
    return this.#store === null && !this.#mayBePlain;
  }

  /** Reports whether the recovery phrase opens the key: not before there is an identity. */
  get canBeRecovered(): boolean {
    return readWraps(this.#folder).some(({ kind }) => kind === 'recovery');
  }

  /**
   * Answers `choose-passphrase`: creates the key, or uses the plain one, and protects it by the passphrase.
   */
  async choosePassphrase(passphrase: string): Promise<Buffer> {
    const key = readPlainKey(this.#folder) ?? randomBytes(KEY_BYTES);
    await this.protectByPassphrase(key, passphrase);
    return key;
  }

  /**
   * Opens the key with a passphrase.
   * @throws Failure `wrong_passphrase`, `attempts_too_many`
   */
  async openByPassphrase(passphrase: string): Promise<Buffer> {
    const wrap = readWraps(this.#folder).find(({ kind }) => kind === 'passphrase');
    if (wrap?.kind !== 'passphrase') throw new Failure('passphrase_not_set');
    const key = await this.attempts.make(() => openWithPassphrase(passphrase, wrap, PURPOSE));
    if (!key) throw new Failure('passphrase_wrong');
    removePlainKey(this.#folder, key);
    return key;
  }

  /**
   * Opens the key with the recovery phrase or the private key, and protects it again: by a given passphrase,
   * or else as at the first start.
   * @throws Failure
   */
  async openByRecovery(secret: string, passphrase: string | null): Promise<Buffer> {
    const wrap = readWraps(this.#folder).find(({ kind }) => kind === 'recovery');
    const { wallet } = walletFromSecret(secret);
    const key = wrap?.kind === 'recovery' ? openRecoveryWrap(wrap, wallet.privateKey) : null;
    if (!key) {
      throw new Failure('recovery_wrong');
    }
    if (passphrase !== null) await this.protectByPassphrase(key, passphrase);
    else await this.protectWithoutPassphrase(key);
    this.attempts.reset();
    return key;
  }

  /**
   * Protects the key by a new passphrase, and by nothing else but the recovery phrase.
   * @param own handle and name of the person, if known
   * @throws Failure for a passphrase that is too short or too easy to guess
   */
  async protectByPassphrase(key: Buffer, passphrase: string, own: readonly string[] = []): Promise<void> {
    requirePassphrase(passphrase, own);
    await this.#wrapByPassphrase(key, passphrase);
  }

  async #wrapByPassphrase(key: Buffer, passphrase: string): Promise<void> {
    const wraps = readWraps(this.#folder);
    const box = await sealWithPassphrase(passphrase, key, PURPOSE);
    writeWraps(this.#folder, [
      { kind: 'passphrase', ...box },
      ...wraps.filter(({ kind }) => kind === 'recovery'),
    ]);
    await this.#forget(wraps);
    removePlainKey(this.#folder, key);
  }

  /**
   * Protects the key by the current key store; without one it is stored plain, if the person allows that.
   * @throws Failure without any protection
   */
  async protectWithoutPassphrase(key: Buffer): Promise<void> {
    if (this.#store !== null) return this.#protectByStore(key);
    if (!this.#mayBePlain) {
      throw new Failure('key_store_none');
    }
    writePlainKey(this.#folder, key);
    writeWraps(
      this.#folder,
      readWraps(this.#folder).filter(({ kind }) => kind === 'recovery'),
    );
  }

  /** Opens the key without a passphrase, as at start. */
  async openUnasked(): Promise<Buffer> {
    const opened = await this.start();
    if (typeof opened !== 'string') return opened;
    throw new Failure('key_store_refuses');
  }

  /** Removes all wraps but one: the others belong to an identity that is about to be deleted. */
  removeOtherWraps(): void {
    const own = (wrap: Wrap) =>
      wrap.kind === 'passphrase' || (wrap.kind === 'system' && wrap.store === this.#store?.name);
    writeWraps(this.#folder, readWraps(this.#folder).filter(own));
  }

  /**
   * Replaces the key, with the same protection. The old one is erased, so remains on the disk cannot be opened.
   * @param passphrase the current one; null for none
   */
  async replace(passphrase: string | null): Promise<Buffer> {
    const key = randomBytes(KEY_BYTES);
    if (this.holder === 'passphrase') await this.#wrapByPassphrase(key, passphrase ?? '');
    else await this.protectWithoutPassphrase(key);
    return key;
  }

  /** Stores the engine's recovery wrap. */
  keepRecovery(wrap: RecoveryWrap): void {
    const others = readWraps(this.#folder).filter(({ kind }) => kind !== 'recovery');
    writeWraps(this.#folder, [...others, wrap]);
  }

  async #make(keptBy: 'store' | 'plain-file'): Promise<Buffer | KeyQuestion> {
    const key = randomBytes(KEY_BYTES);
    if (keptBy === 'plain-file') {
      writePlainKey(this.#folder, key);
      return key;
    }
    return (await this.#tryStore(key)) ? key : 'choose-passphrase';
  }

  async #openByStore(): Promise<Buffer | KeyQuestion> {
    const store = this.#store;
    const wrap = readWraps(this.#folder).find((each) => each.kind === 'system' && each.store === store?.name);
    if (!store || wrap?.kind !== 'system') return 'store-missing';
    const opened = await openByStore(store, wrap);
    if (!opened) return this.#isLost() ? this.#beginAgain() : 'store-refused';
    settle(this.#folder);
    // The key is open: if no better wrap can be made, the current one stays.
    if (opened.isStale) await this.#tryStore(opened.key);
    removePlainKey(this.#folder, opened.key);
    return opened.key;
  }

  /**
   * Reports whether the first start crashed before the key store had stored anything. A recovery wrap means that an
   * identity exists.
   */
  #isLost(): boolean {
    return isUnsettled(this.#folder) && readWraps(this.#folder).length === 1;
  }

  #beginAgain(): Promise<Buffer | KeyQuestion> {
    log('warn', 'keys.lost');
    if (hasMessages(this.#folder)) removeEngineData(this.#folder);
    writeWraps(this.#folder, []);
    return this.#make('store');
  }

  #requirePlainKey(): Buffer {
    const key = readPlainKey(this.#folder);
    if (!key) throw new Failure('key_vanished', { path: this.#folder });
    return key;
  }

  async #wrapPlainKey(): Promise<Buffer | KeyQuestion> {
    const key = this.#requirePlainKey();
    return (await this.#tryStore(key)) ? key : 'choose-passphrase';
  }

  async #tryStore(key: Buffer): Promise<boolean> {
    try {
      await this.#protectByStore(key);
      return true;
    } catch {
      return false;
    }
  }

  /** Wraps of other desktops' key stores stay: returning to one of them opens the key again. */
  async #protectByStore(key: Buffer): Promise<void> {
    const store = this.#store;
    if (!store) throw new Failure('key_store_none');
    const wraps = readWraps(this.#folder);
    const keep = wraps.filter(
      (each) => each.kind === 'recovery' || (each.kind === 'system' && each.store !== store.name),
    );
    const wrapped = await wrapByStore(store, key);
    const settled = store.settled?.() ?? null;
    if (settled) markUnsettled(this.#folder);
    writeWraps(this.#folder, [wrapped, ...keep]);
    void settled?.then(() => settle(this.#folder));
    await this.#forget(wraps.filter((each) => !keep.includes(each)));
    removePlainKey(this.#folder, key);
  }

  /** After the new file is durable: a key store that refuses to forget has a useless key. */
  async #forget(wraps: readonly Wrap[]): Promise<void> {
    for (const wrap of wraps) {
      if (wrap.kind !== 'system' || wrap.store !== this.#store?.name) continue;
      await this.#store.forget(wrap.reference).catch(() => undefined);
    }
  }
}
