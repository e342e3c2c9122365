/** Import of an exported chat (docs/export.md), line by line: a file of any size fits. */

import type { Input } from '../../../bridge/contract.ts';
import { MAX_IMPORTED } from '../../../bridge/file-bounds.ts';
import { callBridge } from '../../bridge.ts';
import { BridgeFailure } from '../../bridge-failure.ts';
import { parseRecord } from './import-record.ts';

/** Limit of the lines of one call, in characters: with 3 bytes each, the browser host accepts the call. */
const CALL_LENGTH = 160 * 1024;
/** Limit of one line, in characters: a message with all its versions and reactions. The desktop app has no limit of a call. */
const LONGEST_LINE = 8 * 1024 * 1024;

/**
 * Imports a file of records.
 * @param onProgress receives the number of lines so far
 * @returns number of messages that were added
 * @throws BridgeFailure with the line that is no record, after the import of the lines before it
 */
export async function importFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<number> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] === 0x50 && head[1] === 0x4b)
    throw new BridgeFailure({ code: 'import_zipped', parameters: {} });
  let [added, line, length]: [number, number, number] = [0, 0, 0];
  let records: Input<'messages.import'>['records'] = [];
  const send = async (last: number) => {
    signal.throwIfAborted();
    const answer = await callBridge('messages.import', { records, line: last - records.length + 1 });
    added += answer.added;
    onProgress(last);
    [records, length] = [[], 0];
  };
  for await (const text of linesOf(file)) {
    line += 1;
    const record = parseRecord(text);
    if (record === undefined) {
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
  return added;
}

/** The lines of a text in UTF-8, without empty ones at its end. */
async function* linesOf(file: Blob): AsyncGenerator<string> {
  let [rest, count, blank] = ['', 0, 0];
  for await (const piece of file.stream().pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      if (each.trim() === '') blank += 1;
      else {
        for (; blank > 0; blank--) yield '';
        yield each;
      }
    }
    count += lines.length;
    if (rest.length > LONGEST_LINE)
      throw new BridgeFailure({ code: 'import_unknown', parameters: { line: count + 1 } });
  }
  if (rest.trim() === '') return;
  for (; blank > 0; blank--) yield '';
  yield rest;
}
