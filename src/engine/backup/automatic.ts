/** Automatic backups: one each day in the folder that the person chose, and each hour until it succeeds. */
import type { Context } from '../context.ts';
import type { Backups } from './backups.ts';

/** In milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export class AutomaticBackups {
  readonly #context: Context;
  readonly #backups: Pick<Backups, 'makeInFolder' | 'state'>;
  #timer: NodeJS.Timeout | undefined;
  #triedAt: number | null = null;

  constructor(context: Context, backups: Pick<Backups, 'makeInFolder' | 'state'>) {
    this.#context = context;
    this.#backups = backups;
  }

  start(): void {
    this.#timer = setInterval(() => void this.check(), MINUTE).unref();
  }

  /** Makes a backup if one is due. */
  async check(): Promise<void> {
    const { backupRows, identity, now } = this.#context;
    const folder = backupRows.folder();
    if (!folder || !identity.get()?.registeredAt || this.#backups.state.progress) return;
    if (isWithin(folder.at, DAY, now()) || isWithin(this.#triedAt, HOUR, now())) return;
    await this.makeNow();
  }

  /** Makes a backup at the request of the person. */
  async makeNow(): Promise<void> {
    // After the work that is running, the next check makes it.
    if (this.#backups.state.progress) return;
    this.#triedAt = this.#context.now();
    await this.#backups.makeInFolder();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** A time in the future is that of a clock that was set back. */
function isWithin(at: number | null, length: number, now: number): boolean {
  return at !== null && at <= now && now < at + length;
}
