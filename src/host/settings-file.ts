/**
 * The file of settings in a data folder.
 */

import { join } from 'node:path';
import Conf from 'conf';
import { Failure } from '../base/failure.ts';
import { defaultSettings } from '../bridge/default-settings.ts';
import type { Settings } from '../bridge/shapes.ts';

/** What makes the file `name`.json in a folder: conf, or electron-store, which stands on it. */
type MakeStore = (options: { cwd: string; name: string; defaults: Settings }) => { store: Settings };

/**
 * Opens `settings.json`; makes it if it is not there.
 * @throws Failure if someone edited it into something that cannot be read
 */
export function openSettings(
  folder: string,
  makeStore: MakeStore = ({ name, ...options }) => new Conf({ ...options, configName: name }),
): { store: Settings } {
  try {
    return makeStore({ cwd: folder, name: 'settings', defaults: defaultSettings });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Failure('settings_unreadable', { path: join(folder, 'settings.json'), reason: String(reason) });
  }
}
