/** Merges an opened backup into the account. It continues where an interrupted one stopped. */
import { setImmediate } from 'node:timers/promises';
import type { FileRecord } from '../../archive/history-records.ts';
import { log, stopwatch } from '../../base/log.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { MessageBlocks, OpenedBackup } from '../archive/functions.ts';
import type { StoredRestore } from '../cache/backup-rows.ts';
import { HistoryMerge, OWN_HISTORY } from '../history/merge.ts';
import { mergeInSlices, pruneInSlices } from '../history/merge-slices.ts';
import { RecordLines } from './record-lines.ts';
import type { BackupWork } from './work.ts';

/** Files that one transaction looks up. */
const FILES_TOGETHER = 200;

/**
 * Merges people, messages and files that this account does not have.
 * @param stored its progress
 * @returns number of records that were left out, also before an interruption: malformed ones, those of a later version, and
 * messages without a chat
 * @throws Failure
 */
export async function mergeBackup(
  work: BackupWork,
  opened: OpenedBackup,
  stored: StoredRestore,
): Promise<number> {
  const ms = stopwatch();
  const { backupRows, withoutSync } = work.context;
  const merge = new HistoryMerge(work.context, opened.address, stored, OWN_HISTORY);
  const total = opened.people + opened.history + opened.files.length;
  let { done } = stored;
  let unusable = 0;
  const leftOut = () => stored.leftOut + unusable + merge.withoutChat;
  const report = (shown: number) => work.report({ is: 'restoring', done: shown, total });
  const advance = (blocks = 1) => {
    done += blocks;
    withoutSync(() => backupRows.setRestored({ done, leftOut: leftOut() }));
    report(done);
  };
  while (done < opened.people) {
    const index = done;
    const lines = await work.thread.call((functions) => functions.readPeople(index));
    unusable += await mergeLines(work, merge, lines, () => undefined);
    advance();
  }
  // The newest first: they are usable at once.
  const unread = opened.people + opened.history - done;
  for await (const { lines, blocks } of messagesBefore(work, Math.max(0, unread))) {
    unusable += await mergeLines(work, merge, lines, (share) => report(done + share * blocks));
    advance(blocks);
  }
  while (done < total) {
    const index = done - opened.people - opened.history;
    await restoreFile(work, opened.files[index], index);
    advance();
  }
  await work.thread.order((functions) => functions.endBackup());
  await pruneInSlices(work.context, () => work.requireRunning());
  merge.end();
  backupRows.endRestore();
  work.context.emit('conversations.changed', { ids: [] });
  log('info', 'backup.restored', { ms: ms(), count: merge.added });
  return leftOut();
}

/** Messages of the blocks before one. The next ones are read while the caller works on some. */
async function* messagesBefore(work: BackupWork, block: number): AsyncGenerator<MessageBlocks> {
  const readAhead = (before: number) => {
    const read = work.thread.call((functions) => functions.readMessages(before));
    // Its failure is that of the next step.
    read.catch(() => undefined);
    return read;
  };
  let ahead = block > 0 ? readAhead(block) : null;
  for (let left = block; ahead; ) {
    const read: MessageBlocks = await ahead;
    left -= read.blocks;
    ahead = left > 0 ? readAhead(left) : null;
    yield read;
  }
}

/**
 * @param onMerged called before each slice, with the merged share of the lines
 * @returns number of lines that are no records of this version
 */
async function mergeLines(
  work: BackupWork,
  merge: HistoryMerge,
  lines: Uint8Array,
  onMerged: (share: number) => void,
): Promise<number> {
  const records = new RecordLines(lines);
  await mergeInSlices(work.context, merge, records, () => {
    work.requireRunning();
    onMerged(records.share);
  });
  return records.unusable;
}

async function restoreFile(work: BackupWork, file: FileRecord | undefined, index: number): Promise<void> {
  work.requireRunning();
  const { files, historyRows, withoutSync } = work.context;
  const id = file && historyRows.fileOf(decodeBase64Url(file.key), decodeBase64Url(file.digest), file.size);
  const stored = id == null ? null : files.get(id);
  // No message here has it, or it is here or being downloaded.
  if (!file || !stored || stored.isHere || stored.task) {
    if (index % FILES_TOGETHER === 0) await setImmediate();
    return;
  }
  const { mediaType } = await work.thread.call((functions) => functions.restoreFile(index, stored.id));
  // After a power cut it is restored again. Its bytes are on the disk.
  withoutSync(() => files.setDownloaded(stored.id, mediaType));
  for (const { conversationId } of files.messagesOf(stored.id))
    work.context.emit('messages.changed', { conversationId: String(conversationId) });
}
