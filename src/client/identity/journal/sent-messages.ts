/**
 * Messages sent since the program started, for devices that request them again. In memory only: the journal stores no
 * texts. After a restart the answer to requests is that there is nothing.
 */
import { extrasOf } from '../../../messaging/contents/extras.ts';
import type { MessageBody } from '../../../messaging/sending/outgoing.ts';
import { decodeTime } from '../../../protocol/encoding.ts';

const MAX_MESSAGES = 500;
/** The limit of all of them, in characters of JSON. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class SentMessages {
  /** Oldest first. */
  readonly #messages = new Map<string, { body: MessageBody; size: number }>();
  #size = 0;

  /** @param conversation the recipient's address, or the group's id */
  add(conversation: string, body: MessageBody): void {
    const key = keyOf(conversation, body.seq);
    const size = JSON.stringify(body).length;
    this.#size += size - (this.#messages.get(key)?.size ?? 0);
    this.#messages.set(key, { body, size });
    for (const [key, { size: gone }] of this.#messages) {
      if (this.#messages.size <= MAX_MESSAGES && this.#size <= MAX_CHARACTERS) return;
      this.#messages.delete(key);
      this.#size -= gone;
    }
  }

  /**
   * Forgets a message that was deleted for everyone.
   * @param id of the message
   */
  forget(conversation: string, id: string): void {
    for (const [key, { body, size }] of this.#messages) {
      if (body.id !== id || key !== keyOf(conversation, body.seq)) continue;
      this.#messages.delete(key);
      this.#size -= size;
    }
  }

  /**
   * The message with a number. Expired disappearing messages are not returned.
   * @param now milliseconds since 1970
   */
  find(conversation: string, seq: number, now: number): MessageBody | null {
    const body = this.#messages.get(keyOf(conversation, seq))?.body ?? null;
    const expires = body && extrasOf(body).expires;
    if (!body || expires === null || now < decodeTime(body.sentAt) + expires * 1_000) return body;
    this.forget(conversation, body.id);
    return null;
  }
}

function keyOf(conversation: string, seq: number): string {
  return `${conversation} ${seq}`;
}
