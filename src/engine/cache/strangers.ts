/** Storage limits for people whom the user has not accepted: one budget per person for all stored data. */
import { byteLength } from '../../messaging/contents/text.ts';
import type { Cache } from './database.ts';
import { bytesInIndex, searchableOf } from './searchable.ts';

/** Limit of pending requests; the oldest are deleted. */
const MAX_REQUESTS = 200;
/** Storage for one unaccepted person, in bytes. */
const BUDGET = 256 * 1024;
/** Overhead of a stored content beside its body, in bytes: rows and their indexes. */
const BESIDE = 2 * 1024;
/** Limit of people with nothing but their directory data. The person seen longest ago is forgotten. */
const MAX_ACQUAINTANCES = 1_000;
/** Number of new people after which others are forgotten. */
const FORGET_EVERY = 100;
/** People who are forgotten in one transaction of many: about 5 ms. */
const FORGET_TOGETHER = 500;
/** No limit, as in SQL. */
const EACH = -1;

export class Strangers {
  readonly #db: Cache;
  /** Id of the newest contact when people were forgotten last. */
  #forgottenUpTo = 0;
  /** People are left to forget. */
  #hasMore = false;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** Reports whether a content fits into its sender's budget. Always true without a request. */
  hasRoom(address: string, body: Readonly<Record<string, unknown>>): boolean {
    const row = this.#db
      .prepare<[string], { drawn: number }>(
        `SELECT c.drawn FROM contacts p JOIN conversations c ON c.contact_id = p.id
          WHERE p.address = ? AND c.state = 'request'`,
      )
      .get(address);
    return row === undefined || row.drawn + costOf(body) <= BUDGET;
  }

  /**
   * Charges one row with a content to the budget of a conversation's sender: a message, an edit, a pending
   * control or an event. Deleting does not refund it.
   * @returns false if it does not fit. Always true for an accepted conversation
   */
  draw(conversationId: number, body: Readonly<Record<string, unknown>>): boolean {
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

  /** Reports whether another request displaces none. */
  hasPlace(): boolean {
    return this.#countRequests() < MAX_REQUESTS;
  }

  #countRequests(): number {
    const row = this.#db
      .prepare<[], { count: number }>("SELECT count(*) AS count FROM conversations WHERE state = 'request'")
      .get();
    return row?.count ?? 0;
  }

  /**
   * Deletes the oldest requests and acquaintances beyond the limits.
   * @returns ids of the deleted conversations
   */
  prune(): number[] {
    const gone = this.#removeRequests(EACH);
    this.#forgetAcquaintances(EACH);
    return gone;
  }

  /**
   * Deletes one of these requests, and some of these acquaintances: all of a merged history would take long.
   * @returns whether there may be more
   */
  pruneSome(): boolean {
    const gone = this.#removeRequests(1);
    return this.#forgetAcquaintances(FORGET_TOGETHER) || gone.length > 0;
  }

  /** @param most number of requests @returns ids of the deleted conversations */
  #removeRequests(most: number): number[] {
    // Counting is much faster than a deletion of none, and almost all calls delete none.
    if (this.#countRequests() <= MAX_REQUESTS) return [];
    const gone = this.#db
      .prepare<[number], { id: number; contact_id: number | null }>(
        `DELETE FROM conversations WHERE id IN (
           SELECT id FROM conversations WHERE state = 'request'
            ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ${MAX_REQUESTS}) RETURNING id, contact_id`,
      )
      .all(most);
    for (const { contact_id } of gone) if (contact_id !== null) this.#forgetRequest(contact_id);
    return gone.map(({ id }) => id);
  }

  /**
   * Unaccepted: if their message arrives again, it is dropped again. No later receipt covers it, because their numbers
   * are tracked from the next message on.
   */
  #forgetRequest(contactId: number): void {
    const ofContact = '(SELECT address FROM contacts WHERE id = ?)';
    this.#db.prepare(`DELETE FROM seen WHERE sender = ${ofContact}`).run(contactId);
    this.#db.prepare(`DELETE FROM gaps WHERE conversation = ${ofContact}`).run(contactId);
  }

  /**
   * Keeps people whom the user has written to, verified, has a message of or shares a group with.
   * @param most number of people; the rest follows at the next call
   * @returns whether there are more
   */
  #forgetAcquaintances(most: number): boolean {
    const before = this.#newestContact();
    // Reading all members of all groups for each page of the inbox would take long.
    const isDue = before < this.#forgottenUpTo || before - this.#forgottenUpTo >= FORGET_EVERY;
    if (!isDue && !this.#hasMore) return false;
    const strangers = this.#db
      .prepare<[], { id: number; address: string }>(
        `SELECT id, address FROM contacts AS p
          WHERE next_seq = 1 AND had_chat = 0
            AND address NOT IN (SELECT address FROM identity)
            AND NOT EXISTS (SELECT 1 FROM own_registers r
                             WHERE r.key = 'verified/' || p.address AND r.known = 1 AND r.value <> 'null')
            AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.contact_id = p.id)
            AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.sender = p.address)
          ORDER BY fetched_at DESC, id DESC`,
      )
      .all();
    const others = this.#withoutFellows(strangers).slice(MAX_ACQUAINTANCES);
    const forgotten = others.slice(0, most < 0 ? others.length : most);
    this.#db
      .prepare('DELETE FROM contacts WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(forgotten.map(({ id }) => id)));
    this.#forgottenUpTo = this.#newestContact();
    this.#hasMore = forgotten.length < others.length;
    return this.#hasMore;
  }

  /**
   * The people who share no group. The lists of members are parsed here, in a fifth of the time of SQLite's functions, and only
   * while there are too many people.
   */
  #withoutFellows<P extends { address: string }>(people: readonly P[]): P[] {
    if (people.length <= MAX_ACQUAINTANCES) return [...people];
    const left = new Map(people.map((person) => [person.address, person]));
    const groups = this.#db.prepare<[], { members: string }>('SELECT members FROM groups');
    for (const { members } of groups.iterate()) {
      for (const address of JSON.parse(members) as string[]) left.delete(address);
      if (left.size <= MAX_ACQUAINTANCES) break;
    }
    return [...left.values()];
  }

  /** Id of the contact that was added last. */
  #newestContact(): number {
    const row = this.#db.prepare<[], { id: number | null }>('SELECT max(id) AS id FROM contacts').get();
    return row?.id ?? 0;
  }
}

/** Bytes of a content with its words in the search index and its links. */
function costOf(body: Readonly<Record<string, unknown>>): number {
  const text = JSON.stringify(body);
  return byteLength(text) + BESIDE + costOfWords(body);
}

function costOfWords(body: Readonly<Record<string, unknown>>): number {
  // An edit is indexed as the message with its words.
  const { kind, text, caption } = body;
  const indexed = kind === 'edit' ? { kind: 'text', text: text ?? caption } : body;
  const content = searchableOf({ body: JSON.stringify(indexed), edit: null, deleted_by: null });
  if (!content) return 0;
  return bytesInIndex(content) + (content.has.includes('link') ? byteLength(content.text) : 0);
}
