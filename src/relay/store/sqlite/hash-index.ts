/**
 * The index of envelopes by hash. Hashes are random: with an index of all of them, each envelope would change a page of its own, half
 * of the pages that a flush writes. So new hashes wait in a table in memory, and move into the index in the order of the hashes, many
 * to a page. They are read again from `envelope` after a restart, and after a change by another process.
 */
import type Database from 'better-sqlite3-multiple-ciphers';

export const HASH_INDEX_TABLES: readonly string[] = ['envelope_hash', 'envelope_hash_end'];

/** The index on the disk. */
export const hashIndex = `
-- Finds an envelope by its hash. New ones are not in it yet.
CREATE TABLE envelope_hash (
  hash        BLOB NOT NULL,
  bucket      INTEGER NOT NULL,
  envelope_id INTEGER NOT NULL,
  PRIMARY KEY (hash, bucket)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER envelope_hash_goes AFTER DELETE ON envelope
BEGIN DELETE FROM envelope_hash WHERE hash = OLD.hash AND bucket = OLD.bucket; END;
-- The hashes that are in it: of all envelopes up to envelope_id, and of those up to round_id if the hash is below next_hash.
CREATE TABLE envelope_hash_end (
  envelope_id INTEGER NOT NULL,
  round_id    INTEGER NOT NULL,
  next_hash   BLOB NOT NULL
) STRICT;
INSERT INTO envelope_hash_end VALUES (0, 0, x'');
`;

const readNewHashes = `
INSERT INTO new_hash
  SELECT hash, bucket, id FROM main.envelope_hash_end AS moved CROSS JOIN main.envelope
   WHERE id > moved.envelope_id AND (id > round_id OR hash >= next_hash)`;

const newHashes = `
CREATE TEMP TABLE new_hash (
  hash        BLOB NOT NULL,
  bucket      INTEGER NOT NULL,
  envelope_id INTEGER NOT NULL,
  PRIMARY KEY (hash, bucket)
) STRICT, WITHOUT ROWID;
CREATE TEMP TRIGGER new_hash_comes AFTER INSERT ON main.envelope
BEGIN INSERT INTO new_hash VALUES (NEW.hash, NEW.bucket, NEW.id); END;
CREATE TEMP TRIGGER new_hash_goes AFTER DELETE ON main.envelope
BEGIN DELETE FROM new_hash WHERE hash = OLD.hash AND bucket = OLD.bucket; END;
-- In this order: a join that begins with all envelopes would read them all.
CREATE TEMP VIEW envelope_by_hash AS
  SELECT found.hash, found.bucket, id, accepted_at, size, pending
    FROM new_hash AS found CROSS JOIN main.envelope ON id = envelope_id
  UNION ALL
  SELECT found.hash, found.bucket, id, accepted_at, size, pending
    FROM main.envelope_hash AS found CROSS JOIN main.envelope ON id = envelope_id;
`;

/** The view of both, with the columns of `envelope`. */
export const ENVELOPES_BY_HASH = 'envelope_by_hash AS envelope';

/** Adds hashes of new envelopes to those in memory, which a {@link HashMover} reads. For a connection that writes. */
export function openNewHashes(database: Database.Database): void {
  database.exec(newHashes);
}

/**
 * The number of hashes in memory, about 1.6 MB. The more, the fewer pages of the index change for each. A restart reads up to four
 * times as many, and keeps half of those.
 */
const KEPT = 32_768;
/** Hashes that are moved at once: less than a millisecond of work. */
const STEP = 256;
const BEGINNING: Buffer = Buffer.alloc(0);
/** After each hash, which is one byte shorter. */
const END: Buffer = Buffer.alloc(33, 0xff);

/** The progress of the moves: the row of `envelope_hash_end`. */
interface Progress {
  /** The hashes of all envelopes up to this one are in the index. */
  envelopeId: number;
  /** The last envelope at the beginning of the running round. */
  roundId: number;
  /** The end of the last step, and the beginning of the next one. */
  next: Buffer;
}

/**
 * Moves new hashes into the index, after {@link openNewHashes}. The moves go round, in steps: each begins where the one before ended. A
 * restart continues the round. If it began again, the end of a round would never come with frequent restarts, and each would read more.
 */
export class HashMover {
  readonly #version;
  readonly #forget;
  readonly #read;
  readonly #lastId;
  readonly #endOfStep;
  readonly #add;
  readonly #remove;
  readonly #countAll;
  readonly #readProgress;
  readonly #writeProgress;
  readonly #kept: number;
  readonly #step: number;
  #progress: Progress = { envelopeId: 0, roundId: 0, next: BEGINNING };
  /** Hashes in memory, at most: deleted ones are subtracted in each round. */
  #count = 0;
  /** The id of the last counted envelope. */
  #last = 0;
  /** Version of the file with the hashes in memory. It changes with a commit of another process. */
  #known: number | null = null;
  /** True if this transaction read the hashes again: a rollback undoes that. */
  #hasRead = false;

  /** @param options `kept`: the number of hashes in memory; `step`: of hashes that are moved at once */
  constructor(database: Database.Database, { kept = KEPT, step = STEP } = {}) {
    this.#kept = kept;
    this.#step = step;
    // https://sqlite.org/pragma.html#pragma_data_version
    this.#version = database.prepare<[], number>('PRAGMA main.data_version').pluck();
    this.#forget = database.prepare('DELETE FROM new_hash');
    this.#read = database.prepare(readNewHashes);
    this.#lastId = database
      .prepare<[], number>("SELECT seq FROM main.sqlite_sequence WHERE name = 'envelope'")
      .pluck();
    this.#endOfStep = database
      .prepare<[Buffer, number], Buffer>(
        'SELECT hash FROM new_hash WHERE hash >= ? ORDER BY hash LIMIT 1 OFFSET ?',
      )
      .pluck();
    // After a restart, some are in both.
    this.#add = database.prepare<[Buffer, Buffer]>(
      `INSERT OR IGNORE INTO main.envelope_hash
       SELECT * FROM new_hash WHERE hash >= ? AND hash < ? ORDER BY hash`,
    );
    this.#remove = database.prepare<[Buffer, Buffer]>('DELETE FROM new_hash WHERE hash >= ? AND hash < ?');
    this.#countAll = database.prepare<[], number>('SELECT count(*) FROM new_hash').pluck();
    this.#readProgress = database.prepare<[], Progress>(
      'SELECT envelope_id AS envelopeId, round_id AS roundId, next_hash AS next FROM main.envelope_hash_end',
    );
    this.#writeProgress = database.prepare<[Progress]>(
      'UPDATE main.envelope_hash_end SET envelope_id = :envelopeId, round_id = :roundId, next_hash = :next',
    );
    database.transaction(() => this.afterBegin())();
  }

  /** Reads the new hashes again if another process changed the file. Call it after each begin of a transaction. */
  afterBegin(): void {
    const version = this.#version.get() ?? null;
    this.#hasRead = version !== this.#known;
    if (!this.#hasRead) return;
    this.#forget.run();
    this.#read.run();
    this.#known = version;
    this.#recount();
  }

  /**
   * Moves hashes while there are too many in memory, as after a restart: one step, or about twice as many as were added. Call it before
   * each commit, in its transaction.
   */
  beforeCommit(): void {
    const last = this.#lastId.get() ?? 0;
    const added = last - this.#last;
    this.#count += added;
    this.#last = last;
    for (let moved = 0; moved <= 2 * added && this.#count >= this.#kept + this.#step; moved += this.#step) {
      this.#moveStep();
    }
  }

  /** Call it after each rollback, which may undo moves. */
  afterRollback(): void {
    if (this.#hasRead) this.#known = null;
    else this.#recount();
  }

  #recount(): void {
    this.#count = this.#countAll.get() ?? 0;
    this.#last = this.#lastId.get() ?? 0;
    this.#progress = this.#readProgress.get() ?? this.#progress;
  }

  #moveStep(): void {
    const { envelopeId, roundId, next } = this.#progress;
    const end = this.#endOfStep.get(next, this.#step) ?? END;
    this.#add.run(next, end);
    this.#count -= this.#remove.run(next, end).changes;
    const round = next.length === 0 ? this.#last : roundId;
    if (end === END) {
      this.#progress = { envelopeId: round, roundId: 0, next: BEGINNING };
      this.#count = this.#countAll.get() ?? 0;
    } else this.#progress = { envelopeId, roundId: round, next: end };
    this.#writeProgress.run(this.#progress);
  }
}
