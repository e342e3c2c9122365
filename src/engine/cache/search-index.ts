/**
 * Full-text index of messages: FTS5 with trigrams, so that any part of a word is found in any script.
 *
 * The index lies in tables of PART messages each, the newest searched first: common words are found in the first of them,
 * and a merge, which removes the entries of erased texts from the disk, is short. Triggers note changed messages in the
 * transaction of the change; {@link SearchIndex.update} indexes them before it ends, as a segment of their part. Segments
 * are merged in the background; a search looks into each of them. The index has candidates only: a match is verified
 * with the message itself. Sources: https://sqlite.org/fts5.html, chapters 4.3.4, 4.4.3 and 6.
 */
import { describe } from '../../base/error-facts.ts';
import { logUnexpected } from '../../base/log.ts';
import { type Searchable, type SearchedContent, searchTextOf } from '../../base/searchable.ts';
import { type Cache, isDamage } from './database.ts';
import { type SearchableRow, searchableOf } from './searchable.ts';

/** Messages in one part. */
const PART = 16_384;
/** A stored index of another version is rebuilt. Unicode decides which characters are equal. */
const VERSION = `3/${process.versions.unicode ?? ''}`;
/** After each trigram with the same beginning. */
const LAST = '\u{10ffff}'.repeat(3);
/** Characters after the last one: with them, a trigram begins at each character of a text. */
const END = '\u0002\u0002';
/** Trigrams of one term to look up, and of all. More find hardly less. */
const MAX_TRIGRAMS = 24;
const MAX_IN_ALL = 100;
/** Chats, or people, to look up. The messages of more are read without the index: they are most messages. */
const MAX_ALTERNATIVES = 100;
/** Text that one update indexes, in bytes: about 10 ms. Each has a trigram, and long texts have many different ones. */
const MAX_BYTES = 16_384;
/** Pages that one step of a merge writes: about 5 ms. */
const MERGE_PAGES = 32;
/** Updates of a part after which its segments are merged. */
const MERGE_AFTER = 8;
/** Segments of one size after which an update merges them itself, which would take long. */
const MOST_SEGMENTS = 1_000;

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

/** A changed message. `row` is missing if it was removed, `found` if it has nothing to search. */
interface Entry {
  id: number;
  row: IndexedRow | undefined;
  found: Searchable | null | undefined;
  text: string;
  /** Length of the text in UTF-8. */
  bytes: number;
}

function entryOf(id: number, row: IndexedRow | undefined): Entry {
  const found = row && searchableOf(row);
  const text = found ? searchTextOf(found) + END : '';
  return { id, row, found, text, bytes: Buffer.byteLength(text) };
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
    const entries: Entry[] = [];
    for (const id of ids) {
      // An update makes one part at most: its tables need as long as the rest.
      if (partOf(id) !== partOf(ids[0] ?? id) && !this.#hasPart(partOf(id))) break;
      const entry = entryOf(id, rows.get(id));
      entries.push(entry);
      bytes += entry.bytes;
      if (bytes >= MAX_BYTES) break;
    }
    // Ascending: FTS5 begins another segment at each lower number (sqlite3Fts5IndexBeginWrite in its source).
    for (const entry of entries.reverse()) this.#index(entry);
    const done = JSON.stringify(entries.map(({ id }) => id));
    this.#db.prepare('DELETE FROM search_changes WHERE id IN (SELECT value FROM json_each(?))').run(done);
    const parts = JSON.stringify([...new Set(entries.map(({ id }) => partOf(id)))]);
    this.#db
      .prepare('UPDATE search_parts SET updates = updates + 1 WHERE part IN (SELECT value FROM json_each(?))')
      .run(parts);
  }

  /**
   * Makes the part of the next message to index, if it is missing, in its own transaction: the more parts there are, the longer
   * it takes, and an update would add it to its own time.
   * @returns whether it was missing
   */
  prepare(): boolean {
    return this.#guarded(() => {
      const next = this.#db
        .prepare<[], { id: number }>('SELECT id FROM search_changes ORDER BY id DESC LIMIT 1')
        .get();
      if (!next || this.#hasPart(partOf(next.id))) return false;
      this.#db.transaction(() => this.#createPart(partOf(next.id)))();
      return true;
    });
  }

  /**
   * Merges segments of similar size, after many updates of a part: one step in its own transaction.
   * @returns whether more may be left to do
   */
  merge(): boolean {
    return this.#guarded(() => {
      const due = this.#db
        .prepare<[number], { part: number }>(
          'SELECT part FROM search_parts WHERE updates >= ? ORDER BY part DESC LIMIT 1',
        )
        .get(MERGE_AFTER);
      if (!due) return false;
      this.#db.transaction(() => {
        if (!this.#mergeStep(due.part, MERGE_PAGES))
          this.#db.prepare('UPDATE search_parts SET updates = 0 WHERE part = ?').run(due.part);
      })();
      return true;
    });
  }

  /**
   * Merges a part into one segment if it is full, or has entries of erased texts, which a merge removes from the disk: one
   * step in its own transaction.
   * @returns whether more may be left to do
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
    this.#db.transaction(() => {
      // A negative number begins a merge of everything into one segment; positive ones go on with it.
      const begins = part.is_dirty === 1;
      const hasMore = this.#mergeStep(part.part, begins ? -MERGE_PAGES : MERGE_PAGES);
      // A merge leaves entries that were removed after it began: another one follows.
      const state = begins ? 2 : hasMore ? part.is_dirty : part.is_dirty - 2;
      this.#db.prepare('UPDATE search_parts SET is_dirty = ? WHERE part = ?').run(state, part.part);
    })();
    return true;
  }

  /** @returns whether there was something to merge */
  #mergeStep(part: number, pages: number): boolean {
    const table = tableOf(part);
    const before = this.#totalChanges();
    this.#db.prepare(`INSERT INTO ${table}(${table}, rank) VALUES ('merge', ?)`).run(pages);
    // "If the difference is less than 2, then the 'merge' command was a no-op": chapter 6.8.
    return this.#totalChanges() - before >= 2;
  }

  /** Numbers of the parts that have messages before one, newest first. */
  parts(before: number): number[] {
    return this.#db
      .prepare<[number], { part: number }>('SELECT part FROM search_parts WHERE part <= ? ORDER BY part DESC')
      .all(partOf(before - 1))
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

  #index({ id, row, found, text }: Entry): void {
    const part = partOf(id);
    const isThere = this.#hasPart(part);
    if (isThere) this.#remove(part, id);
    if (!row || !found) return;
    if (!isThere) this.#createPart(part);
    this.#db
      .prepare(
        `INSERT INTO ${tableOf(part)} (rowid, text, chat, sender, has1, has2, has3) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        text,
        filterToken(CHAT, row.conversation_id),
        senderToken(row.sender),
        ...CONTENTS.map((content) => (found.has.includes(content) ? hasToken(content) : '')),
      );
  }

  #hasPart(part: number): boolean {
    return this.#db.prepare('SELECT 1 FROM search_parts WHERE part = ?').get(part) !== undefined;
  }

  #remove(part: number, id: number): void {
    const { changes } = this.#db.prepare(`DELETE FROM ${tableOf(part)} WHERE rowid = ?`).run(id);
    if (changes > 0)
      this.#db.prepare('UPDATE search_parts SET is_dirty = is_dirty | 1 WHERE part = ?').run(part);
  }

  /** Stores neither positions nor texts, which halves the size: both are in the messages. */
  #createPart(part: number): void {
    const table = tableOf(part);
    this.#db.exec(
      `CREATE VIRTUAL TABLE ${table} USING fts5(text, chat, sender, has1, has2, has3, content = '',
         contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
       INSERT INTO ${table}(${table}, rank) VALUES ('automerge', 0), ('crisismerge', ${MOST_SEGMENTS});
       INSERT INTO search_parts (part) VALUES (${part})`,
    );
    // Its neighbour is full: of old messages, the newest are indexed first.
    this.#db
      .prepare('UPDATE search_parts SET is_dirty = is_dirty | 1 WHERE part IN (?, ?)')
      .run(part - 1, part + 1);
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

const partOf = (id: number) => Math.floor(id / PART);
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
    tokens.length === 0 || tokens.length > MAX_ALTERNATIVES ? [] : [`(${tokens.map(quoted).join(' OR ')})`];
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
