/** The settings file in a data folder. */

import { join } from 'node:path';
import Conf from 'conf';
import { Failure } from '../base/failure.ts';
import type { Settings } from '../bridge/settings.ts';
import { defaultSettings } from '../bridge/settings.ts';

/** Creates the file `name`.json in a folder: conf, or electron-store, which is based on it. */
type MakeStore = (options: { cwd: string; name: string; defaults: Settings }) => { store: Settings };

/**
 * Opens `settings.json`, and creates it if it is missing.
 * @throws Failure if an edit made it unreadable
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
