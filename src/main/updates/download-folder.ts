/**
 * Stores electron-updater's downloads in the data folder. Its own folder is one for all copies of the app that run with different data
 * folders: each would delete the unfinished and complete downloads of the others.
 */

/** The part of electron-updater's AppUpdater for its folder. */
export interface StoringUpdater {
  app: { readonly baseCachePath: string };
}

/** Changes the updater in place. @param folder made with the first download */
export function storeDownloadsIn(updater: StoringUpdater, folder: string): void {
  Object.defineProperty(updater.app, 'baseCachePath', { value: folder });
}
