/** The lines of a file to import. */
import { Unreadable } from '../../shared/unreadable.ts';
import { UnreadableZip } from './zipped-records.ts';

/** Limit of one line, in characters: a message with all its versions and reactions. The desktop app has no limit of a call. */
export const LONGEST_LINE = 8 * 1024 * 1024;

/**
 * The lines of a text in UTF-8, without empty ones at its end. Null for one that is too long, or damaged in its ZIP file: the last.
 * @param signal ends also a file of empty lines only, of which a ZIP file may have gigabytes
 * @throws the reason of the signal; Unreadable; UnreadableZip after the line that is damaged in its ZIP file
 */
export async function* linesOf(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<string | null> {
  try {
    yield* readableLinesOf(bytes, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof UnreadableZip)) throw new Unreadable('The file cannot be read.', { cause: error });
    yield null;
    throw error;
  }
}

async function* readableLinesOf(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<string | null> {
  let [rest, blank] = ['', 0];
  for await (const piece of bytes.pipeThrough(new TextDecoderStream(), { signal })) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      if (each.trim() === '') blank += 1;
      else {
        for (; blank > 0; blank--) yield '';
        yield each;
      }
    }
    if (rest.length <= LONGEST_LINE) continue;
    for (; blank > 0; blank--) yield '';
    yield null;
    return;
  }
  if (rest.trim() === '') return;
  for (; blank > 0; blank--) yield '';
  yield rest;
}
