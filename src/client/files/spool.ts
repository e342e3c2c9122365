/**
 * A file is sealed once, into a spool file on the disk, and uploaded from there: the same key never seals twice, even
 * if the upload restarts.
 */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { BlobDigest, type BlobDigests } from '../../protocol/blob/digest.ts';
import { type AttachedFile, baseNameOf } from '../../protocol/blob/file.ts';
import { newFileKey } from '../../protocol/blob/keys.ts';
import { type BlobLayout, CHUNK_BYTES, MOST_FILE_BYTES } from '../../protocol/blob/layout.ts';
import { BlobWriter } from '../../protocol/blob/stream.ts';
import { decodeBase64Url, encodeBase64Url, encodeUtf8, equalBytes } from '../../protocol/encoding.ts';
import { onOneLine } from '../../protocol/label.ts';
import { Failure } from '../errors.ts';

const PRIVATE = 0o600;
const MOST_NAME_BYTES = 255;
const READ_BYTES = 256 * 1024;

/** The sender's description of a file. */
export interface FileAbout {
  /** Its own name by default. */
  name?: string;
  /** `application/octet-stream` by default. */
  mediaType?: string;
}

/**
 * Seals a file under its own key.
 * @param source path of the file
 * @param spool path of the sealed file, created with mode 0600; it must not exist yet. Nobody can read it without the
 * key. Keep it until the upload is done
 * @returns the file's reference for a message. It contains the key: protect it like messages
 * @throws Failure 'file_too_long', 'file_changed'; errors of the system for reading and writing
 */
export async function sealFile(source: string, spool: string, about: FileAbout = {}): Promise<AttachedFile> {
  const file = await open(source, 'r');
  try {
    const { size } = await file.stat();
    if (size > MOST_FILE_BYTES) throw new Failure('file_too_long', { most: MOST_FILE_BYTES });
    const key = newFileKey();
    const writer = new BlobWriter(key, size);
    const sealed = await open(spool, 'wx', PRIVATE);
    let isWhole = false;
    try {
      const buffer = new Uint8Array(CHUNK_BYTES);
      for (let offset = 0, chunk = 0; chunk < writer.layout.chunks; chunk++) {
        const length = Math.min(CHUNK_BYTES, Math.max(0, size - offset));
        await readFully(file, buffer.subarray(0, length), offset);
        await sealed.writeFile(writer.push(buffer.subarray(0, length)));
        offset += length;
      }
      // One byte beyond the end: the file grows while it is read.
      if ((await file.read(buffer, 0, 1, size)).bytesRead > 0) throw new Failure('file_changed');
      await sealed.sync();
      isWhole = true;
    } finally {
      await sealed.close();
      if (!isWhole) await rm(spool, { force: true });
    }
    return {
      key: encodeBase64Url(key),
      digest: encodeBase64Url(writer.finish().digest),
      size,
      mediaType: about.mediaType ?? 'application/octet-stream',
      name: nameOf(about.name ?? source),
    };
  } finally {
    await file.close();
  }
}

/** @throws Failure 'file_changed' */
async function readFully(
  file: Awaited<ReturnType<typeof open>>,
  buffer: Uint8Array,
  position: number,
): Promise<void> {
  for (let at = 0; at < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, position + at);
    if (bytesRead === 0) throw new Failure('file_changed');
    at += bytesRead;
  }
}

/** A name without folders, on one line, within the limit of messages. */
function nameOf(path: string): string {
  let name = onOneLine((baseNameOf(path) ?? '').toWellFormed());
  while (encodeUtf8(name).length > MOST_NAME_BYTES) name = [...name].slice(0, -1).join('');
  return name === '' ? 'file' : name;
}

/**
 * The digests of a sealed file. Reads it once.
 * @throws Failure 'file_spool_changed' if it is not the one in the message
 */
export async function digestsOf(spool: string, layout: BlobLayout, file: AttachedFile): Promise<BlobDigests> {
  const digest = new BlobDigest();
  let length = 0;
  for await (const piece of createReadStream(spool, { highWaterMark: READ_BYTES })) {
    length += (piece as Buffer).length;
    if (length > layout.length) break;
    digest.update(piece as Buffer);
  }
  const digests = length === layout.length ? digest.finish() : null;
  if (!digests || !equalBytes(digests.digest, decodeBase64Url(file.digest))) {
    throw new Failure('file_spool_changed');
  }
  return digests;
}
