/**
 * Sends the history to linked computers that request it: people, groups and settings first, then messages, the newest first, then
 * files. A few parts are on their way at a time; the next one is made when the computer has the first of them.
 */
import { setImmediate } from 'node:timers/promises';
import { HISTORY_VERSION, type HistoryRecord } from '../../archive/history-records.ts';
import { Failure, failedWith } from '../../base/failure.ts';
import { log } from '../../base/log.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { MAX_PARTS } from '../../messaging/contents/kinds/own.ts';
import { blobLayout } from '../../protocol/blob/layout.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { HistoryFileRow } from '../cache/history-rows.ts';
import type { HistoryPart, HistorySending } from '../cache/linked-history.ts';
import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';
import { HistoryReader } from '../history/read.ts';
import type { Account } from '../identity/account.ts';
import { missed } from './begin.ts';
import { endSending, removeParts } from './end.ts';
import { FILE_BYTES, FIRST_BYTES, LEAST_BYTES, LIFE, lineOf, RECORD_BYTES, WINDOW } from './form.ts';
import { type PartContent, sealPart } from './part-writer.ts';

/** Messages that are read together. */
const RANGE = 64;
/** Files that are looked up together. */
const FILES_TOGETHER = 50;
/** Bytes that the estimate counts for one message. */
const ASSUMED_BYTES = 1024;
/** A computer that was just linked is not on the own list yet, in milliseconds. */
const LINKING = 3_600_000;
/** Time until a refused upload is repeated, and for which the relay counts a deleted blob, in milliseconds. */
const QUARTER = 15 * 60_000;
/** Parts may take this part of the account's room at the relay. */
const SHARE = 1 / 2;

interface HistorySenderParts {
  context: Context;
  account: Account;
  thread: FileThread;
  /** Sends a control to an own device; null: to all. @throws unless it has it */
  send: (content: Content, deviceId: string | null) => Promise<void>;
  /** Called after an upload was planned. */
  onPlanned: () => void;
}

/** Contents of the next part, and the state after it. */
interface MadePart {
  contents: PartContent[];
  after: Pick<HistorySending, 'stage' | 'next' | 'offset'>;
}

export class HistorySender {
  readonly #parts: HistorySenderParts;
  /** Deleted parts that the relay still counts. */
  #deleted: { at: number; bytes: number }[] = [];
  /** Sizes of parts at the relay, by the numbers of their files. */
  #known = new Map<number, number>();
  /** Time of the last repetition of refused uploads. */
  #repeatedAt = 0;
  #closed = false;

  constructor(parts: HistorySenderParts) {
    this.#parts = parts;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * Does the next step for each computer.
   * @returns milliseconds until the next one, unless woken
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError, Failure disk_full
   */
  async work(): Promise<number> {
    this.#repeat();
    const waits = [QUARTER];
    const failures: unknown[] = [];
    for (const { deviceId } of this.#parts.context.linkedHistory.sending()) {
      if (this.#closed) break;
      // One that cannot be reached does not delay the others.
      waits.push(await this.#workFor(deviceId).catch((error: unknown) => failures.push(error) && QUARTER));
    }
    const wait = Math.min(...waits);
    if (failures.length > 0 && wait > 0) throw failures[0];
    return wait;
  }

  async #workFor(deviceId: string): Promise<number> {
    const { context, send } = this.#parts;
    const { identity, linkedHistory, now } = context;
    const sending = linkedHistory.sendingTo(deviceId);
    if (!sending) return QUARTER;
    const { state, lastReceivedAt, snapshot } = sending;
    const isListed = identity.listedDevices()?.has(deviceId) === true;
    const isWaited = state === 'offered' || state === 'refused';
    if (!isListed && !(isWaited && now() - lastReceivedAt < LINKING)) {
      this.#end(deviceId);
      return QUARTER;
    }
    // The person decides.
    if (state === 'missed' || state === 'back') return QUARTER;
    if (now() - lastReceivedAt > LIFE) {
      if (state === 'offered' || state === 'sending') this.#miss(sending);
      else this.#end(deviceId);
      return QUARTER;
    }
    if (isWaited || snapshot === null) return QUARTER;
    if (state === 'ending') {
      await send({ kind: 'own.history.end', snapshot }, deviceId);
      this.#end(deviceId);
      return QUARTER;
    }
    if (sending.stage === 'complete' && sending.received === sending.made) {
      this.#end(deviceId);
      log('info', 'history.sent', { count: sending.made });
      return QUARTER;
    }
    await this.#sendParts(sending);
    if (sending.stage === 'complete' || this.#closed) return QUARTER;
    return this.#makeNext(sending);
  }

  #end(deviceId: string): void {
    const { context } = this.#parts;
    context.transaction(() => endSending(context, deviceId, true));
    context.files.reportRemoved();
    context.emit('history.changed', {});
  }

  /** The computer was off for too long. The person sees it, and can send the history again. */
  #miss(sending: HistorySending): void {
    const { context } = this.#parts;
    context.transaction(() => {
      removeParts(context, sending.deviceId);
      context.linkedHistory.saveSending(missed(sending));
    });
    context.files.reportRemoved();
    context.emit('history.changed', {});
  }

  /** Informs the computer of the parts that are at the relay. */
  async #sendParts({ deviceId, snapshot, received }: HistorySending): Promise<void> {
    const { context, send } = this.#parts;
    const { linkedHistory } = context;
    for (const { part, parts, isSent, file } of linkedHistory.parts(deviceId)) {
      if (isSent || part > received + WINDOW || file.task !== null || file.problem || !file.digest) continue;
      const reference = {
        key: encodeBase64Url(file.key),
        digest: encodeBase64Url(file.digest),
        size: file.size,
        mediaType: 'application/octet-stream',
        name: 'history',
      };
      const content = { kind: 'own.history', snapshot, part, parts, file: reference };
      await send(content, deviceId);
      // Begun again meanwhile, it may have another part of this number.
      if (linkedHistory.sendingTo(deviceId)?.snapshot !== snapshot) return;
      linkedHistory.setSent(deviceId, part, true);
    }
  }

  /** Repeats uploads that the relay has refused. */
  #repeat(): void {
    const { context, onPlanned } = this.#parts;
    const { files, linkedHistory, now } = context;
    if (now() - this.#repeatedAt < QUARTER) return;
    this.#repeatedAt = now();
    for (const { file } of this.#allParts(linkedHistory.sending()))
      if (file.problem && file.task === null) files.planUpload(file.id);
    onPlanned();
  }

  #allParts(sending: readonly HistorySending[]): HistoryPart[] {
    return sending.flatMap(({ deviceId }) => this.#parts.context.linkedHistory.parts(deviceId));
  }

  async #makeNext(sending: HistorySending): Promise<number> {
    const { context } = this.#parts;
    if (context.linkedHistory.parts(sending.deviceId).length >= WINDOW) return QUARTER;
    if (sending.stage === 'people') {
      await this.#makePeople(sending);
      return 0;
    }
    const { blobBytes, accountBlobBytes } = await this.#parts.account.relay.limits();
    const room = accountBlobBytes * SHARE;
    const most = Math.floor(Math.min(blobBytes, room) * 0.8);
    if (most < LEAST_BYTES || this.#storedBytes() + Math.min(most, FILE_BYTES) > room) return QUARTER;
    const isFirst = sending.next > sending.lastArrival;
    const made =
      sending.stage === 'messages'
        ? await this.#messages(sending, Math.min(most, isFirst ? FIRST_BYTES : RECORD_BYTES), most)
        : await this.#files(sending, Math.min(most, FILE_BYTES));
    // The last possible part must be the last one: otherwise both computers would regard the history as complete.
    if (sending.made + 1 >= MAX_PARTS && made.after.stage !== 'complete') return QUARTER;
    await this.#add(sending, [made.contents], made.after);
    return 0;
  }

  /** Bytes of parts at the relay, and of deleted ones that it still counts. */
  #storedBytes(): number {
    const { linkedHistory, now } = this.#parts.context;
    const there = new Map(this.#allParts(linkedHistory.sending()).map(({ file }) => [file.id, file.size]));
    for (const [id, bytes] of this.#known) if (!there.has(id)) this.#deleted.push({ at: now(), bytes });
    this.#known = there;
    this.#deleted = this.#deleted.filter(({ at }) => now() - at < QUARTER);
    const sizes = [...this.#deleted.map(({ bytes }) => bytes), ...there.values()];
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Seals parts, and stores them with the state after them. */
  async #add(
    before: HistorySending,
    made: readonly PartContent[][],
    after: MadePart['after'],
  ): Promise<void> {
    const { context, thread, onPlanned } = this.#parts;
    const { files, linkedHistory, transaction } = context;
    const ids: number[] = [];
    try {
      for (const [index, contents] of made.entries()) {
        this.#requireOpen();
        const line = Buffer.from(this.#partLine(before, before.made + 1 + index));
        ids.push(await sealPart(context, thread, [line, ...contents]));
      }
      transaction(() => {
        const current = linkedHistory.sendingTo(before.deviceId);
        // The sending was ended, or begun again, meanwhile. A part names its snapshot.
        const isSame = current?.snapshot === before.snapshot && current.made === before.made;
        if (current?.state !== 'sending' || !isSame) throw new Failure('file_stopped');
        const madeParts = before.made + ids.length;
        const parts = after.stage === 'complete' ? madeParts : this.#estimate(madeParts, after);
        for (const [index, id] of ids.entries()) {
          const part = before.made + 1 + index;
          linkedHistory.addPart(
            before.deviceId,
            part,
            part === madeParts ? parts : Math.max(parts, part + 1),
            id,
          );
          files.planUpload(id);
        }
        linkedHistory.saveSending({ ...current, ...after, made: madeParts, parts });
      });
    } catch (error) {
      files.removePrepared(ids);
      files.reportRemoved();
      if (failedWith(error, 'file_stopped')) return;
      throw error;
    }
    onPlanned();
    context.emit('history.changed', {});
  }

  #partLine({ snapshot, lastArrival }: HistorySending, part: number): string {
    const { address } = this.#parts.account;
    return lineOf({ type: 'part', version: HISTORY_VERSION, snapshot, part, address, lastArrival });
  }

  /** Number of all parts. There is at least one after the made ones. */
  #estimate(made: number, { stage, next }: MadePart['after']): number {
    const { historyRows } = this.#parts.context;
    const messages = stage === 'messages' ? Math.max(0, next - historyRows.ends().first) : 0;
    const before = stage === 'files' ? next : Number.MAX_SAFE_INTEGER;
    const left =
      Math.ceil((messages * ASSUMED_BYTES) / RECORD_BYTES) +
      Math.ceil(historyRows.fileBytesBelow(before) / FILE_BYTES);
    return Math.min(MAX_PARTS, made + Math.max(1, left));
  }

  /** All parts with people, groups and settings at once: a change between two of them could leave out one. */
  async #makePeople(sending: HistorySending): Promise<void> {
    const { context } = this.#parts;
    const made: Buffer[][] = [];
    let [lines, bytes]: [string[], number] = [[], 0];
    const end = () => {
      made.push([Buffer.from(lines.join(''))]);
      [lines, bytes] = [[], 0];
    };
    for (const records of new HistoryReader(context).people()) {
      this.#requireOpen();
      for (const record of records) {
        const line = lineOf(record);
        if (bytes + line.length > RECORD_BYTES) end();
        lines.push(line);
        bytes += line.length;
      }
      await setImmediate();
    }
    end();
    const { next } = sending;
    await this.#add(sending, made, this.#after({ stage: 'messages', next, offset: 0 }));
  }

  /** A state without anything left in its stage becomes that of the next stage. */
  #after(state: MadePart['after']): MadePart['after'] {
    const { historyRows } = this.#parts.context;
    const isLeft =
      state.stage === 'messages'
        ? historyRows.idBelow(state.next) !== null
        : historyRows.filesBelow(state.next, 1).length > 0;
    if (isLeft) return state;
    const next = Number.MAX_SAFE_INTEGER;
    return state.stage === 'messages'
      ? this.#after({ stage: 'files', next, offset: 0 })
      : { ...state, stage: 'complete' };
  }

  /** The newest messages that are left. */
  async #messages({ next }: HistorySending, target: number, most: number): Promise<MadePart> {
    const { context } = this.#parts;
    const reader = new HistoryReader(context);
    const ranges: string[] = [];
    let [before, bytes] = [next, 0];
    for (;;) {
      this.#requireOpen();
      const newest = context.historyRows.idBelow(before);
      if (newest === null || bytes >= target) break;
      const from = Math.floor(newest / RANGE) * RANGE;
      // One that waits here comes by itself once it is sent.
      const read = [...reader.messages(from, before)].flat().filter(({ state }) => state !== 'unsent');
      const kept = newestWithin(read, most - bytes);
      ranges.push(kept.text);
      bytes += kept.bytes;
      before = kept.below ?? from;
      if (kept.below !== null) break;
      await setImmediate();
    }
    const after = this.#after({ stage: 'messages', next: before, offset: 0 });
    return { contents: [Buffer.from(ranges.join(''))], after };
  }

  /** The newest files that are left. */
  async #files(sending: HistorySending, target: number): Promise<MadePart> {
    const { context, thread } = this.#parts;
    const contents: PartContent[] = [];
    let { next, offset } = sending;
    let bytes = 0;
    while (bytes < target) {
      this.#requireOpen();
      const rows = context.historyRows.filesBelow(next, FILES_TOGETHER);
      if (rows.length === 0) break;
      const ids = rows.map(({ id }) => id);
      const lengths = await thread.call((functions) => functions.lengths(ids));
      for (const [index, row] of rows.entries()) {
        const { length } = blobLayout(row.size);
        // One that is lost or damaged is left out.
        if (lengths[index] !== length || offset >= length) {
          next = row.id;
          offset = 0;
          continue;
        }
        if (bytes >= target) break;
        const piece = Math.min(length - offset, target - bytes);
        contents.push(Buffer.from(pieceLine(row, offset, piece)), { fileId: row.id, offset, bytes: piece });
        bytes += piece;
        offset += piece;
        if (offset < length) {
          // The next part continues it.
          next = row.id + 1;
          break;
        }
        next = row.id;
        offset = 0;
      }
    }
    return { contents, after: this.#after({ stage: 'files', next, offset }) };
  }

  #requireOpen(): void {
    if (this.#closed) throw new Failure('closing');
  }
}

function pieceLine({ file_key, digest, size }: HistoryFileRow, offset: number, bytes: number): string {
  return lineOf({
    type: 'piece',
    key: encodeBase64Url(file_key),
    digest: encodeBase64Url(digest),
    size,
    offset,
    bytes,
  });
}

/**
 * The newest of some messages that fit, at least one.
 * @returns `below`: the number below which messages are left; null if all fit
 */
function newestWithin(
  records: readonly (HistoryRecord & { arrival: number })[],
  most: number,
): { text: string; bytes: number; below: number | null } {
  const lines: string[] = [];
  let bytes = 0;
  for (const record of records.toReversed()) {
    const line = lineOf(record);
    const length = Buffer.byteLength(line);
    if (lines.length > 0 && bytes + length > most)
      return { text: lines.toReversed().join(''), bytes, below: record.arrival + 1 };
    lines.push(line);
    bytes += length;
  }
  return { text: lines.toReversed().join(''), bytes, below: null };
}
