/** Backups of a cached device, with a real file thread. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Backups } from '../../src/engine/backup/backups.ts';
import { FileThread } from '../../src/engine/files/thread.ts';
import { chunkAt } from '../../src/protocol/blob/layout.ts';
import { BlobWriter } from '../../src/protocol/blob/stream.ts';
import type { CachedDevice } from './cached-device.ts';

/** The parts of a device that a backup uses. */
type Device = Pick<CachedDevice, 'context' | 'folder' | 'close'>;

export interface BackedUpDevice<D extends Device> extends AsyncDisposable {
  device: D;
  backups: Backups;
  /** Ends the file thread at once, as a kill does. */
  killThread(): Promise<void>;
  /** Names in the folder of files. */
  fileNames(): string[];
}

const WORKER = new URL('../../src/engine/files/worker.ts', import.meta.url);

/** @param entry of the file thread */
export function backUp<D extends Device>(device: D, entry = WORKER): BackedUpDevice<D> {
  const thread = new FileThread(entry, device.folder, {
    token: () => Promise.reject(new Error('no relay')),
    proxyFor: async () => ({ ok: true, value: null }),
    progress: () => undefined,
    verified: (bytes) => backups.verified(bytes),
  });
  const backups = new Backups(device.context, thread, () => undefined);
  const end = async () => {
    backups.close();
    await thread.close();
  };
  return {
    device,
    backups,
    killThread: end,
    fileNames: () => readdirSync(join(device.folder, 'files')),
    async [Symbol.asyncDispose]() {
      await end();
      device.close();
    },
  };
}

/**
 * Seals a file of a device.
 * @param begin its first bytes; the others are zeros
 * @returns its sealed form
 */
export function sealed({ context }: Pick<CachedDevice, 'context'>, id: number, begin: Uint8Array): Buffer {
  const file = context.files.get(id);
  if (!file) throw new Error(`no file ${id}`);
  const plain = new Uint8Array(file.size);
  plain.set(begin);
  const writer = new BlobWriter(file.key, file.size);
  const chunks: Uint8Array[] = [];
  for (let index = 0; index < writer.layout.chunks; index++) {
    const { offset, length } = chunkAt(writer.layout, index).file;
    chunks.push(writer.push(plain.subarray(offset, offset + length)));
  }
  return Buffer.concat(chunks);
}

/** Stores bytes as the sealed form of all files of a device. The cache has them as pictures. */
export function putFiles(
  { context, folder, db }: Pick<CachedDevice, 'context' | 'folder' | 'db'>,
  bytes: (id: number) => Uint8Array,
): number[] {
  mkdirSync(join(folder, 'files'), { recursive: true });
  const ids = context.files.ids();
  for (const id of ids) {
    const contents = bytes(id);
    writeFileSync(join(folder, 'files', String(id)), contents);
    db.prepare('UPDATE files SET blob_length = ? WHERE id = ?').run(contents.length, id);
    context.files.setDownloaded(id, 'image/jpeg');
  }
  return ids;
}
