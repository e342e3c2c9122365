import { expect, test } from 'vitest';
import { RelayRefusal } from '../../../../src/client/http.ts';
import {
  agreeOnProfile,
  type OwnProfile,
  type ProfileCalls,
} from '../../../../src/client/identity/own-profile.ts';
import type { Me } from '../../../../src/protocol/schemas/me.ts';

const KNOWN: OwnProfile = { handle: 'ann_after', displayName: 'Ann After', developerApi: true };
const BACKUP: OwnProfile = { handle: 'ann', displayName: null, developerApi: false };

/** A relay with this profile of an account, and the values that were set at it. */
function relayWith(profile: OwnProfile, refusal: RelayRefusal | null = null) {
  const me = { address: '0x', ...profile } as Me;
  const calls: string[] = [];
  const set = async (what: string, change: Partial<Me>) => {
    calls.push(what);
    if (refusal) throw refusal;
    return Object.assign(me, change);
  };
  const relay: ProfileCalls = {
    claimHandle: (handle) => set(`handle ${handle}`, { handle }),
    saveProfile: (displayName) => set(`name ${displayName}`, { displayName }),
    saveDeveloperAccess: (developerApi) => set(`api ${developerApi}`, { developerApi }),
  };
  return { relay, me, calls };
}

function storeWith(known: OwnProfile) {
  const saved = [known];
  return { profile: () => saved.at(-1) ?? known, saveProfile: (next: OwnProfile) => void saved.push(next) };
}

const shown = (handle: string | null) =>
  handle === null ? null : { handle, address: '0x', displayName: null, verified: false, createdAt: '' };

test('restores handle, name and access at a relay that lost them', async () => {
  const { relay, me, calls } = relayWith(BACKUP);
  const store = storeWith(KNOWN);
  await agreeOnProfile(relay, store, { ...me }, shown('ann'), true);
  expect(calls).toEqual(['handle ann_after', 'name Ann After', 'api true']);
  expect(store.profile()).toEqual(KNOWN);
});

test('locks access again that was locked after the backup', async () => {
  const { relay, me, calls } = relayWith({ ...KNOWN, developerApi: true });
  await agreeOnProfile(relay, storeWith({ ...KNOWN, developerApi: false }), me, shown('ann_after'), true);
  expect(calls).toEqual(['api false']);
});

test('adopts changes of another own device without a sign of a loss', async () => {
  const { relay, me, calls } = relayWith(BACKUP);
  const store = storeWith(KNOWN);
  expect(await agreeOnProfile(relay, store, me, shown('ann'), false)).toBe(true);
  expect(calls).toEqual([]);
  expect(store.profile()).toEqual(BACKUP);
  expect(await agreeOnProfile(relay, store, me, shown('ann'), false)).toBe(false);
});

test('restores a missing handle in any case', async () => {
  const { relay, me, calls } = relayWith({ ...KNOWN, handle: null });
  await agreeOnProfile(relay, storeWith(KNOWN), me, null, false);
  expect(calls).toEqual(['handle ann_after']);
});

test('continues after a final refusal and retries after a temporary one', async () => {
  const refused = relayWith(BACKUP, new RelayRefusal(409, 'handle_taken', 'Taken.'));
  const store = storeWith(KNOWN);
  await agreeOnProfile(refused.relay, store, refused.me, shown('ann'), true);
  expect(refused.calls).toHaveLength(3);
  expect(store.profile()).toEqual(BACKUP);
  const busy = relayWith(BACKUP, new RelayRefusal(503, 'unavailable', 'Later.'));
  await expect(agreeOnProfile(busy.relay, storeWith(KNOWN), busy.me, null, true)).rejects.toThrow('Later.');
});

test('does not store a private handle: restoring it would make it public', async () => {
  const { relay, me } = relayWith({ ...KNOWN, handle: 'hidden' });
  const store = storeWith({ ...KNOWN, handle: null });
  await agreeOnProfile(relay, store, me, null, false);
  expect(store.profile().handle).toBeNull();
});
