/** Import of an exported chat (docs/export.md), line by line: a file of any size fits. */

import type { Input, Output } from '../../../bridge/contract.ts';
import { MAX_IMPORTED } from '../../../bridge/file-bounds.ts';
import { callBridge } from '../../bridge.ts';
import { BridgeFailure } from '../../bridge-failure.ts';
import { Unreadable } from '../../shared/unreadable.ts';
import { linesOf } from './import-lines.ts';
import { parseRecord } from './import-record.ts';
import { isZip, recordsIn, UnreadableZip } from './zipped-records.ts';

/** Limit of the lines of one call, in characters: with 3 bytes each, the browser host accepts the call. */
const CALL_LENGTH = 160 * 1024;

type Imported = Output<'messages.import'>;

/**
 * Imports a file of records, or the ZIP file of an export, of which it reads the records.
 * @param onProgress receives the number of lines so far
 * @returns numbers of messages that were added, and of those without a chat
 * @throws BridgeFailure with the line that is no record, or from which on the ZIP file is damaged, after the import of the lines
 *   before it; without a line if nothing of the ZIP file can be read; Unreadable
 */
export async function importFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<Imported> {
  const isPacked = await isZip(file).catch((error: unknown) => {
    throw new Unreadable('The file cannot be read.', { cause: error });
  });
  const lines = linesOf(isPacked ? await unpack(file) : file.stream(), signal);
  try {
    return await importLines(lines, signal, onProgress);
  } catch (error) {
    const line = isPacked ? unknownLine(error) : null;
    if (line === null) throw error;
    // The person has chosen a ZIP file already.
    if (line === 1) throw new BridgeFailure({ code: 'import_zip_unreadable', parameters: {} });
    throw (await endsDamaged(lines))
      ? new BridgeFailure({ code: 'import_zip_damaged', parameters: { line } })
      : error;
  } finally {
    await lines.return(undefined);
  }
}

type Lines = AsyncGenerator<string | null>;

/** Leaves the lines open after a failure. */
async function importLines(
  lines: Lines,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<Imported> {
  const sums: Imported = { added: 0, withoutChat: 0 };
  let [line, length]: [number, number] = [0, 0];
  let records: Input<'messages.import'>['records'] = [];
  const send = async (last: number) => {
    signal.throwIfAborted();
    const answer = await callBridge('messages.import', { records, line: last - records.length + 1 });
    sums.added += answer.added;
    sums.withoutChat += answer.withoutChat;
    onProgress(last);
    [records, length] = [[], 0];
  };
  for (;;) {
    const { value: text, done } = await lines.next();
    if (done) break;
    line += 1;
    const record = text === null ? undefined : parseRecord(text);
    if (text === null || record === undefined) {
      if (records.length > 0) await send(line - 1);
      throw new BridgeFailure({ code: 'import_unknown', parameters: { line } });
    }
    if (line === 1) {
      await callBridge('messages.beginImport', { account: record });
      continue;
    }
    if (records.length === MAX_IMPORTED || (records.length > 0 && length + text.length > CALL_LENGTH))
      await send(line - 1);
    records.push(record);
    length += text.length;
  }
  if (line === 0) throw new BridgeFailure({ code: 'import_unknown', parameters: { line: 1 } });
  if (records.length > 0) await send(line);
  return sums;
}

/** The line of a failed import that is no record; null for another failure. */
function unknownLine(error: unknown): number | null {
  if (!(error instanceof BridgeFailure) || error.data.code !== 'import_unknown') return null;
  return error.data.parameters.line;
}

/** Reports whether the ZIP file is damaged: any line may then be no record, and its checksum is known only at its end. */
async function endsDamaged(lines: Lines): Promise<boolean> {
  try {
    while (!(await lines.next()).done);
    return false;
  } catch (error) {
    if (error instanceof UnreadableZip) return true;
    throw error;
  }
}

async function unpack(file: Blob): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  try {
    return await recordsIn(file);
  } catch (error) {
    if (!(error instanceof UnreadableZip)) throw error;
    throw new BridgeFailure({ code: 'import_zip_unreadable', parameters: {} });
  }
}
