/** Profiles of people and pictures of groups: one row each, however many values were received. */
import type { Version } from '../../messaging/contents/versions.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import type { Cache } from './database.ts';

/** A person's profile, or the picture of a group. */
export interface Face extends Version {
  /** Wire address, or id of the group. */
  owner: string;
  /** Null for a group, and for the person themselves: their name is in the identity. */
  name: string | null;
  about: string | null;
  /** The reference as received; null for none. */
  picture: AttachedFile | null;
  /** The stored file of the picture; null for none. */
  fileId: number | null;
  /** Time of the last planned download, in milliseconds since 1970. */
  requestedAt: number;
  /** Time at which this account renewed its claim on the blob at the relay; 0 for never. */
  keptAt: number;
}

/** A value of a face, with its version. */
export interface NewFace extends Version {
  name: string | null;
  about: string | null;
  picture: AttachedFile | null;
  fileId: number | null;
  /** The other own device that signed the picture of a group; absent for all others. */
  deviceId?: string | null;
}

/** Changes with a line of the timeline. */
export type FaceLine = 'name' | 'picture';

interface Row {
  owner: string;
  name: string | null;
  about: string | null;
  picture: string | null;
  file_id: number | null;
  requested_at: number;
  kept_at: number;
  sent_at: string;
  uid: string;
  sender: string;
}

function fromRow(row: Row): Face {
  return {
    owner: row.owner,
    name: row.name,
    about: row.about,
    picture: row.picture === null ? null : (JSON.parse(row.picture) as AttachedFile),
    fileId: row.file_id,
    requestedAt: row.requested_at,
    keptAt: row.kept_at,
    sentAt: row.sent_at,
    id: row.uid,
    sender: row.sender,
  };
}

/**
 * The display name of a row of `contacts` (p) with its face (f): the person's own, signed one before that of the relay. A
 * person without a display name sends their handle.
 */
export const DISPLAY_NAME = `CASE WHEN f.name IS NULL THEN p.display_name WHEN f.name = p.handle THEN NULL ELSE f.name END`;
/** The id of the file that is shown for a face (f): the former picture until the new one is here, or failed. */
export const PICTURE = `(SELECT id FROM files
  WHERE id = coalesce(f.former_file_id, f.file_id) AND is_here = 1 AND media_type LIKE 'image/%')`;

/** Limit of profiles of people whose chat is not accepted: members of groups. The oldest are forgotten. */
const MAX_OTHERS = 2_000;
/** Number of new profiles after which they are counted. */
const COUNT_EVERY = 50;
/** A row (f) of someone whose chat is not accepted. An address has 42 characters, the id of a group 22. */
const IS_OTHER = `length(f.owner) = 42 AND f.owner NOT IN (SELECT address FROM identity)
  AND NOT EXISTS (SELECT 1 FROM contacts p JOIN conversations c ON c.contact_id = p.id
                   WHERE p.address = f.owner AND c.state = 'accepted')`;

const isHere = (id: string) => `EXISTS (SELECT 1 FROM files WHERE id = ${id} AND is_here = 1)`;

export class Faces {
  readonly #db: Cache;
  /** New profiles since the last count. */
  #added = 0;

  constructor(db: Cache) {
    this.#db = db;
  }

  get(owner: string): Face | null {
    const row = this.#db.prepare<[string], Row>('SELECT * FROM faces WHERE owner = ?').get(owner);
    return row ? fromRow(row) : null;
  }

  /**
   * Replaces the stored value. A removed picture loses its file at once, a replaced one when the new one is here.
   */
  put(owner: string, face: NewFace): void {
    this.#db
      .prepare(
        `INSERT INTO faces (owner, name, about, picture, file_id, sent_at, uid, sender, device_id)
         VALUES (@owner, @name, @about, @picture, @fileId, @sentAt, @id, @sender, @deviceId)
         ON CONFLICT (owner) DO UPDATE SET name = @name, about = @about, picture = @picture, file_id = @fileId,
           former_file_id = CASE WHEN @fileId IS NULL OR ${isHere('@fileId')} THEN NULL
             WHEN ${isHere('faces.file_id')} THEN faces.file_id ELSE faces.former_file_id END,
           kept_at = iif(file_id IS @fileId, kept_at, 0), sent_at = @sentAt, uid = @id, sender = @sender,
           device_id = @deviceId`,
      )
      .run({
        deviceId: null,
        ...face,
        owner,
        picture: face.picture && JSON.stringify(face.picture),
      });
  }

  /** Pictures of groups that an own device set. */
  *setBy(deviceId: string): Generator<Face> {
    const rows = this.#db
      .prepare<[string], Row>('SELECT * FROM faces WHERE device_id = ? ORDER BY owner')
      .iterate(deviceId);
    for (const row of rows) yield fromRow(row);
  }

  /** Removes a profile, or the picture of a group, with its file. */
  remove(owner: string): void {
    this.#db.prepare('DELETE FROM faces WHERE owner = ?').run(owner);
  }

  /** Reports whether a profile is of someone whose chat is not accepted. */
  isOfOther(owner: string): boolean {
    return this.#db.prepare(`SELECT 1 FROM faces f WHERE owner = ? AND ${IS_OTHER}`).get(owner) !== undefined;
  }

  /** Bytes of all pictures that are here or planned to be. */
  bytes(): number {
    return this.#bytesOf('1');
  }

  /** Those of people whose chat is not accepted. */
  bytesOfOthers(): number {
    return this.#bytesOf(IS_OTHER);
  }

  #bytesOf(which: string): number {
    return (
      this.#db
        .prepare<[], { bytes: number | null }>(
          `SELECT sum(max(size, 4096)) AS bytes FROM files WHERE (is_here = 1 OR task IS NOT NULL)
              AND id IN (SELECT file_id FROM face_files f WHERE ${which})`,
        )
        .get()?.bytes ?? 0
    );
  }

  /** Call this after a new profile: forgets those of people whose chat is not accepted, beyond the limit. */
  bound(): void {
    this.#added = (this.#added + 1) % COUNT_EVERY;
    if (this.#added !== 0) return;
    this.#db
      .prepare(
        `DELETE FROM faces WHERE owner IN (
           SELECT owner FROM faces f WHERE ${IS_OTHER} ORDER BY sent_at DESC, owner LIMIT -1 OFFSET ${MAX_OTHERS})`,
      )
      .run();
  }

  setRequestedAt(owner: string, at: number): void {
    this.#db.prepare('UPDATE faces SET requested_at = ? WHERE owner = ?').run(at, owner);
  }

  setKept(owner: string, at: number): void {
    this.#db.prepare('UPDATE faces SET kept_at = ? WHERE owner = ?').run(at, owner);
  }

  /**
   * Records a line about a change.
   * @param before time up to which the last one must have been, in milliseconds since 1970
   * @returns false if the last one is more recent: then there is no line
   */
  drawLine(owner: string, line: FaceLine, now: number, before: number): boolean {
    const column = line === 'name' ? 'name_line_at' : 'picture_line_at';
    const { changes } = this.#db
      .prepare(`UPDATE faces SET ${column} = ? WHERE owner = ? AND ${column} <= ?`)
      .run(now, owner, before);
    return changes > 0;
  }

  /** Reports whether a former picture is shown until a file is here. */
  isAwaited(fileId: number): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM faces WHERE file_id = ? AND former_file_id IS NOT NULL').get(fileId) !==
      undefined
    );
  }

  /** Owners of the faces with a file, also as the former picture. */
  ownersOf(fileId: number): string[] {
    return this.#db
      .prepare<[number], { owner: string }>('SELECT owner FROM face_files WHERE file_id = ?')
      .all(fileId)
      .map(({ owner }) => owner);
  }
}
