/**
 * What people whom the user has not accepted can make this device keep: one budget for each, whatever it is that is kept.
 */
import { byteLength } from '../../messaging/contents/text.ts';
import type { Cache } from './database.ts';

/** Requests that wait; the oldest go. */
const MOST_REQUESTS = 200;
/** What is kept because of one person who is not accepted, in bytes. */
const BUDGET = 256 * 1024;
/** What is kept of a content beside its body, in bytes: its rows, and their places in indexes. */
const BESIDE = 2 * 1024;
/** People of whom nothing is here but what the relay once showed of them; who was seen longest ago is forgotten. */
const MOST_ACQUAINTANCES = 1_000;

export class Strangers {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Whether a content of someone fits into their budget. True of everybody who has no request. */
  hasRoom(address: string, body: object): boolean {
    const row = this.#db
      .prepare<[string], { drawn: number }>(
        `SELECT c.drawn FROM contacts p JOIN conversations c ON c.contact_id = p.id
          WHERE p.address = ? AND c.state = 'request'`,
      )
      .get(address);
    return row === undefined || row.drawn + costOf(body) <= BUDGET;
  }

  /**
   * Takes the room of one row with a content from the budget of a conversation's sender: a message, an edit, what waits, a
   * line. What is erased gives nothing back.
   * @returns false if there is no room. True of a conversation that is no request
   */
  draw(conversationId: number, body: object): boolean {
    const request = this.#db
      .prepare<[number], { drawn: number }>(
        "SELECT drawn FROM conversations WHERE id = ? AND state = 'request'",
      )
      .get(conversationId);
    if (!request) return true;
    const drawn = request.drawn + costOf(body);
    if (drawn > BUDGET) return false;
    this.#db.prepare('UPDATE conversations SET drawn = ? WHERE id = ?').run(drawn, conversationId);
    return true;
  }

  /**
   * Removes the oldest requests and forgets acquaintances, where there are too many.
   * @returns ids of conversations that are gone
   */
  prune(): number[] {
    const gone = this.#db
      .prepare<[], { id: number; contact_id: number | null }>(
        `DELETE FROM conversations WHERE id IN (
           SELECT id FROM conversations WHERE state = 'request'
            ORDER BY updated_at DESC, id DESC LIMIT -1 OFFSET ${MOST_REQUESTS}) RETURNING id, contact_id`,
      )
      .all();
    // Nobody accepted them: what came once may come once more, and is cut off again.
    const forget = this.#db.prepare(
      'DELETE FROM seen WHERE sender = (SELECT address FROM contacts WHERE id = ?)',
    );
    for (const { contact_id } of gone) if (contact_id !== null) forget.run(contact_id);
    this.#forgetAcquaintances();
    return gone.map(({ id }) => id);
  }

  /** Whom the user has written to, verified, has a message of or shares a group with is none of them, and stays. */
  #forgetAcquaintances(): void {
    const row = this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM contacts').get();
    if ((row?.count ?? 0) <= MOST_ACQUAINTANCES) return;
    this.#db
      .prepare(
        `WITH fellow AS (SELECT DISTINCT value AS address FROM groups, json_each(groups.members))
         DELETE FROM contacts WHERE id IN (
           SELECT id FROM contacts AS p
            WHERE verified_at IS NULL AND next_seq = 1 AND had_chat = 0
              AND address NOT IN (SELECT address FROM identity)
              AND address NOT IN (SELECT address FROM fellow)
              AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.contact_id = p.id)
              AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.sender = p.address)
            ORDER BY fetched_at DESC, id DESC LIMIT -1 OFFSET ${MOST_ACQUAINTANCES})`,
      )
      .run();
  }
}

function costOf(body: object): number {
  return byteLength(JSON.stringify(body)) + BESIDE;
}
