/**
 * Synchronizing the address's profile with the relay. It is not signed. The relay's values win, because another own
 * device may have changed them, unless the relay was evidently restored from a backup.
 */
import type { HandleRecord } from '../../protocol/schemas/directory.ts';
import type { Me } from '../../protocol/schemas/me.ts';
import type { RelayApi } from '../api.ts';
import { RelayRefusal } from '../http.ts';

export interface OwnProfile {
  handle: string | null;
  displayName: string | null;
  /** True if API keys work; null if this device does not know. */
  developerApi: boolean | null;
}

export interface OwnProfileStore {
  profile(): OwnProfile;
  saveProfile(profile: OwnProfile): void;
}

/** The needed calls of the relay. */
export type ProfileCalls = Pick<RelayApi, 'claimHandle' | 'saveProfile' | 'saveDeveloperAccess'>;

/**
 * Restores values that the relay has lost, and adopts its other ones.
 * @param me the relay's answer to the owner
 * @param shown the relay's public answer; null for none. A handle missing there is not stored: restoring it would
 * make
 * it public
 * @param hasLost true if the relay was evidently restored from a backup
 * @returns true if this device's data has changed
 * @throws RelayRefusal, RelayUnreachable if another attempt makes sense
 */
export async function agreeOnProfile(
  relay: ProfileCalls,
  store: OwnProfileStore,
  me: Me,
  shown: HandleRecord | null,
  hasLost: boolean,
): Promise<boolean> {
  const known = store.profile();
  let current = me;
  const giveBack = async (call: () => Promise<Me>) => {
    current = (await unlessRefused(call())) ?? current;
  };
  const { handle, displayName, developerApi } = known;
  // A handle can be changed but not removed: a missing one was certainly lost.
  if (handle !== null && handle !== me.handle && (hasLost || me.handle === null)) {
    await giveBack(() => relay.claimHandle(handle));
  }
  if (hasLost && displayName !== me.displayName) await giveBack(() => relay.saveProfile(displayName));
  if (hasLost && developerApi !== null && developerApi !== me.developerApi) {
    await giveBack(() => relay.saveDeveloperAccess(developerApi));
  }
  const isPublic = shown !== null && shown.handle === current.handle;
  const after = {
    // A handle now taken by another address is retried, until the person chooses another in Settings.
    handle: isPublic ? current.handle : handle,
    displayName: current.displayName,
    developerApi: current.developerApi,
  };
  if (after.handle === handle && after.displayName === displayName && after.developerApi === developerApi) {
    return false;
  }
  store.saveProfile(after);
  return true;
}

/** @returns null if the relay finally refuses: the account continues with the relay's value */
async function unlessRefused(call: Promise<Me>): Promise<Me | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof RelayRefusal && !error.temporary) return null;
    throw error;
  }
}
