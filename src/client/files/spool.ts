/**
 * A file is sealed once, into a spool file on the disk, and uploaded from there: the same key never seals twice, even
 * if the upload restarts.
 */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { BlobDigest, type BlobDigests } from '../../protocol/blob/digest.ts';
import { AttachedFile, baseNameOf } from '../../protocol/blob/file.ts';
import { newFileKey } from '../../protocol/blob/keys.ts';
import {
  type BlobLayout,
  CHUNK_BYTES,
  MAX_FILE_BYTES,
  SEALED_CHUNK_BYTES,
} from '../../protocol/blob/layout.ts';
import { MEDIA_TYPE_BYTES } from '../../protocol/blob/media-type.ts';
import { BlobWriter } from '../../protocol/blob/stream.ts';
import { sha256Stream } from '../../protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url, encodeUtf8, equalBytes } from '../../protocol/encoding.ts';
import { onOneLine } from '../../protocol/label.ts';
import { Failure } from '../errors.ts';
import { claimedTypeOf } from './claimed-type.ts';
import { type FileAbout, type Source, sourceAt } from './source.ts';

const PRIVATE = 0o600;
const MAX_NAME_BYTES = 255;
const READ_BYTES = 256 * 1024;

/**
 * Seals a file under its own key.
 * @param source path of the file
 * @param spool path of the sealed file, created with mode 0600; it must not exist yet. Unreadable without the key.
 * Keep it until the upload is done
 * @returns the file's reference for a message. It contains the key: protect it like messages
 * @throws Failure 'file_unreadable', 'file_too_long', 'file_changed', 'file_details_malformed'; errors of the system for
 * writing
 */
export async function sealFile(source: string, spool: string, about: FileAbout = {}): Promise<AttachedFile> {
  const opened = await sourceAt(source);
  try {
    return await sealSource(opened, newFileKey(), spool, about);
  } finally {
    await opened.close();
  }
}

/** SHA-256 of a file. @throws Failure 'file_changed' if it became shorter */
export async function hashSource(source: Source): Promise<Uint8Array> {
  const hash = sha256Stream();
  for (let at = 0; at < source.size; at += READ_BYTES) {
    hash.update(await readExactly(source, at, Math.min(READ_BYTES, source.size - at)));
  }
  return hash.digest();
}

/**
 * Seals a file under a key that seals nothing else.
 * @param expected SHA-256 of the file: a key that depends on it seals no other bytes
 * @throws as {@link sealFile}
 */
export async function sealSource(
  source: Source,
  key: Uint8Array,
  spool: string,
  about: FileAbout,
  expected: Uint8Array | null = null,
): Promise<AttachedFile> {
  const { size } = source;
  if (size > MAX_FILE_BYTES) throw new Failure('file_too_long', { most: MAX_FILE_BYTES });
  const writer = new BlobWriter(key, size);
  const hash = sha256Stream();
  const sealed = await open(spool, 'wx', PRIVATE);
  const room = new Uint8Array(SEALED_CHUNK_BYTES);
  let isWhole = false;
  try {
    for (let offset = 0, chunk = 0; chunk < writer.layout.chunks; chunk++) {
      const plain = await readExactly(source, offset, Math.min(CHUNK_BYTES, Math.max(0, size - offset)));
      hash.update(plain);
      await sealed.writeFile(writer.push(plain, room));
      offset += plain.length;
    }
    // One byte beyond the end: the file grows while it is read.
    const isLonger = (await source.read(size, 1)).length > 0;
    if (isLonger || (expected && !equalBytes(hash.digest(), expected))) throw new Failure('file_changed');
    await sealed.sync();
    const file = AttachedFile.safeParse({
      key: encodeBase64Url(key),
      digest: encodeBase64Url(writer.finish().digest),
      size,
      ...(await detailsOf(source, about)),
    });
    if (!file.success) throw new Failure('file_details_malformed');
    isWhole = true;
    return file.data;
  } finally {
    await sealed.close();
    if (!isWhole) await rm(spool, { force: true });
  }
}

async function detailsOf(source: Source, { name = source.name, mediaType, alt = '' }: FileAbout) {
  return {
    mediaType: mediaType ?? claimedTypeOf(await source.read(0, MEDIA_TYPE_BYTES), name),
    name: nameOf(name),
    ...(alt !== '' && { alt }),
  };
}

/** @throws Failure 'file_changed' */
async function readExactly(source: Source, position: number, length: number): Promise<Uint8Array> {
  const bytes = await source.read(position, length);
  if (bytes.length < length) throw new Failure('file_changed');
  return bytes;
}

/** A name without folders, on one line, within the limit of messages. */
function nameOf(path: string): string {
  let name = onOneLine((baseNameOf(path) ?? '').toWellFormed());
  while (encodeUtf8(name).length > MAX_NAME_BYTES) name = [...name].slice(0, -1).join('');
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
