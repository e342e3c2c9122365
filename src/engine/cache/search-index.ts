/**
 * Full-text index of messages: FTS5 with trigrams, so that any part of a word is found in any script.
 *
 * The index lies in tables of PART messages each, the newest searched first: common words are found in the first of them,
 * and a merge, which removes the entries of erased texts from the disk, is short. Triggers note changed messages in the
 * transaction of the change; {@link SearchIndex.update} indexes them before it ends. The index says where a text may be:
 * a match is verified with the message itself. Sources: https://sqlite.org/fts5.html, chapters 4.3.4, 4.4.3 and 6.
 */
import { describe } from '../../base/error-facts.ts';
import { logUnexpected } from '../../base/log.ts';
import { type Searchable, type SearchedContent, searchTextOf } from '../../base/searchable.ts';
import { type Cache, isDamage } from './database.ts';
import { type SearchableRow, searchableOf } from './searchable.ts';

/** Messages in one part. */
const PART = 16_384;
/** A stored index of another version is rebuilt. Unicode decides which characters are equal. */
const VERSION = `1/${process.versions.unicode ?? ''}`;
/** After each trigram with the same beginning. */
const LAST = '\u{10ffff}'.repeat(3);
/** Characters after the last one: with them, a trigram begins at each character of a text. */
const END = '\u0002\u0002';
/** Trigrams of one term to look up, and of all. More find hardly less. */
const MAX_TRIGRAMS = 24;
const MAX_IN_ALL = 100;
/** Text that one update indexes, in bytes: about 10 ms. Each has a trigram, and long texts have many different ones. */
const MAX_BYTES = 16_384;
/** Pages that one step of a merge writes: about 5 ms. */
const MERGE_PAGES = 32;

/** Filters, each a code point and 24 bits: one trigram of private characters, which no text has. */
const CHAT = 0;
const SENDER = 1;
const HAS = 2;
const CONTENTS: readonly SearchedContent[] = ['link', 'file', 'picture'];

const filterToken = (filter: number, value: number) =>
  String.fromCodePoint(0xf0000 + filter, 0xf0100 + ((value >> 12) & 0xfff), 0xf0100 + (value & 0xfff));
/** @param address wire address; two addresses may share a token */
const senderToken = (address: string) => filterToken(SENDER, Number.parseInt(address.slice(2, 8), 16));
const hasToken = (content: SearchedContent) => filterToken(HAS, CONTENTS.indexOf(content));

interface IndexedRow extends SearchableRow {
  id: number;
  conversation_id: number;
  sender: string;
}

/** Conditions on messages. The index finds all messages that meet them, and possibly others. */
export interface SearchCondition {
  /** Parts of the text, in the form of `toSearchText`, not empty. */
  terms: readonly string[];
  conversationIds: readonly number[] | null;
  /** Wire addresses; null for any. */
  senders: readonly string[] | null;
  has: readonly SearchedContent[];
}

/** Conditions on messages, with those that only the messages themselves show. */
export interface MessageSearch extends SearchCondition {
  /** Milliseconds since 1970, of the time that is shown: from this time on; null for any. */
  after: number | null;
  /** Earlier than this time; null for any. */
  before: number | null;
}

/** A message to verify. */
export interface CandidateRow extends SearchableRow {
  id: number;
  conversation_id: number;
  sender: string;
  bot: string | null;
  at: number;
}

export class SearchIndex {
  readonly #db: Cache;
  /** Found at a call. */
  #isDamaged = false;
  #wasRepaired = false;

  constructor(db: Cache) {
    this.#db = db;
    if (this.#version() !== VERSION) this.#rebuild();
  }

  /** Reports whether all messages are indexed. */
  get isComplete(): boolean {
    return this.#db.prepare('SELECT 1 FROM search_changes LIMIT 1').get() === undefined;
  }

  /**
   * Indexes changed messages, newest first, in the caller's transaction.
   * A damaged index does not stop the transaction: the texts are in the messages.
   * @param most number of messages; fewer if they are long
   */
  update(most: number): void {
    if (this.#isDamaged) return;
    try {
      // The end of an inner transaction writes the index: damage is found before the outer one ends.
      this.#guarded(() => this.#db.transaction(() => this.#update(most))());
    } catch (error) {
      if (!this.#isDamaged) throw error;
      logUnexpected(describe(error));
    }
  }

  /**
   * Rebuilds a damaged index, once: if that does not help, the disk is damaged.
   * @returns whether the index can be used
   */
  repair(): boolean {
    if (!this.#isDamaged || this.#wasRepaired) return !this.#isDamaged;
    this.#wasRepaired = true;
    this.#rebuild();
    this.#isDamaged = false;
    return true;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#isDamaged ||= isDamage(error);
      throw error;
    }
  }

  #update(most: number): void {
    const ids = this.#db
      .prepare<[number], { id: number }>('SELECT id FROM search_changes ORDER BY id DESC LIMIT ?')
      .all(most)
      .map(({ id }) => id);
    if (ids.length === 0) return;
    const rows = new Map(
      this.#db
        .prepare<[string], IndexedRow>(
          `SELECT id, conversation_id, sender, body, edit, deleted_by FROM messages
            WHERE id IN (SELECT value FROM json_each(?)) AND event IS NULL`,
        )
        .all(JSON.stringify(ids))
        .map((row) => [row.id, row]),
    );
    let bytes = 0;
    let count = 0;
    for (const id of ids) {
      bytes += this.#index(id, rows.get(id));
      count += 1;
      if (bytes >= MAX_BYTES) break;
    }
    this.#db
      .prepare('DELETE FROM search_changes WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids.slice(0, count)));
  }

  /**
   * Removes entries of erased texts from the disk, one step in its own transaction.
   * @returns whether more is left to do
   */
  clean(): boolean {
    return this.#guarded(() => this.#clean());
  }

  #clean(): boolean {
    const part = this.#db
      .prepare<[], { part: number; is_dirty: number }>(
        'SELECT part, is_dirty FROM search_parts WHERE is_dirty > 0 ORDER BY part DESC LIMIT 1',
      )
      .get();
    if (!part) return false;
    const table = tableOf(part.part);
    this.#db.transaction(() => {
      const before = this.#totalChanges();
      // A negative number begins a merge of everything into one segment; positive ones go on with it.
      const begins = part.is_dirty === 1;
      this.#db
        .prepare(`INSERT INTO ${table}(${table}, rank) VALUES ('merge', ?)`)
        .run(begins ? -MERGE_PAGES : MERGE_PAGES);
      // "If the difference is less than 2, then the 'merge' command was a no-op": chapter 6.8.
      const isDone = !begins && this.#totalChanges() - before < 2;
      // A merge leaves entries that were removed after it began: another one follows.
      const state = begins ? 2 : isDone ? part.is_dirty - 2 : part.is_dirty;
      this.#db.prepare('UPDATE search_parts SET is_dirty = ? WHERE part = ?').run(state, part.part);
    })();
    return true;
  }

  /** Numbers of the parts that have messages before one, newest first. */
  parts(before: number): number[] {
    return this.#db
      .prepare<[number], { part: number }>('SELECT part FROM search_parts WHERE part <= ? ORDER BY part DESC')
      .all(Math.floor((before - 1) / PART))
      .map(({ part }) => part);
  }

  /**
   * Ids of messages in a part that may meet conditions, newest first.
   * @param before only lower ids
   */
  candidates(part: number, condition: SearchCondition, before: number, limit: number): number[] {
    const table = tableOf(part);
    const match = matchOf(condition);
    const from = match === '' ? 'messages' : table;
    // Rows of the index have no other column than their number.
    const conditions = ['rowid < @before', match === '' ? 'rowid >= @first' : `${table} MATCH @match`];
    const term = shortTermOf(condition);
    // The plus sign: one look-up of all words, instead of one for each of their messages.
    if (term !== null)
      conditions.push(
        `+rowid IN (SELECT doc FROM ${this.#vocabularyOf(part)} WHERE term >= @term AND term < @term || @last)`,
      );
    const found = this.#db.prepare<[Record<string, string | number | null>], { id: number }>(
      `SELECT rowid AS id FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY rowid DESC LIMIT @limit`,
    );
    const values = { match, before, limit, term, first: part * PART, last: LAST };
    return this.#guarded(() => found.all(values).map(({ id }) => id));
  }

  /** Existing messages among these that meet the conditions on columns, newest first, without those of blocked chats. */
  rows({ after, before }: MessageSearch, ids: readonly number[]): IterableIterator<CandidateRow> {
    return this.#db
      .prepare<[{ ids: string; after: number; before: number }], CandidateRow>(
        `SELECT m.id, m.conversation_id, m.sender, m.bot, m.edit, m.deleted_by, m.body,
            min(m.stored_at, m.received_at, iif(m.late > 0, m.signed_at, m.stored_at)) AS at
           FROM json_each(@ids) AS wanted JOIN messages m ON m.id = wanted.value
           JOIN conversations c ON c.id = m.conversation_id
          WHERE m.event IS NULL AND c.state <> 'blocked' AND at >= @after AND at < @before ORDER BY m.id DESC`,
      )
      .iterate({
        ids: JSON.stringify(ids),
        after: after ?? Number.MIN_SAFE_INTEGER,
        before: before ?? Number.MAX_SAFE_INTEGER,
      });
  }

  /** @returns length of the indexed text, in bytes */
  #index(id: number, row: IndexedRow | undefined): number {
    const part = Math.floor(id / PART);
    const found = row && searchableOf(row);
    const isThere = this.#db.prepare('SELECT 1 FROM search_parts WHERE part = ?').get(part) !== undefined;
    if (!isThere && !found) return 0;
    if (!isThere) this.#createPart(part);
    else this.#remove(part, id);
    return row && found ? this.#add(part, row, found) : 0;
  }

  #add(part: number, row: IndexedRow, found: Searchable): number {
    const text = searchTextOf(found) + END;
    this.#db
      .prepare(
        `INSERT INTO ${tableOf(part)} (rowid, text, chat, sender, has1, has2, has3) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        row.id,
        text,
        filterToken(CHAT, row.conversation_id),
        senderToken(row.sender),
        ...CONTENTS.map((content) => (found.has.includes(content) ? hasToken(content) : '')),
      );
    return Buffer.byteLength(text);
  }

  #remove(part: number, id: number): void {
    const { changes } = this.#db.prepare(`DELETE FROM ${tableOf(part)} WHERE rowid = ?`).run(id);
    if (changes > 0)
      this.#db.prepare('UPDATE search_parts SET is_dirty = is_dirty | 1 WHERE part = ?').run(part);
  }

  /** Stores neither positions nor texts, which halves the size: both are in the messages. */
  #createPart(part: number): void {
    this.#db.exec(
      `CREATE VIRTUAL TABLE ${tableOf(part)} USING fts5(text, chat, sender, has1, has2, has3, content = '',
         contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`,
    );
    this.#db.prepare('INSERT INTO search_parts (part) VALUES (?)').run(part);
  }

  #vocabularyOf(part: number): string {
    const name = `temp.${tableOf(part)}_terms`;
    this.#db.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5vocab(main, '${tableOf(part)}', 'instance')`,
    );
    return name;
  }

  #rebuild(): void {
    this.#db.transaction(() => {
      for (const { part } of this.#db.prepare<[], { part: number }>('SELECT part FROM search_parts').all())
        this.#db.exec(`DROP TABLE ${tableOf(part)}`);
      this.#db.exec(
        `DELETE FROM search_parts;
         INSERT OR IGNORE INTO search_changes (id) SELECT id FROM messages WHERE event IS NULL`,
      );
      this.#db
        .prepare(
          'INSERT INTO search_version (one, version) VALUES (1, ?) ON CONFLICT DO UPDATE SET version = excluded.version',
        )
        .run(VERSION);
    })();
  }

  #version(): string | undefined {
    return this.#db.prepare<[], { version: string }>('SELECT version FROM search_version').get()?.version;
  }

  #totalChanges(): number {
    return this.#db.prepare<[], { count: number }>('SELECT total_changes() AS count').get()?.count ?? 0;
  }
}

/** Messages of a merged history have numbers below 0. */
const tableOf = (part: number) => (part < 0 ? `search_before_${-part}` : `search_${part}`);

/**
 * The rarest term by its bytes, if all are shorter than a trigram: the trigrams that begin with it are looked up.
 */
export function shortTermOf({ terms }: SearchCondition): string | null {
  if (terms.some((term) => [...term].length > 2)) return null;
  return terms.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))[0] ?? null;
}

/** The expression that finds the messages; empty if only terms shorter than a trigram are searched. */
function matchOf({ terms, conversationIds, senders, has }: SearchCondition): string {
  const any = (tokens: readonly string[]) =>
    tokens.length === 0 ? [] : [`(${tokens.map(quoted).join(' OR ')})`];
  return [
    ...[...new Set(terms.flatMap(trigramsOf).map(quoted))].slice(0, MAX_IN_ALL),
    ...has.map((content) => quoted(hasToken(content))),
    ...any((conversationIds ?? []).map((id) => filterToken(CHAT, id))),
    ...any((senders ?? []).map(senderToken)),
  ].join(' AND ');
}

const quoted = (token: string) => `"${token.replaceAll('"', '""')}"`;

/** Trigrams of a term, evenly spread if there are too many. None of a shorter term. */
function trigramsOf(term: string): string[] {
  const characters = [...term];
  const count = Math.max(0, characters.length - 2);
  const step = Math.max(1, count / MAX_TRIGRAMS);
  const chosen = Array.from({ length: Math.min(count, MAX_TRIGRAMS) }, (_, index) =>
    Math.floor(index * step),
  );
  return chosen.map((at) => characters.slice(at, at + 3).join(''));
}
