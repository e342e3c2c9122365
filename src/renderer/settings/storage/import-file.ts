/** Import of an exported chat (docs/export.md), line by line: a file of any size fits. */

import type { Input } from '../../../bridge/contract.ts';
import { MAX_IMPORTED } from '../../../bridge/file-bounds.ts';
import { callBridge } from '../../bridge.ts';
import { BridgeFailure } from '../../bridge-failure.ts';
import { linesOf } from './import-lines.ts';
import { parseRecord } from './import-record.ts';
import { isZip, recordsIn, UnreadableZip } from './zipped-records.ts';

/** Limit of the lines of one call, in characters: with 3 bytes each, the browser host accepts the call. */
const CALL_LENGTH = 160 * 1024;

/**
 * Imports a file of records, or the ZIP file of an export, of which it reads the records.
 * @param onProgress receives the number of lines so far
 * @returns number of messages that were added
 * @throws BridgeFailure with the line that is no record, or is damaged in the ZIP file, after the import of the lines before it;
 *   without a line if nothing of the ZIP file can be read
 */
export async function importFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<number> {
  const stream = (await isZip(file)) ? await unpack(file) : file.stream();
  let [added, line, length]: [number, number, number] = [0, 0, 0];
  let records: Input<'messages.import'>['records'] = [];
  const send = async (last: number) => {
    signal.throwIfAborted();
    const answer = await callBridge('messages.import', { records, line: last - records.length + 1 });
    added += answer.added;
    onProgress(last);
    [records, length] = [[], 0];
  };
  for await (const text of linesOf(stream, signal)) {
    line += 1;
    const record = text === null ? undefined : parseRecord(text);
    if (text === null || record === undefined) {
      if (records.length > 0) await send(line - 1);
      // The person has chosen a ZIP file already.
      if (text === null && line === 1)
        throw new BridgeFailure({ code: 'import_zip_unreadable', parameters: {} });
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
  return added;
}

async function unpack(file: Blob): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  try {
    return await recordsIn(file);
  } catch (error) {
    if (!(error instanceof UnreadableZip)) throw error;
    throw new BridgeFailure({ code: 'import_zip_unreadable', parameters: {} });
  }
}
