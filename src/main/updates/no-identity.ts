/**
 * Keeps electron-updater from identifying the app to the update server. For staged releases it stores an id
 * in `.updaterId`, and sends it with every request. Our releases are not staged.
 */

/** The part of electron-updater's AppUpdater for the id. */
export interface IdentifyingUpdater {
  getOrCreateStagingUserId(): Promise<string>;
}

/** Changes the updater in place: no id is created or stored. SignedProvider sends none. */
export function omitIdentity(updater: IdentifyingUpdater): void {
  updater.getOrCreateStagingUserId = async () => '';
}
