/**
 * The engine. The cache is the only source of truth, and procedures read and write it. With an account, the
 * outbox and the poller synchronise it with the relay. Runs in a worker thread (worker.ts).
 *
 * This file starts and ends the parts, and has the calls that only a host may make. Calls of a page belong in ./procedures, the
 * parts that need an account in ./online.ts, and all other work in the folders of this room.
 */
import { dirname } from 'node:path';
import type { BackupSecrets } from '../archive/keys.ts';
import { startTimer } from '../base/backoff.ts';
import { describe } from '../base/error-facts.ts';
import { Failure, failedWith } from '../base/failure.ts';
import { log, logUnexpected, stopwatch } from '../base/log.ts';
import { findSecretProblem, walletFromSecret } from '../base/wallet-secret.ts';
import type { EventName, EventPayload } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import type { FilePlace } from '../bridge/files.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';
import type { ReceiptSettings } from '../messaging/receipts/settings.ts';
import { isTransient } from '../messaging/relay.ts';
import { toFileName } from '../protocol/blob/file-name.ts';
import { answerOf, failureOf } from './answer.ts';
import { AutomaticBackups } from './backup/automatic.ts';
import { Backups, type RestoredBackup } from './backup/backups.ts';
import type { LastBackup } from './cache/backup-rows.ts';
import type { Cache } from './cache/database.ts';
import type { StoredFile } from './cache/files.ts';
import type { Identity } from './cache/identity-rows.ts';
import { CollectedEvents } from './collected-events.ts';
import { type Context, createContext, type FileSettings, type Surroundings } from './context.ts';
import { Expiry } from './expiry.ts';
import { FileAddresses } from './files/addresses.ts';
import { FileClearing } from './files/clearing.ts';
import { type FileOfMessage, filesOf, isInAcceptedChat, isPlayed, isProgram } from './files/message-files.ts';
import { FileThread, type FileWork } from './files/thread.ts';
import { sealedOf } from './files/transfers.ts';
import { openAccount } from './identity/account.ts';
import { Online } from './online.ts';
import type { FileParts } from './parts.ts';
import { Previews } from './previews/preview.ts';
import { accountProcedures } from './procedures/account.ts';
import { backupProcedures } from './procedures/backup.ts';
import { conversationProcedures } from './procedures/conversations.ts';
import { developerProcedures } from './procedures/developer.ts';
import { deviceProcedures } from './procedures/devices.ts';
import { diagnosticsProcedures } from './procedures/diagnostics.ts';
import { expiringFileProcedures } from './procedures/expiring-files.ts';
import { faceProcedures } from './procedures/faces.ts';
import { fileProcedures } from './procedures/files.ts';
import { groupLinkProcedures } from './procedures/group-links.ts';
import { groupProcedures } from './procedures/groups.ts';
import { historyProcedures } from './procedures/history.ts';
import type { Procedures } from './procedures/implementation.ts';
import { importProcedures } from './procedures/import.ts';
import { inviteProcedures } from './procedures/invites.ts';
import { linkProcedures } from './procedures/links.ts';
import { messageActionProcedures } from './procedures/message-actions.ts';
import { messageProcedures } from './procedures/messages.ts';
import { peopleProcedures } from './procedures/people.ts';
import { previewProcedures } from './procedures/previews.ts';
import { searchProcedures } from './procedures/search.ts';
import { setupProcedures } from './procedures/setup.ts';
import { storageProcedures } from './procedures/storage.ts';
import { SealingPool } from './sealing/pool.ts';
import { Indexer } from './search/indexer.ts';
import type { BackupChoice, FileBytes, FileDescription, InboxAccess } from './start.ts';

/** Duration from which a call is logged, in milliseconds. */
const SLOW_CALL = 1_000;

export interface EngineSettings {
  sealingWorker: URL;
  fileWorker: URL;
  relays: { embedded: string | null; fixed: string | null };
  /** Called with the wallet key once an identity with it exists: at start, or after set-up. */
  onIdentity?: (walletKey: Uint8Array) => void;
  /** Receipt settings. Default: the defaults. */
  receipts?: ReceiptSettings | undefined;
  /** Settings about files. Default: they are kept always. */
  files?: FileSettings | undefined;
  /** The proxy for transfers of files. Default: from the environment. */
  findProxy?: FindProxy;
  /** Number of stuck threads of the host. */
  stuckThreads?: SharedArrayBuffer;
  /** Clock and randomness. Default: the computer's own. */
  surroundings?: Surroundings;
}

export class Engine {
  readonly #db: Cache;
  readonly #events: CollectedEvents;
  readonly #pool: SealingPool;
  readonly #files: FileThread;
  readonly #expiry: Expiry;
  readonly #indexer: Indexer;
  readonly #previews = new Previews();
  readonly #parts: FileParts;
  readonly #procedures: Procedures;
  readonly #onIdentity: EngineSettings['onIdentity'];
  #isClosed = false;

  /**
   * @param db an open cache; the engine closes it
   * @throws Failure if the data belongs to another relay than the fixed one
   */
  constructor(
    db: Cache,
    settings: EngineSettings,
    emit: <E extends EventName>(name: E, payload: EventPayload<E>) => void,
  ) {
    this.#db = db;
    this.#onIdentity = settings.onIdentity;
    this.#pool = new SealingPool(settings.sealingWorker);
    this.#events = new CollectedEvents(emit, settings.surroundings?.later ?? startTimer);
    const context = createContext(
      db,
      this.#pool,
      this.#events.emit,
      settings.surroundings,
      settings.receipts && { ...settings.receipts },
      settings.files && { ...settings.files },
    );
    this.#files = this.#openFiles(context, settings);
    const backups = new Backups(context, this.#files, () => this.#parts.online?.restored());
    this.#parts = {
      context,
      relays: settings.relays,
      thread: this.#files,
      addresses: new FileAddresses(),
      clearing: new FileClearing(context),
      backups,
      automaticBackups: new AutomaticBackups(context, backups),
      online: null,
      goOnline: () => this.#goOnline(context),
    };
    this.#procedures = {
      ...setupProcedures(this.#parts),
      ...accountProcedures(this.#parts),
      ...conversationProcedures(this.#parts),
      ...messageProcedures(this.#parts),
      ...messageActionProcedures(this.#parts),
      ...fileProcedures(this.#parts),
      ...expiringFileProcedures(this.#parts),
      ...linkProcedures(this.#parts),
      ...previewProcedures(this.#previews),
      ...storageProcedures(this.#parts),
      ...backupProcedures(this.#parts),
      ...historyProcedures(this.#parts),
      ...faceProcedures(this.#parts),
      ...groupProcedures(this.#parts),
      ...groupLinkProcedures(this.#parts),
      ...inviteProcedures(this.#parts),
      ...developerProcedures(this.#parts),
      ...deviceProcedures(this.#parts),
      ...diagnosticsProcedures(this.#parts),
      ...peopleProcedures(this.#parts),
      ...searchProcedures(this.#parts),
      ...importProcedures(this.#parts),
    };
    this.#expiry = new Expiry(context);
    this.#expiry.start();
    this.#indexer = new Indexer(context);
    this.#indexer.start();
    this.#parts.automaticBackups.start();
    const identity = context.identity.get();
    if (identity) checkRelay(identity, settings.relays);
    if (identity?.registeredAt) this.#goOnline(context);
  }

  /** Answers one procedure. The host has validated its input against the contract. */
  async call(name: string, input: unknown): Promise<Answer<unknown>> {
    const procedure = this.#procedures[name as keyof Procedures] as (input: unknown) => unknown;
    const elapsed = stopwatch();
    const answer = await answerOf(() => {
      this.#expiry.eraseDue();
      return procedure(input);
    });
    // An answer follows the events of all earlier changes.
    this.#events.flush();
    const ms = elapsed();
    if (ms >= SLOW_CALL) log('info', 'call.slow', { of: name, ms });
    return answer;
  }

  /** Changes the receipt settings. The shown delivery of own messages changes with them. */
  setReceipts(settings: ReceiptSettings): void {
    const { context } = this.#parts;
    Object.assign(context.receiptSettings, settings);
    const ids = context.conversations.list().map(({ id }) => String(id));
    for (const conversationId of ids) context.emit('messages.changed', { conversationId });
    if (ids.length > 0) context.emit('conversations.changed', { ids });
  }

  /** Changes the settings about files. */
  setFiles(settings: FileSettings): void {
    Object.assign(this.#parts.context.fileSettings, settings);
    this.#parts.online?.applyRetention();
  }

  /** The recovery secret of the identity: the phrase, or the key if it has no phrase. */
  recoverySecret(): Answer<string> {
    const identity = this.#parts.context.identity.get();
    if (!identity) return { ok: false, failure: new Failure('not_set_up').data };
    if (!identity.walletKey) return { ok: false, failure: new Failure('wallet_not_kept').data };
    const value = identity.phrase ?? `0x${Buffer.from(identity.walletKey).toString('hex')}`;
    return { ok: true, value };
  }

  /** Access for asking the relay whether messages wait, with its expiry; null without a session. */
  inboxAccess(): InboxAccess | null {
    const account = this.#parts.online?.account;
    const session = account?.session.current;
    if (!account || !session) return null;
    const expiresAt = Date.parse(session.expiresAt);
    const { address, deviceId, relay } = account;
    return { relayUrl: relay.baseUrl, address, deviceId, token: session.token, expiresAt };
  }

  /** Stops in order: an acknowledgement that follows a transaction is still sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#events.close();
    this.#previews.stop();
    this.#expiry.close();
    this.#indexer.close();
    this.#parts.automaticBackups.close();
    this.#parts.backups.close();
    await this.#parts.online?.close();
    await this.#parts.clearing.close();
    await this.#files.close();
    await this.#pool.close();
    this.#db.close();
  }

  /** The files are in a folder beside the cache. Those without a message are erased. */
  #openFiles(
    context: Context,
    { fileWorker, stuckThreads, findProxy = findProxyByEnvironment }: EngineSettings,
  ): FileThread {
    const { files } = context;
    const account = () => {
      const { online } = this.#parts;
      if (!online) throw new Failure('closing');
      return online.account;
    };
    const thread = new FileThread(
      fileWorker,
      dirname(this.#db.name),
      {
        async token(discards) {
          try {
            const { session } = account();
            if (discards) session.discard();
            return { ok: true, value: await session.token() };
          } catch (error) {
            const isRetried = isTransient(error) || failedWith(error, 'closing');
            return { ok: false, failure: failureOf(error), isTransient: isRetried };
          }
        },
        proxyFor: (origin) => answerOf(() => findProxy(origin)),
        progress(id, done, total) {
          for (const { messageId, conversationId, place } of files.messagesOf(id)) {
            const at = { conversationId: String(conversationId), messageId: String(messageId), index: place };
            context.emit('files.progress', { ...at, done, total });
          }
        },
        verified: (bytes) => this.#parts.backups.verified(bytes),
      },
      stuckThreads,
    );
    // An engine that ends erases them at its next start.
    const report = (error: unknown) => {
      if (!failedWith(error, 'closing')) logUnexpected(describe(error));
    };
    files.onRemoved((ids) => {
      const erased = thread.order((functions) => functions.remove(ids));
      erased
        .then(() => {
          files.setErased(ids);
          // After the end of their uploads: their blobs at the relay.
          this.#parts.online?.transfers.wake();
        })
        .catch(report);
    });
    files.removePrepared('all');
    if (thread.hasFolder) {
      const kept = files.ids();
      thread.order((functions) => functions.removeAllBut(kept)).catch(report);
    }
    files.reportRemoved();
    return thread;
  }

  /** Seals the next bytes of a prepared file. @param address of `files.begin` */
  writeFile(address: string, offset: number, bytes: Uint8Array): Promise<Answer<null>> {
    return answerOf(async () => {
      const { context, addresses, thread } = this.#parts;
      const id = addresses.find(address)?.id;
      const file = id === undefined ? null : context.files.get(id);
      if (!file?.isPrepared || file.digest) throw new Failure('file_unprepared');
      try {
        await thread.call((functions) => functions.write(file.id, offset, bytes));
        if (offset + bytes.length < file.size) return null;
        const { digest, mediaType } = await thread.call((functions) => functions.finish(file.id));
        context.files.setSealed(file.id, digest, mediaType);
      } catch (error) {
        // The file thread has removed it.
        if (!failedWith(error, 'closing')) context.files.removePrepared([file.id]);
        throw error;
      }
      return null;
    });
  }

  /**
   * Bytes of a file that is here. Of one that is played while it is downloaded, the verified bytes from the offset on: at
   * least one, and often fewer than requested.
   * @param address of `files.open`
   */
  readFile(address: string, offset: number, length: number): Promise<Answer<FileBytes>> {
    return answerOf(async () => {
      const { context, addresses } = this.#parts;
      const addressed = addresses.find(address);
      const file = addressed && context.files.get(addressed.id);
      if (!addressed || !file) throw new Failure('file_missing');
      const { mediaType, name } = addressed;
      const isArriving =
        file.task === 'download' && isPlayed(mediaType) && isInAcceptedChat(context, file.id);
      if (!file.isHere && !isArriving) throw new Failure('file_missing');
      if (!file.isHere) this.#parts.online?.transfers.play(file.id);
      const bytes = file.isHere
        ? await this.#callForFile(file, (functions) => functions.read(sealedOf(file), offset, length))
        : await this.#files.call((functions) => functions.readArriving(sealedOf(file), offset, length));
      return { bytes, size: file.size, mediaType, name };
    });
  }

  /** Name and type of a file of a message, before saving it. */
  describeFile(place: FilePlace): Promise<Answer<FileDescription>> {
    return answerOf(async () => {
      const { claimed, stored } = this.#fileAt(place);
      return { name: toFileName(claimed.name), isProgram: isProgram(claimed, stored) };
    });
  }

  /** Writes a file of a message as plain bytes. @param target path, replaced when it is complete */
  exportFile(place: FilePlace, target: string): Promise<Answer<null>> {
    return answerOf(() => {
      const { stored } = this.#fileAt(place);
      return this.#callForFile(stored, (functions) => functions.export(sealedOf(stored), target));
    });
  }

  /**
   * Makes a backup.
   * @param target path, replaced when the backup is complete
   */
  makeBackup(target: string, { passphrase, withPhrase }: BackupChoice): Promise<Answer<LastBackup>> {
    return answerOf(() => {
      return this.#parts.backups.make(target, this.#secretsBy({ passphrase, withPhrase }));
    });
  }

  /** Begins automatic backups. @param parent folder of the person */
  setBackupFolder(parent: string, choice: BackupChoice): Promise<Answer<null>> {
    return answerOf(async () => {
      const { automaticBackups, backups } = this.#parts;
      await backups.setFolder(parent, this.#secretsBy(choice));
      void automaticBackups.makeNow();
      return null;
    });
  }

  /** @throws Failure wallet_not_kept */
  #secretsBy({ passphrase, withPhrase }: BackupChoice): BackupSecrets {
    const walletKey = this.#parts.context.identity.get()?.walletKey ?? null;
    if (withPhrase && !walletKey) throw new Failure('wallet_not_kept');
    return { passphrase, walletKey: withPhrase ? walletKey : null };
  }

  /**
   * Merges a backup into the account.
   * @param typed passphrase of the backup, recovery phrase or private key, and nothing else is tried; null: the phrase that is
   *   stored here
   */
  restoreBackup(path: string, typed: string | null): Promise<Answer<RestoredBackup>> {
    return answerOf(() => {
      const { context, backups } = this.#parts;
      if (typed === null) {
        const walletKey = context.identity.get()?.walletKey ?? null;
        return backups.restore(path, { passphrase: null, walletKey });
      }
      // Not the stored phrase, too: a person may check that the typed secret opens the backup.
      const isWallet = findSecretProblem(typed) === null;
      const walletKey = isWallet ? walletFromSecret(typed).wallet.privateKey : null;
      return backups.restore(path, { passphrase: typed, walletKey });
    });
  }

  /** Reads a file that is here. One that is damaged or was removed from the disk can be downloaded again. */
  async #callForFile<T>(file: StoredFile, work: FileWork<T>): Promise<T> {
    try {
      return await this.#files.call(work);
    } catch (error) {
      if (failedWith(error, 'file_missing', 'file_not_as_sent')) {
        const { context } = this.#parts;
        context.files.setLost(file.id);
        for (const { conversationId } of context.files.messagesOf(file.id))
          context.emit('messages.changed', { conversationId: String(conversationId) });
      }
      throw error;
    }
  }

  #fileAt({ messageId, index }: FilePlace): FileOfMessage {
    const found = filesOf(this.#parts.context, Number(messageId))[index];
    if (!found?.stored.isHere) throw new Failure('file_missing');
    return found;
  }

  /** @throws Failure closing, for a call that ends after the close: nothing would close the new account */
  #goOnline(context: Context): Online {
    if (this.#isClosed) throw new Failure('closing');
    const identity = context.identity.get();
    if (!identity) throw new Failure('not_set_up');
    const url = identity.relayUrl ?? this.#parts.relays.embedded;
    if (url === null) {
      throw new Failure('data_of_embedded_relay');
    }
    const online = new Online(context, openAccount(identity, url), this.#files, this.#parts.clearing);
    this.#parts.online = online;
    online.start();
    void this.#parts.backups.resume();
    if (identity.walletKey) this.#onIdentity?.(identity.walletKey);
    return online;
  }
}

function checkRelay(identity: Identity, relays: EngineSettings['relays']): void {
  if (relays.fixed === null || identity.registeredAt === null) return;
  if (identity.relayUrl !== null && new URL(identity.relayUrl).origin === new URL(relays.fixed).origin)
    return;
  const own = identity.relayUrl ?? 'the relay on this computer';
  throw new Failure('data_of_other_relay', { relay: own });
}
