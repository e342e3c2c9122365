/** Blobs of own messages to delete at the relay. */
import { blobKeys } from '../../protocol/blob/keys.ts';
import type { Cache } from './database.ts';
import type { Files } from './files.ts';

export class UnwantedBlobs {
  readonly #db: Cache;
  readonly #files: Files;

  constructor(db: Cache, files: Files) {
    this.#db = db;
    this.#files = files;
  }

  /**
   * Plans the deletion of the blobs of an own message at the relay, except for files that other own messages contain.
   * @param until time of their deletion there in any case
   */
  giveUpMessage(messageId: number, until: number): void {
    const others = this.#db.prepare<[number, number], { count: number }>(
      `SELECT count(*) AS count FROM message_files f JOIN messages m ON m.id = f.message_id
        WHERE f.file_id = ? AND m.id != ? AND m.trust = 'self'`,
    );
    for (const { id, key } of this.#files.ofMessages([messageId])) {
      if ((others.get(id, messageId)?.count ?? 0) > 0) continue;
      this.giveUpBlob(key, until);
    }
  }

  /** The same for the own messages of a conversation that were never sealed: no one has the keys of their files. */
  giveUpUnsealed(conversationId: number, until: number): void {
    const ids = this.#db
      .prepare<[number], { id: number }>(
        `SELECT DISTINCT m.id FROM message_files f JOIN messages m ON m.id = f.message_id
          WHERE f.conversation_id = ? AND m.trust = 'self' AND m.digest IS NULL`,
      )
      .all(conversationId);
    for (const { id } of ids) this.giveUpMessage(id, until);
  }

  /** Plans the deletion of a blob at the relay. @param until as of {@link giveUpMessage} */
  giveUpBlob(key: Uint8Array, until: number): void {
    this.#db
      .prepare('INSERT INTO unwanted_blobs (id, until) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(blobKeys(key).id, until);
  }

  /** Keeps a blob at the relay that was released by an earlier message. */
  keep(key: Uint8Array): void {
    this.setDeleted(blobKeys(key).id);
  }

  /** Ids of blobs to delete, at most 100. Those that the relay has deleted by itself are forgotten. */
  list(now: number): string[] {
    this.#db.prepare('DELETE FROM unwanted_blobs WHERE until < ?').run(now);
    return this.#db
      .prepare<[], { id: string }>('SELECT id FROM unwanted_blobs LIMIT 100')
      .all()
      .map(({ id }) => id);
  }

  /** Removes a blob from the list: deleted, or wanted again. */
  setDeleted(blobId: string): void {
    this.#db.prepare('DELETE FROM unwanted_blobs WHERE id = ?').run(blobId);
  }
}
