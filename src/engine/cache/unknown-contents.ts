/**
 * Contents of unknown kinds without a fallback text. They are stored whole, and a version that knows more
 * kinds judges them again.
 */

import type { Channel } from '../../messaging/contents/channel.ts';
import { LONGEST_UNSEEN } from '../../messaging/contents/disappearing.ts';
import { extrasOf } from '../../messaging/contents/extras.ts';
import type { SenderProof } from '../../messaging/contents/rights.ts';
import { byteLength } from '../../messaging/contents/text.ts';
import type { MessageBot, Provenance } from '../../messaging/receiving/received.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import type { Suite } from '../../protocol/envelope-form.ts';
import type { Cache } from './database.ts';
import { botIn } from './group-chains.ts';

/** Limit of contents; the oldest are dropped. */
const MAX_UNKNOWN = 1_000;
const MAX_UNKNOWN_BYTES = 8 * 1024 * 1024;

export interface UnknownContent extends Provenance {
  channel: Channel;
  body: MessageBody;
  proof: SenderProof;
  /** The bot that wrote it; null for a person or if unknown. */
  bot: MessageBot | null;
  /** True if its sender is creator or admin at the entry that it names. */
  manages: boolean;
}

interface Row {
  id: number;
  channel: Channel;
  body: string;
  proof: SenderProof;
  bot: string | null;
  manages: number;
  deviceId: string | null;
  digest: string;
  receivedAt: number;
  isRequested: number;
  suite: Suite;
}

export class UnknownContents {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * @param conversationId the conversation it is deleted with; null for messages between own devices
   * @param kinds the kinds known to this version
   */
  add(
    { body, bot, manages, isRequested, ...content }: UnknownContent,
    conversationId: number | null,
    kinds: string,
  ): void {
    const text = JSON.stringify(body);
    const { expires } = extrasOf(body);
    this.#db
      .prepare(
        `INSERT INTO unknown_contents
           (conversation_id, channel, body, bytes, proof, bot, manages, device_id, digest, received_at, requested, suite,
            kinds, ends_at)
         VALUES (@conversationId, @channel, @text, @bytes, @proof, @signer, @manages, @deviceId, @digest, @receivedAt, @requested, @suite,
            @kinds, @endsAt)`,
      )
      .run({
        ...content,
        ...{ conversationId, text, bytes: byteLength(text), kinds },
        endsAt: expires === null ? null : content.receivedAt + LONGEST_UNSEEN + expires * 1_000,
        ...{ signer: bot && JSON.stringify(bot), manages: manages ? 1 : 0, requested: isRequested ? 1 : 0 },
      });
    this.#db
      .prepare(
        `DELETE FROM unknown_contents WHERE id IN (
           SELECT id FROM (
             SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
               FROM unknown_contents WINDOW newest AS (ORDER BY id DESC))
            WHERE place > ? OR total > ?)`,
      )
      .run(MAX_UNKNOWN, MAX_UNKNOWN_BYTES);
  }

  /** Contents last judged by a version with other kinds, oldest first. */
  judgedWithout(kinds: string): (UnknownContent & { id: number })[] {
    return this.#db
      .prepare<[string], Row>(
        `SELECT id, channel, body, proof, bot, manages, device_id AS deviceId, digest, received_at AS receivedAt,
             requested AS isRequested, suite FROM unknown_contents WHERE kinds <> ? ORDER BY id`,
      )
      .all(kinds)
      .map((row) => ({
        ...row,
        body: JSON.parse(row.body) as MessageBody,
        bot: botIn(row.bot),
        manages: row.manages === 1,
        isRequested: row.isRequested === 1,
      }));
  }

  /** Stores that this version does not know it either. */
  setKinds(id: number, kinds: string): void {
    this.#db.prepare('UPDATE unknown_contents SET kinds = ? WHERE id = ?').run(kinds, id);
  }

  remove(id: number): void {
    this.#db.prepare('DELETE FROM unknown_contents WHERE id = ?').run(id);
  }

  /** Deletes ended disappearing contents: no later than an unread message would be. */
  dropEnded(now: number): void {
    this.#db.prepare('DELETE FROM unknown_contents WHERE ends_at <= ?').run(now);
  }
}
