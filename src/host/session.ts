/**
 * The lifecycle of the engine: locked or open. Shared by all hosts, which show its `state` and pass on the
 * person's input.
 *
 * Locked means closed: the engine's thread has ended, with the database, the poller and every key, and no
 * call of an interface is answered. The relay on this computer continues, because it cannot read anything.
 *
 * This file has the changes between these states. The protection of keys belongs in ./keys, and calls of a page in
 * ./lock-calls.ts and its neighbors.
 */
import { Failure } from '../base/failure.ts';
import { log, stopwatch, toFailure } from '../base/log.ts';
import type { EventName, Output } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import type { KeyProtection, LockState } from '../bridge/shapes/lock-state.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';
import type {
  BackupAccess,
  EngineHandle,
  FileAccess,
  FileSettings,
  InboxAccess,
  ReceiptSettings,
} from '../engine/start.ts';
import { removeEngineData } from './data-folder.ts';
import { EngineStarter, type EngineStarterOptions } from './engine-starter.ts';
import { IdleClock } from './idle-clock.ts';
import { DataKey, type DataKeyOptions, type KeyQuestion } from './keys/data-key.ts';
import { protectionOf } from './keys/protection.ts';
import { WaitingMessages } from './waiting-messages.ts';

export interface SessionOptions extends DataKeyOptions, EngineStarterOptions {
  /** Idle minutes before locking; read each time, null for never. */
  autoLockMinutes: () => number | null;
  /** Receipt settings, read when the data is opened; the defaults if absent. */
  receipts?: (() => ReceiptSettings) | undefined;
  /** Settings about files, read when the data is opened; the defaults if absent. */
  files?: (() => FileSettings) | undefined;
}

type Listener = (name: EventName, payload: unknown) => void;
type Phase = LockState['phase'];

const LOCKED: Answer<never> = {
  ok: false,
  failure: { code: 'locked', parameters: {} },
};

export class Session {
  /** The data folder. */
  readonly folder: string;
  readonly #starter: EngineStarter;
  readonly #findProxy: FindProxy;
  readonly #key: DataKey;
  readonly #listeners = new Set<Listener>();
  readonly #idle: IdleClock;
  readonly #receipts: SessionOptions['receipts'];
  readonly #files: SessionOptions['files'];
  #phase: Phase = 'opening';
  #question: KeyQuestion | null = null;
  #engine: EngineHandle | null = null;
  #waiting: WaitingMessages | null = null;
  #messagesWaiting = false;
  readonly #closing = new AbortController();
  #update: LockState['update'] = null;
  #failure: LockState['failure'] = null;
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws Failure */
  constructor(options: SessionOptions) {
    this.folder = options.folder;
    this.#starter = new EngineStarter(options);
    this.#findProxy = options.findProxy ?? findProxyByEnvironment;
    this.#key = new DataKey(options);
    this.#receipts = options.receipts;
    this.#files = options.files;
    this.#idle = new IdleClock(options.autoLockMinutes, () => {
      if (this.isOpen) void this.lock();
    });
  }

  /**
   * Opens without a question to the person.
   * @param passphrase given at start; for a new folder it becomes the passphrase
   * @throws Failure if the passphrase is wrong; Failure
   */
  start(passphrase: string | null = null): Promise<void> {
    return this.#inTurn(async () => {
      await this.#openWithKey(true, passphrase !== null);
      if (passphrase === null) return;
      if (this.#question === 'choose-passphrase')
        await this.#open(await this.#key.choosePassphrase(passphrase));
      else if (this.#question === 'passphrase')
        await this.#open(await this.#key.openByPassphrase(passphrase));
    });
  }

  /** Resolves with the failure of engine or relay. */
  get broken(): Promise<Failure> {
    return this.#starter.broken;
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  /** Reports whether locking is possible: unlocking requires a passphrase. */
  get canLock(): boolean {
    return this.isOpen && this.#key.holder === 'passphrase';
  }

  get state(): LockState {
    const { attempts, canBeRecovered, needsPassphrase } = this.#key;
    const question = this.#question;
    return {
      phase: this.#phase,
      because: question === 'choose-passphrase' ? null : question,
      canBeRecovered,
      needsPassphrase,
      failedAttempts: attempts.failed,
      wait: attempts.wait,
      messagesWaiting: this.#messagesWaiting,
      update: this.#update,
      failure: this.#failure,
    };
  }

  /** The key's protection. */
  get protection(): KeyProtection {
    return protectionOf(this.#key.holder);
  }

  /** Calls a procedure of the engine. Never rejects: locked is an answer, too. */
  async call(name: string, input: unknown): Promise<Answer<unknown>> {
    const engine = this.#engine;
    if (!engine) return LOCKED;
    const answer = await engine.call(name, input);
    // Calls running at the time of locking get no result.
    return this.#engine === engine ? answer : LOCKED;
  }

  /** Access to the bytes of files; null while locked. */
  get files(): FileAccess | null {
    return this.isOpen ? this.#engine : null;
  }

  /** Access to backups; null while locked. */
  get backups(): BackupAccess | null {
    return this.isOpen ? this.#engine : null;
  }

  /**
   * Listens to every event of the open engine, and `lock.changed`.
   * @returns the function that stops listening
   */
  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the receipt settings. */
  setReceipts(settings: ReceiptSettings): void {
    // An ending engine needs no settings; the next one reads them at start.
    void this.#engine?.setReceipts(settings).catch(() => undefined);
  }

  /** Changes the settings about files. */
  setFiles(settings: FileSettings): void {
    void this.#engine?.setFiles(settings).catch(() => undefined);
  }

  choose(passphrase: string): Promise<void> {
    return this.#answer(['choose-passphrase'], () => this.#key.choosePassphrase(passphrase));
  }

  unlock(passphrase: string): Promise<void> {
    return this.#answer(['passphrase'], () => this.#key.openByPassphrase(passphrase));
  }

  /** @param passphrase protects the key from then on; null if a key store can */
  recover(secret: string, passphrase: string | null): Promise<void> {
    const questions: KeyQuestion[] = [
      'passphrase',
      'store-changed',
      'store-missing',
      'store-refused',
      'other-host',
    ];
    return this.#answer(questions, () => this.#key.openByRecovery(secret, passphrase));
  }

  /** Tries the key store again. */
  retry(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.isOpen) throw new Failure('open_already');
      await this.#openWithKey(false);
    });
  }

  /** Records activity in the interface. */
  active(): void {
    this.#idle.active();
  }

  /** The computer woke, or its connection changed: retries everything that waits for the relay. */
  wake(): void {
    void this.call('connection.retry', {});
    this.#waiting?.retry();
  }

  /** Closes the data and forgets the key. Does nothing without a passphrase: anyone could unlock it. */
  lock(): Promise<void> {
    return this.#inTurn(async () => {
      const engine = this.#engine;
      if (!engine || !this.canLock) return;
      this.#engine = null;
      this.#settle('locked', 'passphrase');
      // Until its end, the engine may still receive messages, which then do not wait at the relay.
      let hasArrived = false;
      engine.onEvent((name) => {
        hasArrived ||= name === 'message.arrived';
      });
      const access = await engine.inboxAccess().catch(() => null);
      await engine.close();
      log('info', 'session.locked');
      if (hasArrived) this.#reportWaiting();
      else if (access) this.#watch(access);
    });
  }

  /** Protects the key by a first passphrase. */
  turnOn(passphrase: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireOpen();
      if (this.#key.holder === 'passphrase') throw new Failure('lock_on_already');
      await this.#reprotect(await this.#key.openUnasked(), (key) => this.#choose(key, passphrase));
    });
  }

  turnOff(passphrase: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireOpen();
      await this.#reprotect(await this.#key.openByPassphrase(passphrase), (key) =>
        this.#key.protectWithoutPassphrase(key),
      );
    });
  }

  changePassphrase(passphrase: string, next: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#requireOpen();
      await this.#reprotect(await this.#key.openByPassphrase(passphrase), (key) => this.#choose(key, next));
    });
  }

  /**
   * Verifies the person before their key is shown.
   * @param passphrase the current one, or null for none
   * @throws Failure if it is wrong
   */
  confirm(passphrase: string | null): Promise<void> {
    return this.#inTurn(() => this.#confirm(passphrase));
  }

  async #confirm(passphrase: string | null): Promise<void> {
    this.#requireOpen();
    if (this.#key.holder === 'passphrase') (await this.#key.openByPassphrase(passphrase ?? '')).fill(0);
  }

  /** The person's recovery secret. Verified as by {@link confirm}. */
  revealSecret(passphrase: string | null): Promise<{ kind: 'phrase' | 'key'; secret: string }> {
    return this.#inTurn(async () => {
      await this.#confirm(passphrase);
      const secret = await this.#engine?.recoverySecret();
      if (secret === undefined) throw new Failure('locked');
      return { kind: secret.includes(' ') ? 'phrase' : 'key', secret };
    });
  }

  /**
   * Deletes the person's identity and messages from this computer, and starts again.
   * @param passphrase the current one, or null for none
   * @throws Failure if it is wrong: then nothing was deleted
   */
  wipe(passphrase: string | null): Promise<void> {
    return this.#inTurn(async () => {
      await this.#confirm(passphrase);
      const engine = this.#engine;
      this.#engine = null;
      this.#settle('opening', null);
      await engine?.close();
      this.#key.removeOtherWraps();
      removeEngineData(this.folder);
      await this.#open(await this.#key.replace(passphrase));
    });
  }

  /** Ends everything in order: the engine first, so that its last calls reach the relay. */
  close(): Promise<void> {
    this.#idle.close();
    // An update of large data may take minutes.
    this.#closing.abort();
    return this.#inTurn(async () => {
      // In turn: a running lock starts the watch for messages when it is done.
      this.#waiting?.close();
      const engine = this.#engine;
      this.#engine = null;
      await engine?.close();
      await this.#starter.close();
    });
  }

  async #openWithKey(isStart: boolean, hasPassphrase = false): Promise<void> {
    const opened = await this.#key.start(hasPassphrase);
    if (typeof opened !== 'string') await this.#open(opened, isStart ? 'opening' : 'locked');
    else this.#settle(opened === 'choose-passphrase' ? opened : 'locked', opened);
  }

  #answer(questions: readonly KeyQuestion[], open: () => Promise<Buffer>): Promise<void> {
    return this.#inTurn(async () => {
      const question = this.#question;
      if (question === null || !questions.includes(question)) {
        throw new Failure('not_asked_now');
      }
      const ms = stopwatch();
      this.#failure = null;
      const key = await open().catch((error) => {
        // Every page shows the number of failed attempts.
        this.#settle(this.#phase, question);
        throw error;
      });
      log('info', 'session.unlocked', { ms: ms() });
      await this.#open(key);
    });
  }

  /** @param failed phase after a failure: at the first start there is nothing to unlock */
  async #open(key: Buffer, failed: Phase = 'locked'): Promise<void> {
    const ms = stopwatch();
    const question = this.#question;
    const databaseKey = new Uint8Array(key);
    key.fill(0);
    this.#failure = null;
    this.#settle('opening', question);
    try {
      const engine = await this.#starter.start({
        databaseKey,
        receipts: this.#receipts?.(),
        files: this.#files?.(),
        signal: this.#closing.signal,
        onUpdate: (update) => {
          this.#update = update;
          this.#emit('lock.changed', this.state);
        },
        keepRecoveryWrap: this.#key.canBeRecovered
          ? undefined
          : (wrap) => {
              this.#key.keepRecovery(wrap);
              this.#emit('lock.changed', this.state);
            },
      });
      engine.onEvent((name, payload) => {
        if (this.#engine === engine) this.#emit(name, payload);
      });
      this.#engine = engine;
    } catch (error) {
      this.#update = null;
      const failure = toFailure(error);
      this.#failure = failure.data;
      this.#settle(failed, question);
      throw failure;
    } finally {
      databaseKey.fill(0);
    }
    this.#update = null;
    this.#idle.active();
    this.#waiting?.close();
    this.#messagesWaiting = false;
    log('info', 'session.opened', { ms: ms() });
    this.#settle('open', null);
  }

  #watch(access: InboxAccess): void {
    this.#waiting?.close();
    this.#waiting = new WaitingMessages(access, () => this.#reportWaiting(), this.#findProxy);
  }

  #reportWaiting(): void {
    this.#messagesWaiting = true;
    this.#emit('lock.changed', this.state);
  }

  /** Sets a passphrase while the data is open: then its owner is known. */
  async #choose(key: Buffer, passphrase: string): Promise<void> {
    const state = await this.#engine?.call('app.state', {});
    const me = state?.ok ? (state.value as Output<'app.state'>).me : null;
    const own = [me?.handle, me?.displayName].filter((name) => typeof name === 'string');
    await this.#key.protectByPassphrase(key, passphrase, own);
  }

  async #reprotect(key: Buffer, protect: (key: Buffer) => Promise<void>): Promise<void> {
    try {
      await protect(key);
    } finally {
      key.fill(0);
    }
    this.#emit('lock.changed', this.state);
  }

  #requireOpen(): void {
    if (!this.isOpen) throw new Failure('locked');
  }

  #settle(phase: Phase, question: KeyQuestion | null): void {
    this.#phase = phase;
    this.#question = question;
    this.#emit('lock.changed', this.state);
  }

  #emit(name: EventName, payload: unknown): void {
    for (const listener of this.#listeners) listener(name, payload);
  }

  /** Sequential: two attempts at once would be two guesses for one wait. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
