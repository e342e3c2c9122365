/**
 * The file of settings in a data folder.
 */
import { join } from 'node:path';
import Conf from 'conf';
import { defaultSettings, type Settings } from '../bridge/shapes.ts';
import { DataFolderError } from './data-folder.ts';

/**
 * Opens `settings.json`; makes it if it is not there.
 * @throws DataFolderError if somebody edited it into something that cannot be read
 */
export function openSettings(folder: string): { store: Settings } {
  try {
    return new Conf<Settings>({ cwd: folder, configName: 'settings', defaults: defaultSettings });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new DataFolderError(
      `The settings in ${join(folder, 'settings.json')} cannot be read. Correct the file, or delete it to start with the usual settings. (${reason})`,
    );
  }
}
