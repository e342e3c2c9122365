/** Folders in which commands store files. */
import { reasonOf } from '../base/node/durable-file.ts';
import { makeFolder } from '../base/node/make-folder.ts';
import { commandError } from './command-error.ts';
import { isLasting } from './lasting.ts';

/**
 * Makes a folder unless it exists.
 * @param problem the reason of the error
 * @throws CommandError: a full disk is a failure, and no fault of the command
 */
export function requireFolder(
  folder: string,
  problem: 'identity_folder_unusable' | 'save_folder_unusable',
): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = reasonOf(error);
    throw commandError(isLasting(reason) ? 'usage' : 'failed', problem, { folder, reason });
  }
}
