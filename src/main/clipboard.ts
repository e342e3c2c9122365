/**
 * The clipboard. A secret is cleared after a minute and when the app ends, unless something else was copied
 * meanwhile.
 */

import { createHash } from 'node:crypto';
import type { Clipboard } from 'electron';
import { Failure } from '../base/failure.ts';

/** Time until a secret is cleared, in milliseconds. */
const SECRET_STAYS = 60_000;

export class AppClipboard {
  readonly #clipboard: Clipboard;
  /** Digest of the secret that may still be there; the secret itself is not needed. */
  #secret: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clipboard: Clipboard) {
    this.#clipboard = clipboard;
  }

  /** @throws Failure if the system refuses */
  async copy(text: string, isSecret: boolean): Promise<void> {
    await this.#clipboard.writeText(text).catch(() => {
      throw new Failure('clipboard_busy');
    });
    clearTimeout(this.#timer);
    this.#secret = isSecret ? digestOf(text) : null;
    if (isSecret) this.#timer = setTimeout(() => void this.clearSecret(), SECRET_STAYS);
  }

  /** Clears the secret if it is still there. */
  async clearSecret(): Promise<void> {
    clearTimeout(this.#timer);
    const secret = this.#secret;
    this.#secret = null;
    if (secret === null) return;
    // Unreadable contents are someone else's.
    const text = await this.#clipboard.readText().catch(() => null);
    if (text !== null && digestOf(text) === secret) this.#clipboard.clear();
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
