/** Messages of a backup, in the order and size in which a cache stores them with the least work at a time. */
import { partsOf } from '../../archive/record-parts.ts';

const LINE_FEED = 10;

/**
 * Sorts records by their conversations: most indexes of messages begin with the conversation or the sender, so a transaction of a
 * merge changes fewer pages of a database. The records of each conversation stay in their order, after records without one. Long
 * records are divided.
 * @param blocks lines of JSON in UTF-8
 * @returns these lines, without those that are no JSON
 */
export function linesByChat(blocks: readonly Uint8Array[]): Uint8Array {
  const lines = blocks.flatMap((block) => [...linesIn(block)]);
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  lines.sort((one, other) => order(one.conversation, other.conversation));
  const sorted = new Uint8Array(lines.reduce((sum, { line }) => sum + line.length + 1, 0));
  let length = 0;
  for (const { line } of lines) {
    sorted.set(line, length);
    sorted[length + line.length] = LINE_FEED;
    length += line.length + 1;
  }
  return sorted;
}

/** Lines of a block, and their conversations; empty for none. */
function* linesIn(block: Uint8Array): Generator<{ line: Uint8Array; conversation: string }> {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const record = jsonIn(bytes.toString('utf8', start, end));
    const conversation = conversationOf(record);
    const parts = record === undefined ? [] : [...partsOf(record)];
    if (parts.length === 1) yield { line: bytes.subarray(start, end), conversation };
    else for (const part of parts) yield { line: Buffer.from(JSON.stringify(part)), conversation };
    start = end + 1;
  }
}

function conversationOf(record: unknown): string {
  const isNamed = typeof record === 'object' && record !== null && 'conversation' in record;
  return isNamed && typeof record.conversation === 'string' ? record.conversation : '';
}

/** Undefined for no JSON. */
function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
