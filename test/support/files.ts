/** Files for tests of the app: written as a page writes them, in pieces. */
import { failureFrom } from '../../src/base/failure.ts';
import { type ChosenPicture, FILE_PIECE_BYTES, type FileToSend } from '../../src/bridge/files.ts';
import type { Message } from '../../src/bridge/shapes/message.ts';
import type { FileAccess } from '../../src/engine/start.ts';
import { type Callable, callEngine } from './engine.ts';

/** An engine whose files a test writes and reads. */
export interface FileEngine extends Callable {
  readonly folder: { path: string };
  readonly handle: Pick<FileAccess, 'readFile' | 'writeFile'>;
}

/** The last part of a path for files. */
export const addressIn = (path: string) => path.split('/').at(-1) ?? '';

/** Prepares a file. @returns its id */
export async function prepareFile(
  engine: FileEngine,
  conversationId: string,
  bytes: Uint8Array,
): Promise<string> {
  const { id, path } = await callEngine(engine, 'files.begin', { conversationId, size: bytes.length });
  for (let offset = 0; offset < bytes.length; offset += FILE_PIECE_BYTES) {
    const piece = bytes.subarray(offset, offset + FILE_PIECE_BYTES);
    const answer = await engine.handle.writeFile(addressIn(path), offset, piece);
    if (!answer.ok) throw failureFrom(answer.failure);
  }
  return id;
}

/** Sends files with a caption. */
export async function sendFiles(
  engine: FileEngine,
  conversationId: string,
  files: readonly ({ bytes: Uint8Array } & Omit<FileToSend, 'id'>)[],
  text = '',
): Promise<Message> {
  const given: FileToSend[] = [];
  for (const { bytes, ...about } of files)
    given.push({ id: await prepareFile(engine, conversationId, bytes), ...about });
  return callEngine(engine, 'messages.sendFiles', { conversationId, files: given, text });
}

/** The bytes behind an address of `files.open`. */
export async function readWhole(files: Pick<FileAccess, 'readFile'>, path: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const answer = await files.readFile(addressIn(path), at, 300_000);
    if (!answer.ok) throw failureFrom(answer.failure);
    pieces.push(answer.value.bytes);
    at += answer.value.bytes.length;
    if (at >= answer.value.size) return Buffer.concat(pieces);
  }
}

/** Prepares a picture of a person or group. */
export async function preparePicture(engine: FileEngine, bytes: Uint8Array): Promise<ChosenPicture> {
  const { id, path } = await callEngine(engine, 'pictures.begin', { size: bytes.length });
  const answer = await engine.handle.writeFile(addressIn(path), 0, bytes);
  if (!answer.ok) throw failureFrom(answer.failure);
  return { id, width: 40, height: 40 };
}
