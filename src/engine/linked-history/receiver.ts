/**
 * Receives the history on a linked computer: requests it, and merges its parts in their order. Each step is durable, and the next
 * start continues.
 */
import { setImmediate } from 'node:timers/promises';
import { BLOCK_BYTES } from '../../archive/form.ts';
import { HISTORY_VERSION, HistoryRecord } from '../../archive/history-records.ts';
import { partsOf } from '../../archive/record-parts.ts';
import { Failure, type FailureData, failedWith } from '../../base/failure.ts';
import { log } from '../../base/log.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { failureOf } from '../answer.ts';
import { setDownloaded } from '../cache/face-pictures.ts';
import type { StoredFile } from '../cache/files.ts';
import { HERE, type HistoryPart, type HistoryReceiving } from '../cache/linked-history.ts';
import type { Context } from '../context.ts';
import { emitFaces } from '../faces/emit.ts';
import type { FileThread } from '../files/thread.ts';
import { sealedOf } from '../files/transfers.ts';
import { HistoryMerge, numberingFor, OWN_HISTORY } from '../history/merge.ts';
import { byConversation, mergeInSlices, pruneInSlices, SLICE } from '../history/merge-slices.ts';
import { beginReceiving } from './begin.ts';
import { removeParts, stopReceiving } from './end.ts';
import { LIFE, MAX_ABSENCE, PartLine, PieceLine } from './form.ts';
import { MalformedPart, PartReader } from './part-reader.ts';

/** The most space of a merged part in the cache, as a multiple of its size. */
const GROWTH = 3;
/** Time until a request without an answer is repeated, in milliseconds. */
const REPEAT = 3_600_000;
/** Time until a part that the relay does not have is requested again, and a full disk is tried again, in milliseconds. */
const RETRY = 5 * 60_000;

/** Lost parts that are requested again at once, without a merged one between them. */
const MAX_LOST = 3;

/** The relay does not have the part any more, or another one. */
const isLost = ({ problem }: StoredFile) =>
  problem?.code === 'file_gone' || problem?.code === 'file_not_as_sent';

interface HistoryReceiverParts {
  context: Context;
  thread: FileThread;
  /** Wire address of the person. */
  own: string;
  /** Sends a control to an own device; null: to all. @throws unless it has it */
  send: (content: Content, deviceId: string | null) => Promise<void>;
  /** Called after a download was planned. */
  onPlanned: () => void;
  /** Called after the first part, which begins with people and groups, and after each other one with new groups. */
  onPeople: () => void;
}

export class HistoryReceiver {
  readonly #parts: HistoryReceiverParts;
  /** Time of the last request of this run; null before. */
  #requestedAt: number | null = null;
  /** Successive parts that the relay did not have. */
  #lost = 0;
  /** Time of the last repetition of failed downloads. */
  #repeatedAt = 0;
  #merge: HistoryMerge | null = null;
  /** Number of new groups at the last {@link HistoryReceiverParts.onPeople}. */
  #knownGroups = 0;
  #problem: FailureData | null = null;
  #closed = false;

  constructor(parts: HistoryReceiverParts) {
    this.#parts = parts;
  }

  /** The reason why nothing is merged; null for none. */
  get problem(): FailureData | null {
    const { linkedHistory } = this.#parts.context;
    const file = linkedHistory.parts(HERE)[0]?.file;
    return file?.problem && !isLost(file) ? file.problem : this.#problem;
  }

  close(): void {
    this.#closed = true;
  }

  /** Repeats downloads that failed, as on a full disk. */
  #repeat(): void {
    const { fileTasks, linkedHistory, now } = this.#parts.context;
    if (now() - this.#repeatedAt < RETRY) return;
    this.#repeatedAt = now();
    for (const { file } of linkedHistory.parts(HERE))
      if (file.problem && file.task === null && !isLost(file)) fileTasks.planDownload(file.id, null);
    this.#parts.onPlanned();
  }

  /**
   * Does the next step.
   * @returns milliseconds until the next one, unless woken
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError, Failure disk_full
   */
  async work(): Promise<number> {
    const { context, send } = this.#parts;
    const { identity, linkedHistory, now } = context;
    const receiving = linkedHistory.receiving();
    if (!receiving || receiving.state === 'stopped') return REPEAT;
    const { state, snapshot, deviceId, lastReceivedAt, requestedAt } = receiving;
    if (state === 'ending') {
      await send({ kind: 'own.history.end', snapshot }, deviceId);
      this.#change(() => linkedHistory.endReceiving());
      return REPEAT;
    }
    const isGone = deviceId !== null && identity.listedDevices()?.has(deviceId) !== true;
    const isSilent = now() - lastReceivedAt > LIFE;
    if (
      state === 'receiving' &&
      !isGone &&
      (now() - requestedAt > MAX_ABSENCE || (isSilent && deviceId !== null))
    ) {
      this.#beginAgain();
      return 0;
    }
    if (state === 'receiving' && (isGone || isSilent)) {
      this.#change(() => stopReceiving(context));
      return REPEAT;
    }
    await this.#request(receiving);
    if (state === 'complete') return REPEAT;
    const next = linkedHistory.parts(HERE)[0];
    if (next?.part !== receiving.merged + 1) return RETRY;
    if (next.file.isHere) {
      await this.#mergePart(receiving, next);
      return 0;
    }
    if (isLost(next.file)) {
      // Its sender uploads it again at the next request.
      this.#change(() => linkedHistory.removePart(HERE, next.part));
      this.#requestedAt = this.#lost < MAX_LOST ? null : now() - REPEAT + RETRY;
      this.#lost += 1;
      return this.#requestedAt === null ? 0 : RETRY;
    }
    this.#repeat();
    return RETRY;
  }

  /** Requests the next part: after each merged one, at each start, and when nothing has come for long. */
  async #request({ snapshot, deviceId, merged, requested, state }: HistoryReceiving): Promise<void> {
    const { context, send } = this.#parts;
    const { linkedHistory, now } = context;
    const from = merged + 1;
    const isSent = requested === from;
    if (isSent && state === 'complete') return;
    const isNew = this.#requestedAt === null || now() - this.#requestedAt >= REPEAT;
    const isOnItsWay = linkedHistory.parts(HERE)[0]?.part === from;
    if (isSent && (!isNew || isOnItsWay)) return;
    await send({ kind: 'own.history.request', snapshot, from }, deviceId);
    this.#requestedAt = now();
    const current = linkedHistory.receiving();
    if (current?.snapshot === snapshot)
      linkedHistory.saveReceiving({ ...current, requested: from, requestedAt: now() });
  }

  /**
   * One of both was off for so long that the other may have given up, and that messages and deletions may be missing: the
   * whole history is requested again.
   */
  #beginAgain(): void {
    const { context } = this.#parts;
    this.#merge = null;
    this.#knownGroups = 0;
    this.#requestedAt = null;
    this.#change(() => {
      removeParts(context, HERE);
      beginReceiving(context);
    });
  }

  /** Merges a part, and removes it here and at the relay. */
  async #mergePart(receiving: HistoryReceiving, part: HistoryPart): Promise<void> {
    const { context, thread } = this.#parts;
    const { linkedHistory, now } = context;
    try {
      await thread.call((functions) => functions.requireRoom(GROWTH * part.file.size));
      await this.#readPart(receiving, part);
      if (part.part === part.parts) await pruneInSlices(context, () => this.#requireOpen(receiving));
    } catch (error) {
      if (failedWith(error, 'file_missing', 'file_not_as_sent')) {
        // The file of the part is damaged on this disk.
        context.files.setLost(part.file.id);
        context.fileTasks.planDownload(part.file.id, null);
        this.#parts.onPlanned();
        return;
      }
      if (error instanceof MalformedPart) {
        log('error', 'history.malformed', { count: part.part });
        const { snapshot, deviceId } = receiving;
        this.#change(() => stopReceiving(context));
        await this.#parts.send({ kind: 'own.history.end', snapshot }, deviceId);
        return;
      }
      if (!failedWith(error, 'closing', 'file_stopped')) this.#problem = failureOf(error);
      throw error;
    }
    this.#problem = null;
    this.#lost = 0;
    this.#change(() => {
      const current = linkedHistory.receiving();
      if (current?.snapshot !== receiving.snapshot || current.state !== 'receiving') return;
      removeParts(context, HERE, part.part);
      const isLast = part.part === part.parts;
      linkedHistory.saveReceiving({
        ...current,
        merged: part.part,
        lastReceivedAt: now(),
        state: isLast ? 'complete' : 'receiving',
      });
    });
    const { addedGroups } = this.#merge ?? { addedGroups: 0 };
    if (part.part === 1 || addedGroups > this.#knownGroups) this.#parts.onPeople();
    this.#knownGroups = addedGroups;
    if (part.part === part.parts) this.#merge?.end();
  }

  async #readPart(receiving: HistoryReceiving, { part, file }: HistoryPart): Promise<void> {
    const reader = new PartReader(this.#parts.thread, file);
    const { data: head } = PartLine.safeParse(await reader.line());
    const isExpected =
      head?.snapshot === receiving.snapshot && head.part === part && head.address === this.#parts.own;
    if (!head || !isExpected) throw new MalformedPart();
    if (head.version > HISTORY_VERSION) throw new Failure('history_newer');
    const merge = this.#mergeFor(head.lastArrival);
    let records: HistoryRecord[] = [];
    let from = reader.position;
    let begin = performance.now();
    const receive = async () => {
      const requireOpen = () => this.#requireOpen(receiving);
      requireOpen();
      await mergeInSlices(this.#parts.context, merge, byConversation(records).values(), requireOpen);
      records = [];
      from = reader.position;
      begin = performance.now();
    };
    for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
      const piece = PieceLine.safeParse(line).data;
      if (piece) {
        await receive();
        const at = reader.position;
        reader.skip(piece.bytes);
        await this.#writePiece(file, at, piece);
        continue;
      }
      for (const part of partsOf(line)) {
        // One that this version does not know is passed over.
        const record = HistoryRecord.safeParse(part).data;
        if (record) records.push(record);
      }
      if (reader.position - from >= BLOCK_BYTES) await receive();
      else if (performance.now() - begin >= SLICE) {
        await setImmediate();
        begin = performance.now();
      }
    }
    await receive();
  }

  /** Numbers of merged messages are the same in all parts. */
  #mergeFor(lastArrival: number): HistoryMerge {
    const { context, own } = this.#parts;
    const { linkedHistory } = context;
    const current = linkedHistory.receiving();
    if (this.#merge) return this.#merge;
    const numbering =
      current?.shift != null && current.ceiling !== null
        ? { shift: current.shift, ceiling: current.ceiling }
        : numberingFor(context, lastArrival);
    if (current) linkedHistory.saveReceiving({ ...current, ...numbering });
    this.#merge = new HistoryMerge(context, own, numbering, OWN_HISTORY, current?.deviceId ?? null);
    return this.#merge;
  }

  /** Writes a piece of a file that is not here to the disk. */
  async #writePiece(part: StoredFile, at: number, piece: PieceLine): Promise<void> {
    const { context, thread } = this.#parts;
    const { emit, faces, files, historyRows } = context;
    const { key, digest, size, offset, bytes } = piece;
    const id = historyRows.fileOf(decodeBase64Url(key), decodeBase64Url(digest), size);
    const stored = id === null ? null : files.get(id);
    // No message here has it, or it is here or being downloaded.
    if (!stored || stored.isHere || stored.isPrepared || stored.task) return;
    const place = { at, bytes, offset };
    const { mediaType } = await thread.call((functions) =>
      functions.placePiece(sealedOf(part), sealedOf(stored), place),
    );
    const current = files.get(stored.id);
    if (mediaType === null || !current || current.isHere) return;
    setDownloaded(context, stored.id, mediaType);
    emitFaces(context, faces.ownersOf(stored.id));
    for (const { conversationId } of files.messagesOf(stored.id))
      emit('messages.changed', { conversationId: String(conversationId) });
  }

  #change(work: () => void): void {
    const { emit, files, transaction } = this.#parts.context;
    transaction(work);
    files.reportRemoved();
    emit('history.changed', {});
  }

  /** @throws Failure closing, or file_stopped if the person has ended it */
  #requireOpen({ snapshot }: HistoryReceiving): void {
    if (this.#closed) throw new Failure('closing');
    const current = this.#parts.context.linkedHistory.receiving();
    if (current?.snapshot !== snapshot || current.state !== 'receiving') throw new Failure('file_stopped');
  }
}
