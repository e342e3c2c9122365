/** A disk that stops answering: silent-disk-thread.ts. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';

export const SILENT_DISK_THREAD = new URL('./silent-disk-thread.ts', import.meta.url);

export class SilentDisk implements AsyncDisposable {
  readonly #pipe: string;
  readonly #channel = new BroadcastChannel('silent disk') as BroadcastChannel & EventTarget;
  #isSilent = true;
  /** Resolves when the thread waits for the disk. */
  readonly waited: Promise<unknown>;

  /** @param folder of the engine */
  constructor(folder: string) {
    this.#pipe = join(folder, 'silent');
    execFileSync('mkfifo', [this.#pipe]);
    this.waited = once(this.#channel, 'message');
  }

  /** The disk answers again. */
  async answer(): Promise<void> {
    if (!this.#isSilent) return;
    this.#isSilent = false;
    // Opening resolves once the thread has opened it, too.
    const writer = await open(this.#pipe, 'w');
    await rm(this.#pipe);
    await writer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#channel.close();
    await this.answer();
  }
}
