/**
 * The key of the cache where there is no key store of the operating system: a file that its owner alone may read.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { KeyProtection } from '../bridge/shapes.ts';
import { requireNoMessages } from '../host/data-folder.ts';

const FILE = 'database.key';
const KEY_BYTES = 32;

/** The key is there but is none, or cannot be read. The message is a sentence for the person. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

export const KEY_FILE_PROTECTION: KeyProtection = {
  kind: 'file',
  sentence:
    'Your messages are encrypted on this computer. Their key is in a file that only your user account can read: whoever can use your account, or has a copy of your disk that is not encrypted, can read them.',
};

/**
 * The key in a folder, made if there is none and nothing that it would have to open. Never makes another in place of
 * one that is damaged.
 * @throws KeyFileError, DataFolderError
 */
export function readOrCreateKey(folder: string): Uint8Array {
  const path = join(folder, FILE);
  const existing = read(path);
  if (existing) return existing;
  requireNoMessages(folder, FILE);
  try {
    create(folder, path);
  } catch (error) {
    throw new KeyFileError(`The key file ${path} cannot be written: ${reasonOf(error)}`);
  }
  const made = read(path);
  if (!made) throw new KeyFileError(`The key file ${path} vanished while it was made. Start again.`);
  return made;
}

/** Makes the key, unless another process makes it at the same time. */
function create(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Written whole under another name and then linked: a crash leaves either no key or all of it.
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
    linkSync(temporary, path);
    syncFolder(folder);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Makes the new name durable before anything is encrypted with the key. Windows neither needs nor allows it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function read(path: string): Uint8Array | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw new KeyFileError(`The key file ${path} cannot be read: ${reasonOf(error)}`);
  }
  if (bytes.length !== KEY_BYTES) {
    throw new KeyFileError(
      `The key file ${path} is damaged. Put back a copy of it; without it the messages cannot be read.`,
    );
  }
  return new Uint8Array(bytes);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
