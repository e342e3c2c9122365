/** Files of received messages, saved in a folder under names of their own. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../base/backoff.ts';
import { Failure, failedWith } from '../base/failure.ts';
import { cutFileName } from '../base/file-name.ts';
import { reasonOf, syncFolder } from '../base/node/durable-file.ts';
import type { MessageFile, RelayClient } from '../client/index.ts';
import { waitAfter } from '../client/wait-after.ts';
import { isTransient } from '../messaging/relay.ts';
import { commandError } from './command-error.ts';
import { LOST_FILES } from './sentences.ts';

const PRIVATE = 0o600;
const MAX_NAME_BYTES = 255;

/** The place of a file, or the reason why it is lost. */
export type Saved = { path: string } | { problem: string };

export interface SaveOptions {
  signal: AbortSignal;
  /** Called for a passing failure before it is tried again. Without it, the failure is thrown. */
  onProblem?: (problem: Failure) => void;
}

/**
 * Downloads a file. It is durable when the promise resolves.
 * @returns the reason for a file that no other attempt would fetch: the relay has deleted it, or it is not the one that
 * was sent
 * @throws Failure for a passing reason; CommandError if the disk refuses
 */
export async function saveFile(
  client: RelayClient,
  { name, reference }: MessageFile,
  folder: string,
  { signal, onProblem }: SaveOptions,
): Promise<Saved> {
  const fetched = join(folder, `.waxwing-${randomUUID()}`);
  for (let failures = 1; ; failures++) {
    try {
      await client.fetchFile(reference, fetched, { signal });
      const path = await moveTo(fetched, folder, name);
      syncFolder(folder);
      return { path };
    } catch (error) {
      await rm(fetched, { force: true });
      signal.throwIfAborted();
      if (failedWith(error, 'file_not_as_sent')) return { problem: error.message };
      if (failedWith(error, 'not_found')) return { problem: LOST_FILES.deleted() };
      if (error instanceof Error && 'syscall' in error)
        throw commandError('failed', 'file_unsaved', { folder, reason: reasonOf(error) });
      const isPassing = isTransient(error) || failedWith(error, 'file_too_slow');
      if (!onProblem || !isPassing || !(error instanceof Failure)) throw error;
      onProblem(error);
      await pause(waitAfter(error, failures), signal);
      signal.throwIfAborted();
    }
  }
}

/** Moves a file to the first free name: `photo.png`, `photo (2).png` and so on. Nothing is replaced. */
async function moveTo(from: string, folder: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = join(folder, numbered(name, number));
    try {
      await (await open(path, 'wx', PRIVATE)).close();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    await rename(from, path);
    return path;
  }
}

/** @param name at most 255 bytes */
function numbered(name: string, number: number): string {
  return number === 1 ? name : cutFileName(name, MAX_NAME_BYTES, ` (${number})`);
}
