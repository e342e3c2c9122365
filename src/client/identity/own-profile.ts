/**
 * Synchronizing the address's profile with the relay. It is not signed. The relay's values win, because another own
 * device may have changed them, unless the relay was evidently restored from a backup.
 */
import { isDeepStrictEqual } from 'node:util';
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

/** The relay's answers of one check, and the profile here before the first of them. */
export interface ShownProfile {
  known: OwnProfile;
  /** The relay's answer to the owner. */
  me: Me;
  /**
   * The relay's public answer; null for none. A handle missing there is not stored: restoring it would make it
   * public.
   */
  shown: HandleRecord | null;
  /** True if the relay was evidently restored from a backup. */
  hasLost: boolean;
}

/**
 * Restores values that the relay has lost, and adopts its other ones.
 * @returns `changed`: this device's data has changed. `outdated`: the person changed the profile here during the
 * check, so the relay's answers may be older, and the check has to be repeated
 * @throws RelayRefusal, RelayUnreachable if another attempt makes sense
 */
export async function agreeOnProfile(
  relay: ProfileCalls,
  store: OwnProfileStore,
  { known, me, shown, hasLost }: ShownProfile,
): Promise<'same' | 'changed' | 'outdated'> {
  const isOutdated = () => !isDeepStrictEqual(store.profile(), known);
  if (isOutdated()) return 'outdated';
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
  if (isOutdated()) return 'outdated';
  if (after.handle === handle && after.displayName === displayName && after.developerApi === developerApi) {
    return 'same';
  }
  store.saveProfile(after);
  return 'changed';
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
