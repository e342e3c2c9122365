/**
 * The clipboard. A secret leaves it after a minute and when the app ends, unless something else was copied meanwhile.
 */

import { createHash } from 'node:crypto';
import type { Clipboard } from 'electron';
import { Failure } from '../base/failure.ts';

/** How long a secret stays, in milliseconds. */
const SECRET_STAYS = 60_000;

export class AppClipboard {
  readonly #clipboard: Clipboard;
  /** Digest of the secret that may still be there; not the secret, which nothing here needs. */
  #secret: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clipboard: Clipboard) {
    this.#clipboard = clipboard;
  }

  /** @throws Failure if the system does not take it */
  async copy(text: string, isSecret: boolean): Promise<void> {
    await this.#clipboard.writeText(text).catch(() => {
      throw new Failure('clipboard_busy');
    });
    clearTimeout(this.#timer);
    this.#secret = isSecret ? digestOf(text) : null;
    if (isSecret) this.#timer = setTimeout(() => void this.clearSecret(), SECRET_STAYS);
  }

  /** Takes the secret away, if it is still there. */
  async clearSecret(): Promise<void> {
    clearTimeout(this.#timer);
    const secret = this.#secret;
    this.#secret = null;
    if (secret === null) return;
    // What cannot be read is someone else's by now.
    const text = await this.#clipboard.readText().catch(() => null);
    if (text !== null && digestOf(text) === secret) this.#clipboard.clear();
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
