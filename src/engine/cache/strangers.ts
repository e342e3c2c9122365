/**
 * What people whom the user has not accepted can make this device keep: so much and no more.
 */
import type { Cache } from './database.ts';

/** Requests that wait; the oldest go. */
const MOST_REQUESTS = 200;
/** Messages of one request. */
const MOST_MESSAGES = 100;
/** Their bodies together, in characters: four of the longest. */
const MOST_CHARACTERS = 256 * 1024;
/** People of whom nothing is here but what the relay once showed of them; who was seen longest ago is forgotten. */
const MOST_ACQUAINTANCES = 1_000;

export class Strangers {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Whether a request holds as much as it may before it is accepted. False for everybody who is no stranger. */
  hasSaidEnough(address: string): boolean {
    const said = this.#db
      .prepare<[string], { messages: number; characters: number | null }>(
        `SELECT count(m.id) AS messages, sum(length(m.body)) AS characters
           FROM contacts p JOIN conversations c ON c.contact_id = p.id JOIN messages m ON m.conversation_id = c.id
          WHERE p.address = ? AND c.state = 'request'`,
      )
      .get(address);
    return (
      said !== undefined && (said.messages >= MOST_MESSAGES || (said.characters ?? 0) >= MOST_CHARACTERS)
    );
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
            WHERE verified_at IS NULL AND next_seq = 1
              AND address NOT IN (SELECT address FROM identity)
              AND address NOT IN (SELECT address FROM fellow)
              AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.contact_id = p.id)
              AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.sender = p.address)
            ORDER BY fetched_at DESC, id DESC LIMIT -1 OFFSET ${MOST_ACQUAINTANCES})`,
      )
      .run();
  }
}
