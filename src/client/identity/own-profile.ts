/**
 * What an address has set at the relay, agreed upon with it. Nobody signs it: what the relay says counts, as another own
 * device may have changed it, unless the relay has shown that it came back from a backup and knows less than before.
 */
import type { HandleRecord } from '../../protocol/schemas/directory.ts';
import type { Me } from '../../protocol/schemas/me.ts';
import type { RelayApi } from '../api.ts';
import { RelayRefusal } from '../http.ts';

export interface OwnProfile {
  handle: string | null;
  displayName: string | null;
  /** Whether API keys work; null where this device was never told. */
  developerApi: boolean | null;
}

export interface OwnProfileStore {
  profile(): OwnProfile;
  saveProfile(profile: OwnProfile): void;
}

/** What is asked of the relay. */
export type ProfileCalls = Pick<RelayApi, 'claimHandle' | 'saveProfile' | 'saveDeveloperAccess'>;

/**
 * Gives a relay that has lost something what was set there since, and remembers what it says otherwise.
 * @param me what the relay says to the owner
 * @param shown what it says to everybody; null if nothing. A handle that it does not show there is not remembered: given
 *   back, everybody would see it
 * @param hasLost whether the relay has shown that it came back from a backup
 * @returns whether anything has changed for this device
 * @throws RelayRefusal, RelayUnreachable if it may be tried again
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
  // A handle can be changed and not given up: one that is not there was lost in any case.
  if (handle !== null && handle !== me.handle && (hasLost || me.handle === null)) {
    await giveBack(() => relay.claimHandle(handle));
  }
  if (hasLost && displayName !== me.displayName) await giveBack(() => relay.saveProfile(displayName));
  if (hasLost && developerApi !== null && developerApi !== me.developerApi) {
    await giveBack(() => relay.saveDeveloperAccess(developerApi));
  }
  const isPublic = shown !== null && shown.handle === current.handle;
  const after = {
    // One that another address has taken meanwhile is tried again, until the person chooses another in Settings.
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

/** @returns null where the relay refuses for good: the account goes on with what the relay has */
async function unlessRefused(call: Promise<Me>): Promise<Me | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof RelayRefusal && !error.temporary) return null;
    throw error;
  }
}
