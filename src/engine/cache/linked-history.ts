/** Histories for newly linked computers: those that this one sends, and the one that it receives. */
import type { Cache } from './database.ts';
import { type FileRow, fromRow, type StoredFile } from './files.ts';

/** The history for one linked computer. */
export interface HistorySending {
  deviceId: string;
  /**
   * `offered` and `refused`: before its request. `ending`: it must be informed of the end. `missed`: it was off for too long.
   * `back`: it has then made a request again, which waits for the person.
   */
  state: 'offered' | 'refused' | 'sending' | 'ending' | 'missed' | 'back';
  /** Time of the linking, of the last offer, or of its last request. */
  lastReceivedAt: number;
  /**
   * 16 bytes in base64url; null before its first request. One that is `missed`, or offered again, has that of the lost
   * history.
   */
  snapshot: string | null;
  /** Contents of the next part. */
  stage: 'people' | 'messages' | 'files' | 'complete';
  /** Messages, or files, below this number are left. */
  next: number;
  /** Bytes of the next file in earlier parts. */
  offset: number;
  /** Greatest number of a message at its beginning. */
  lastArrival: number;
  /** Number of parts. */
  made: number;
  /** Number of parts that the computer has. */
  received: number;
  /** Estimated number of all parts; 0 before the first. */
  parts: number;
}

/** The history that this computer requests. */
export interface HistoryReceiving {
  /** `ending`: the sender must be informed of the end. `complete` and `stopped` stay until the person has seen them. */
  state: 'receiving' | 'ending' | 'complete' | 'stopped';
  snapshot: string;
  /** The sender; null before its first part. */
  deviceId: string | null;
  /** Time of the linking, or of the last part. */
  lastReceivedAt: number;
  /** Number of parts. */
  merged: number;
  /** Number of all parts, as estimated by the sender; 0 before the first. */
  parts: number;
  /** Part of the last request; 0 for none. */
  requested: number;
  /** Time of the linking, or of the last request. */
  requestedAt: number;
  /** Numbers of merged messages: src/engine/history/merge.ts. */
  shift: number | null;
  ceiling: number | null;
}

/** A part that is stored here as a file. */
export interface HistoryPart {
  part: number;
  parts: number;
  /** The recipient was informed. */
  isSent: boolean;
  file: StoredFile;
}

/** In the place of the recipient: this computer. */
export const HERE = '';

interface PartRow extends FileRow {
  part: number;
  parts: number;
  is_sent: number;
}

export class LinkedHistoryRows {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  /** All histories that this computer sends. */
  sending(): HistorySending[] {
    return this.#db
      .prepare<[], HistorySending>(
        `SELECT device_id AS deviceId, state, last_received_at AS lastReceivedAt, snapshot, stage, next, offset,
                last_arrival AS lastArrival, made, received, parts FROM history_sending ORDER BY last_received_at, device_id`,
      )
      .all();
  }

  sendingTo(deviceId: string): HistorySending | null {
    return this.sending().find((each) => each.deviceId === deviceId) ?? null;
  }

  saveSending(sending: HistorySending): void {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO history_sending
           (device_id, state, last_received_at, snapshot, stage, next, offset, last_arrival, made, received, parts)
         VALUES (@deviceId, @state, @lastReceivedAt, @snapshot, @stage, @next, @offset, @lastArrival, @made, @received, @parts)`,
      )
      .run({ ...sending });
  }

  endSending(deviceId: string): void {
    this.#db.prepare('DELETE FROM history_sending WHERE device_id = ?').run(deviceId);
  }

  /** Null if this computer requests none. */
  receiving(): HistoryReceiving | null {
    return (
      this.#db
        .prepare<[], HistoryReceiving>(
          `SELECT state, snapshot, device_id AS deviceId, last_received_at AS lastReceivedAt, merged, parts, requested,
                  requested_at AS requestedAt, shift, ceiling
             FROM history_receiving`,
        )
        .get() ?? null
    );
  }

  saveReceiving(receiving: HistoryReceiving): void {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO history_receiving
           (one, state, snapshot, device_id, last_received_at, merged, parts, requested, requested_at, shift, ceiling)
         VALUES (1, @state, @snapshot, @deviceId, @lastReceivedAt, @merged, @parts, @requested, @requestedAt, @shift, @ceiling)`,
      )
      .run({ ...receiving });
  }

  endReceiving(): void {
    this.#db.prepare('DELETE FROM history_receiving').run();
  }

  /** The stored parts for a computer, ascending. @param deviceId or {@link HERE} */
  parts(deviceId: string): HistoryPart[] {
    return this.#db
      .prepare<[string], PartRow>(
        `SELECT f.*, p.part, p.parts, p.is_sent FROM history_parts p JOIN files f ON f.id = p.file_id
          WHERE p.device_id = ? ORDER BY p.part`,
      )
      .all(deviceId)
      .map((row) => ({
        part: row.part,
        parts: row.parts,
        isSent: row.is_sent === 1,
        file: fromRow(row),
      }));
  }

  addPart(deviceId: string, part: number, parts: number, fileId: number): void {
    this.#db
      .prepare('INSERT INTO history_parts (device_id, part, parts, file_id, is_sent) VALUES (?, ?, ?, ?, 0)')
      .run(deviceId, part, parts, fileId);
  }

  setSent(deviceId: string, part: number, isSent: boolean): void {
    this.#db
      .prepare('UPDATE history_parts SET is_sent = ? WHERE device_id = ? AND part = ?')
      .run(isSent ? 1 : 0, deviceId, part);
  }

  /** Removes a part with its file. */
  removePart(deviceId: string, part: number): void {
    this.#db.prepare('DELETE FROM history_parts WHERE device_id = ? AND part = ?').run(deviceId, part);
  }
}
