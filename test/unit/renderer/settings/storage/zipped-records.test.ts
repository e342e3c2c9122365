/** ZIP files to import: those of exports, packed again, damaged, and made to exhaust the app. */
import { makeZip } from 'client-zip';
import { expect, test } from 'vitest';
import {
  isZip,
  recordsIn,
  UnreadableZip,
} from '../../../../../src/renderer/settings/storage/zipped-records.ts';
import { Unreadable } from '../../../../../src/renderer/shared/unreadable.ts';

type Entry = { name: string; input: string | Uint8Array<ArrayBuffer> };

const blobOf = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).blob();
const textOf = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).text();
/** A ZIP file as exports write it: without compression. */
const stored = (...entries: Entry[]) => blobOf(makeZip(entries) as ReadableStream<Uint8Array<ArrayBuffer>>);
const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

const LINES = Array.from({ length: 5_000 }, (_, index) =>
  JSON.stringify({ index, text: `${Math.sin(index)}` }),
);
const RECORDS = LINES.join('\n');
const FILES = [
  { name: 'messages.html', input: '<p>' },
  { name: 'files/1 photo.jpg', input: 'PK\u0003\u0004' },
];

/** A ZIP file with one deflated entry. @param changes of its fields in both headers */
async function deflated(
  name: string,
  text: string,
  changes: { flags?: number; size?: number } = {},
): Promise<Blob> {
  const packed = await bytesOf(
    await blobOf(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))),
  );
  const bytes = new TextEncoder().encode(name);
  const { crc32 } = await import('node:zlib');
  const { flags = 0, size = Buffer.byteLength(text) } = changes;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(text), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(bytes.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, bytes, packed]);
  const central = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), fields, Buffer.alloc(14), bytes]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return new Blob([local, central, end]);
}

test('reads the records of an export, and of one that was packed again', async () => {
  const exported = await stored(...FILES, { name: 'messages.jsonl', input: RECORDS });
  expect(await isZip(exported)).toBe(true);
  expect(await textOf(await recordsIn(exported))).toBe(RECORDS);
  const inFolder = await stored(
    { name: 'Waxwing Ann/messages.jsonl', input: RECORDS },
    { name: '__MACOSX/messages.jsonl', input: 'icon' },
  );
  expect(await textOf(await recordsIn(inFolder))).toBe(RECORDS);
  expect(await textOf(await recordsIn(await deflated('messages.jsonl', RECORDS)))).toBe(RECORDS);
});

test('refuses a file without records, with several, with encrypted ones, and with a ZIP file in it', async () => {
  const records = { name: 'messages.jsonl', input: RECORDS };
  const inner = await bytesOf(await stored(records));
  const refused = [
    await stored(...FILES),
    await stored(records, records),
    await stored(records, { ...records, name: 'Ann/messages.jsonl' }),
    await stored({ name: 'chat.zip', input: inner }),
    await stored({ ...records, name: 'a/b/messages.jsonl' }),
    await deflated('messages.jsonl', RECORDS, { flags: 1 }),
    new Blob(['PK']),
    new Blob([(await stored(records)).slice(0, 1_000)]),
  ];
  for (const file of refused) await expect(recordsIn(file)).rejects.toThrow(UnreadableZip);
});

test('refuses records that are packed too densely, and stops at more bytes than were named', async () => {
  const text = '0'.repeat(2_000_000);
  await expect(recordsIn(await deflated('messages.jsonl', text))).rejects.toThrow(UnreadableZip);
  const lying = await recordsIn(await deflated('messages.jsonl', text, { size: 1_000 }));
  await expect(textOf(lying)).rejects.toThrow(UnreadableZip);
});

test('damage of compressed records ends them after correct ones', async () => {
  const long = Array.from({ length: 12 }, () => RECORDS).join('\n');
  const bytes = await bytesOf(await deflated('messages.jsonl', long));
  bytes.fill(0xff, bytes.length - 3_000, bytes.length - 2_000);
  const reader = (await recordsIn(new Blob([bytes]))).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const all = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  })();
  await expect(all).rejects.toThrow(UnreadableZip);
  expect(text.length).toBeGreaterThan(1_000);
  expect(RECORDS.startsWith(text.slice(0, 1_000))).toBe(true);
});

test('damage of stored records is found at their end', async () => {
  const bytes = await bytesOf(await stored({ name: 'messages.jsonl', input: RECORDS }));
  bytes.fill(0x41, 500, 510);
  await expect(textOf(await recordsIn(new Blob([bytes])))).rejects.toThrow(UnreadableZip);
});

/** A file whose disk is away after a number of reads. */
class LostFile extends Blob {
  readonly #left: { reads: number };

  constructor(parts: Blob[], left: { reads: number }) {
    super(parts);
    this.#left = left;
  }

  override slice(from?: number, to?: number): Blob {
    return new LostFile([super.slice(from, to)], this.#left);
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    this.#left.reads -= 1;
    return this.#left.reads < 0 ? Promise.reject(new Error('NotReadableError')) : super.arrayBuffer();
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const left = this.#left;
    const lost = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        left.reads -= 1;
        if (left.reads < 0) throw new Error('NotReadableError');
        controller.enqueue(piece);
      },
    });
    return super.stream().pipeThrough(lost);
  }
}

test('a disk that is away is no damage of the ZIP file, at any read', async () => {
  const long = Array.from({ length: 12 }, () => RECORDS).join('\n');
  for (const file of [
    await stored(...FILES, { name: 'messages.jsonl', input: long }),
    await deflated('messages.jsonl', long),
  ]) {
    const read = async (reads: number) => textOf(await recordsIn(new LostFile([file], { reads })));
    let reads = 0;
    // The first number of reads that is enough ends the loop.
    for (let text = ''; text !== long; reads++)
      text = await read(reads).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Unreadable);
        return '';
      });
    expect(reads).toBeGreaterThan(3);
  }
});
