/**
 * Keeps electron-updater from telling the update server who asks: for releases that reach a share of people first it
 * makes an id, keeps it in `.updaterId`, and sends it with every question. Ours reach everybody at once.
 */

/** The part of electron-updater's AppUpdater that makes and keeps the id. */
export interface IdentifyingUpdater {
  getOrCreateStagingUserId(): Promise<string>;
}

/** Changes the updater in place: no id is made or kept. That none is sent, SignedProvider sees to. */
export function identifyNobody(updater: IdentifyingUpdater): void {
  updater.getOrCreateStagingUserId = async () => '';
}
