/**
 * Uploads and downloads of files: two at once, small files first, across failures and restarts. While pages play files
 * during their downloads, other downloads are paused. The bytes and the calls are on the file thread.
 */
import { Sleeper } from '../../base/backoff.ts';
import { describe } from '../../base/error-facts.ts';
import { Failure, failedWith } from '../../base/failure.ts';
import { log, logUnexpected, stopwatch } from '../../base/log.ts';
import { OneAtATime } from '../../base/one-at-a-time.ts';
import { blobKeys } from '../../protocol/blob/keys.ts';
import { setDownloaded, setFailed } from '../cache/face-pictures.ts';
import type { StoredFile } from '../cache/files.ts';
import type { Context } from '../context.ts';
import { emitFaces } from '../faces/emit.ts';
import type { Account } from '../identity/account.ts';
import type { SealedFile } from './functions.ts';
import type { FileThread } from './thread.ts';

const AT_ONCE = 2;
/** Limit of files that are played during their downloads. The one that was not read for the longest time is no longer first. */
const MAX_PLAYED = 4;
const LONGEST_SLEEP = 60_000;
/** The time for which a file comes first after the last read of a page that plays it, in milliseconds. */
const FIRST_FOR = 30_000;
/** Pause after an error of this program or its disk, in milliseconds. */
const AFTER_FAULT = 5_000;

interface TransferParts {
  context: Context;
  account: Account;
  thread: FileThread;
  /** Called when all files of an own message may be at the relay, or one has failed. */
  onUploaded: (messageId: number) => void;
  /** Called when the picture of a group may be at the relay, or has failed. */
  onPicture: (owner: string) => void;
  /** Called when a transfer has ended. */
  onEnded: () => void;
}

/** A complete file as the file thread uses it. @throws Failure file_missing while it is being sealed */
export function sealedOf({ id, key, digest, size }: StoredFile): SealedFile {
  if (!digest) throw new Failure('file_missing');
  return { id, key, digest, size };
}

function logFailure(error: unknown): void {
  if (!failedWith(error, 'closing')) logUnexpected(describe(error));
}

export class Transfers {
  readonly #parts: TransferParts;
  readonly #sleeper: Sleeper;
  /** Ids of the blobs in transit, by the ids of their files. */
  readonly #running = new Map<number, string>();
  /** Files whose transfer was ended here. */
  readonly #stopped = new Set<number>();
  /** The times until which played files come first, by their ids. The last read is the last. */
  readonly #played = new Map<number, number>();
  readonly #deletion = new OneAtATime(() => this.#deleteUnwanted());
  #closed = false;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: TransferParts) {
    this.#parts = parts;
    this.#sleeper = new Sleeper(parts.context.later);
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Called after tasks were planned or cancelled. */
  wake(): void {
    for (const id of this.#running.keys())
      if (this.#parts.context.files.get(id)?.task === null) this.#end(id, true).catch(logFailure);
    void this.#deletion.request();
    this.#sleeper.wake();
  }

  /** Retries all tasks now. */
  retryNow(): void {
    this.#parts.context.fileTasks.retryNow();
    this.wake();
  }

  /** Called for each read of a file that is being downloaded. Downloads that are not played are paused meanwhile. */
  play(id: number): void {
    const wasFirst = this.#first().includes(id);
    this.#played.delete(id);
    this.#played.set(id, this.#parts.context.now() + FIRST_FOR);
    for (const oldest of [...this.#played.keys()].slice(0, -MAX_PLAYED)) this.#played.delete(oldest);
    const first = this.#first();
    if (wasFirst || !first.includes(id)) return;
    const { files } = this.#parts.context;
    const others = [...this.#running.keys()].filter((other) => !first.includes(other));
    const paused = others.filter((other) => files.get(other)?.task === 'download');
    this.#parts.thread.order((functions) => functions.pause(paused)).catch(logFailure);
    this.#sleeper.wake();
  }

  /** The files that are played during their downloads. */
  #first(): number[] {
    const { files, now } = this.#parts.context;
    const isFirst = ([id, until]: [number, number]) => {
      const rest = until - now();
      // More is left after a clock was set back.
      return rest > 0 && rest <= FIRST_FOR && files.get(id)?.task === 'download';
    };
    return [...this.#played].filter(isFirst).map(([id]) => id);
  }

  /** The tasks to begin now. Played files share one place, and begin beside two uploads, too. */
  #due(): StoredFile[] {
    const { fileTasks, now } = this.#parts.context;
    const running = [...this.#running.keys()];
    const first = this.#first();
    const others = running.filter((id) => !first.includes(id));
    const room = Math.max(0, AT_ONCE - others.length - Math.min(1, first.length));
    const due = fileTasks.due(now(), running, room + first.length, first);
    const played = due.filter(({ id }) => first.includes(id));
    return [...played, ...due.filter((file) => !played.includes(file)).slice(0, room)];
  }

  /** Deletes the blobs of erased own messages at the relay. One in transit is deleted after its end. */
  async #deleteUnwanted(): Promise<void> {
    const { context, account } = this.#parts;
    for (const id of context.unwantedBlobs.list(context.now())) {
      if ([...this.#running.values()].includes(id)) continue;
      try {
        await account.relay.call('deleteBlob', { params: { id } });
      } catch (error) {
        if (!failedWith(error, 'not_found')) return;
      }
      context.unwantedBlobs.setDeleted(id);
    }
  }

  /**
   * Ends a task at the request of the person. A requested download continues from its place at the next request; the bytes
   * of one that was not requested are removed.
   */
  async stop(id: number): Promise<void> {
    const { files, fileTasks } = this.#parts.context;
    const file = files.get(id);
    if (!file?.task) return;
    const drops = file.task === 'download' && fileTasks.isAutomatic(id);
    files.setFailed(id, file.task === 'upload' ? new Failure('file_stopped').data : null);
    if (this.#running.has(id)) await this.#end(id, drops);
    // Between two attempts: readers wait, and bytes are on the disk.
    else if (file.task === 'download')
      await this.#parts.thread.order((functions) => functions.stop(id, drops));
    this.#changed(id);
  }

  async #end(id: number, drops: boolean): Promise<void> {
    if (this.#stopped.has(id)) return;
    this.#stopped.add(id);
    await this.#parts.thread.order((functions) => functions.stop(id, drops));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sleeper.wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const { fileTasks, now } = this.#parts.context;
      const due = this.#due();
      for (const file of due) {
        const blob = blobKeys(file.key).id;
        this.#running.set(file.id, blob);
        this.#attempt(file).catch((error) => this.#pauseAfter(error, file.id, blob));
      }
      if (due.length > 0) continue;
      const resumed = this.#first().map((id) => this.#played.get(id) ?? 0);
      const next = Math.min(fileTasks.nextDue(now()) ?? Number.MAX_SAFE_INTEGER, ...resumed);
      await this.#sleeper.sleep(Math.min(Math.max(next - now(), 10), LONGEST_SLEEP));
    }
  }

  /** The cache could not be written, as on a full disk. */
  #pauseAfter(error: unknown, id: number, blob: string): void {
    logFailure(error);
    this.#running.set(id, blob);
    this.#parts.context.later(AFTER_FAULT, () => {
      this.#running.delete(id);
      this.#sleeper.wake();
    });
  }

  async #attempt(file: StoredFile): Promise<void> {
    const { context, account, thread } = this.#parts;
    const { files, fileTasks, now } = context;
    const relay = { url: account.relay.baseUrl, address: account.address };
    const { id, task, attempts } = file;
    const ms = stopwatch();
    const answer = await thread.transfer((functions) =>
      task === 'upload'
        ? functions.upload(sealedOf(file), relay, attempts)
        : functions.download(sealedOf(file), relay, attempts),
    );
    this.#running.delete(id);
    const wasStopped = this.#stopped.delete(id);
    // The next start continues.
    if (this.#closed) return;
    this.wake();
    // The person may have removed the file meanwhile.
    if (!files.get(id)) return;
    if (answer.ok) {
      log('info', 'file.transferred', { ms: ms() });
      if (answer.value !== null) setDownloaded(context, id, answer.value);
      else if (!wasStopped) files.setUploaded(id);
    } else {
      const { failure, wait } = answer;
      if (failure.code === 'file_stopped' && wait === 0) return;
      log('warn', 'file.not_transferred', { code: failure.code, ms: ms() });
      if (wasStopped) return;
      if (wait !== null) {
        fileTasks.postpone(id, now() + wait);
        return;
      }
      const isGone = task === 'download' && failure.code === 'not_found';
      setFailed(context, id, isGone ? new Failure('file_gone').data : failure);
    }
    this.#changed(id);
  }

  #changed(id: number): void {
    const { context, onEnded, onPicture, onUploaded } = this.#parts;
    const messages = context.files.messagesOf(id);
    const owners = context.faces.ownersOf(id);
    emitFaces(context, owners);
    for (const owner of owners) onPicture(owner);
    for (const { messageId } of messages) onUploaded(messageId);
    onEnded();
    for (const chat of new Set(messages.map(({ conversationId }) => conversationId)))
      context.emit('messages.changed', { conversationId: String(chat) });
  }
}
