/**
 * Stores the date of the newest release seen in each channel, so that an older signed one cannot be offered
 * as new.
 */
import { readFileSync } from 'node:fs';
import { Failure } from '../../base/failure.ts';
import { writeDurably } from '../../base/node/durable-file.ts';
import type { UpdateChannel } from './manifest.ts';

export class ReleaseMemory {
  readonly #file: string;

  /** @param file JSON; a missing or unreadable one counts as empty */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * @param releasedAt ISO 8601, from a manifest whose signature has been verified
   * @throws Failure update_older if a later one was seen before
   */
  see(channel: UpdateChannel, releasedAt: string): void {
    const seen = this.#read();
    const before = Date.parse(seen[channel] ?? '');
    if (Date.parse(releasedAt) < before) {
      throw new Failure('update_older');
    }
    writeDurably(this.#file, JSON.stringify({ ...seen, [channel]: releasedAt }));
  }

  #read(): Partial<Record<UpdateChannel, string>> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return {};
    }
  }
}
