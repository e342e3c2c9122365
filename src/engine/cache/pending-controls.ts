/** Controls that arrived before their message. */
import type { Channel } from '../../messaging/contents/channel.ts';
import type { MessageId } from '../../messaging/contents/fields.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { droppedFor } from '../../messaging/contents/refs.ts';
import type { SenderProof } from '../../messaging/contents/rights.ts';
import type { MessageBot } from '../../messaging/receiving/received.ts';
import type { Cache } from './database.ts';
import { botIn } from './group-chains.ts';

/** A control: its sender, its time, and the fields of its kind. */
export interface ControlBody extends Content {
  readonly id: string;
  /** Wire address. */
  readonly sender: string;
  readonly sentAt: string;
}

export interface PendingControl {
  channel: Channel;
  body: ControlBody;
  proof: SenderProof;
  /** The bot that wrote it; null for a person or if unknown. */
  bot: MessageBot | null;
  /** True if its sender is creator or admin at the entry that it names. */
  manages: boolean;
  /** Milliseconds since 1970. */
  receivedAt: number;
  isRequested: boolean;
  /** The device that signed it, for one that does not wait; absent if it was written here. */
  deviceId?: string | null;
}

interface Row {
  id: number;
  channel: Channel;
  body: string;
  proof: SenderProof;
  bot: string | null;
  manages: number;
  receivedAt: number;
  isRequested: number;
}

export class PendingControls {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /**
   * Stores a control until its message arrives. The oldest of the conversation, or of its sender, is dropped
   * if full.
   */
  add(
    conversationId: number,
    target: MessageId,
    { body, bot, ...control }: PendingControl,
    now: number,
  ): void {
    this.#makeRoom(conversationId, body.sender, now);
    this.#db
      .prepare(
        `INSERT OR IGNORE INTO pending_controls (conversation_id, target_sender, target_uid, sender, uid, since, channel, body,
           proof, bot, manages, received_at, requested)
         VALUES (@conversationId, @targetSender, @targetUid, @sender, @uid, @since, @channel, @body, @proof, @bot, @manages, @receivedAt, @requested)`,
      )
      .run({
        ...control,
        ...{
          conversationId,
          targetSender: target.sender,
          targetUid: target.id,
          sender: body.sender,
          uid: body.id,
        },
        ...{ since: now, body: JSON.stringify(body), bot: bot && JSON.stringify(bot) },
        manages: control.manages ? 1 : 0,
        requested: control.isRequested ? 1 : 0,
      });
  }

  #makeRoom(conversationId: number, sender: string, now: number): void {
    const pending = this.#db
      .prepare<[number], { id: number; sender: string; since: number }>(
        'SELECT id, sender, since FROM pending_controls WHERE conversation_id = ? ORDER BY id',
      )
      .all(conversationId);
    const drop = this.#db.prepare('DELETE FROM pending_controls WHERE id = ?');
    for (const { id } of droppedFor(pending, sender, now)) drop.run(id);
  }

  /** Removes and returns the controls that wait for a message, oldest first. */
  remove(conversationId: number, sender: string, uid: string): PendingControl[] {
    const found = this.#db
      .prepare<[number, string, string], Row>(
        `SELECT id, channel, body, proof, bot, manages, received_at AS receivedAt, requested AS isRequested FROM pending_controls
          WHERE conversation_id = ? AND target_sender = ? AND target_uid = ? ORDER BY id`,
      )
      .all(conversationId, sender, uid);
    if (found.length === 0) return [];
    this.#db
      .prepare(
        'DELETE FROM pending_controls WHERE conversation_id = ? AND target_sender = ? AND target_uid = ?',
      )
      .run(conversationId, sender, uid);
    return found.map(({ id: _, ...row }) => ({
      ...row,
      body: JSON.parse(row.body) as ControlBody,
      bot: botIn(row.bot),
      manages: row.manages === 1,
      isRequested: row.isRequested === 1,
    }));
  }
}
