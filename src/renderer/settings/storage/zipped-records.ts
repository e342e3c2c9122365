/** The records in the ZIP file of an exported chat (docs/export.md). Anyone may have written the file. */
import type { FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-reader.js';
import { Unreadable } from '../../shared/unreadable.ts';

const NAME = 'messages.jsonl';
/** Limit of entries: an export has one for each file, and one for each 1,000 messages. */
const MAX_ENTRIES = 200_000;
/** Limit of one read, in bytes: the list of all entries is read at once. */
const MAX_READ = 64 * 1024 * 1024;
/** Limit of unpacked bytes for each packed one. Records of very similar messages have about 50. */
const MAX_RATIO = 200;

/** A ZIP file that is damaged, encrypted, or has no records of a chat, or several. */
export class UnreadableZip extends Error {
  override readonly name = 'UnreadableZip';
}

/** Reports whether a file is a ZIP file, by its first bytes. */
export async function isZip(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return head[0] === 0x50 && head[1] === 0x4b;
}

/**
 * Reads the records, as they are unpacked. Nothing else of the file is unpacked.
 * @throws UnreadableZip and Unreadable, also as the error of the stream after its last correct byte
 */
export async function recordsIn(file: Blob): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  // A twentieth of the script of the page, and seldom used.
  const { ZipReader } = await import('@zip.js/zip.js/lib/zip-core-reader.js');
  const source = readerOf(file);
  const entry = await findRecords(new ZipReader(source)).catch((error) => {
    throw source.failure ?? new UnreadableZip('No records in the ZIP file.', { cause: error });
  });
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  let left = entry.uncompressedSize;
  const limited = new WritableStream<Uint8Array<ArrayBuffer>>({
    async write(piece) {
      left -= piece.length;
      if (left < 0) throw new UnreadableZip('More bytes than the ZIP file names.');
      await writer.write(piece);
    },
  });
  // A failure is the error of the stream.
  entry.getData(limited, { checkCrc32: true, useWebWorkers: false }).then(
    () => writer.close().catch(() => undefined),
    (error: unknown) => {
      const reason = source.failure ?? new UnreadableZip('The ZIP file is damaged.', { cause: error });
      return writer.abort(reason).catch(() => undefined);
    },
  );
  return readable;
}

async function findRecords(reader: ZipReader<unknown>): Promise<FileEntry> {
  const found: FileEntry[] = [];
  let count = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    count += 1;
    if (count > MAX_ENTRIES) throw new UnreadableZip('Too many entries.');
    // A person who has packed a folder again has its name in front.
    const [first = '', ...rest] = entry.filename.split('/').reverse();
    if (first === NAME && rest.length <= 1 && rest[0] !== '__MACOSX' && !entry.directory) found.push(entry);
  }
  const [entry] = found;
  if (!entry || found.length > 1) throw new UnreadableZip(`${found.length} entries with records.`);
  if (entry.encrypted) throw new UnreadableZip('The records are encrypted.');
  if (entry.uncompressedSize > entry.compressedSize * MAX_RATIO)
    throw new UnreadableZip('The records are packed too densely.');
  return entry;
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Reads a file with a limit of each read, as the ZIP file names the lengths. `failure` is that of the first read that failed: its
 * disk may be away, and the file itself is then not damaged.
 */
function readerOf(file: Blob) {
  let failure: Unreadable | null = null;
  const fail = (error: unknown): never => {
    failure ??= new Unreadable('The file cannot be read.', { cause: error });
    throw failure;
  };
  return {
    size: file.size,
    get failure(): Unreadable | null {
      return failure;
    },
    async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
      if (length > MAX_READ) throw new UnreadableZip('The list of entries is too long.');
      return new Uint8Array(
        await file
          .slice(offset, offset + length)
          .arrayBuffer()
          .catch(fail),
      );
    },
    createReadable({ offset = 0, size = file.size }: { offset?: number; size?: number } = {}) {
      return failingBy(fail, file.slice(offset, offset + size).stream());
    },
    get readable() {
      return failingBy(fail, file.stream());
    },
  };
}

/** The same stream. @param fail called with the error of a read; throws the error of the new stream */
function failingBy(fail: (error: unknown) => never, bytes: Bytes): Bytes {
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(fail);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
