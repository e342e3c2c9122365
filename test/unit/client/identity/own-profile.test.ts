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
  await agreeOnProfile(relay, store, { known: KNOWN, me: { ...me }, shown: shown('ann'), hasLost: true });
  expect(calls).toEqual(['handle ann_after', 'name Ann After', 'api true']);
  expect(store.profile()).toEqual(KNOWN);
});

test('locks access again that was locked after the backup', async () => {
  const { relay, me, calls } = relayWith({ ...KNOWN, developerApi: true });
  const known = { ...KNOWN, developerApi: false };
  await agreeOnProfile(relay, storeWith(known), { known, me, shown: shown('ann_after'), hasLost: true });
  expect(calls).toEqual(['api false']);
});

test('adopts changes of another own device without a sign of a loss', async () => {
  const { relay, me, calls } = relayWith(BACKUP);
  const store = storeWith(KNOWN);
  const answers = { me, shown: shown('ann'), hasLost: false };
  expect(await agreeOnProfile(relay, store, { known: KNOWN, ...answers })).toBe('changed');
  expect(calls).toEqual([]);
  expect(store.profile()).toEqual(BACKUP);
  expect(await agreeOnProfile(relay, store, { known: BACKUP, ...answers })).toBe('same');
});

test('restores a missing handle in any case', async () => {
  const { relay, me, calls } = relayWith({ ...KNOWN, handle: null });
  await agreeOnProfile(relay, storeWith(KNOWN), { known: KNOWN, me, shown: null, hasLost: false });
  expect(calls).toEqual(['handle ann_after']);
});

test('continues after a final refusal and retries after a temporary one', async () => {
  const refused = relayWith(BACKUP, new RelayRefusal(409, 'handle_taken', 'Taken.'));
  const store = storeWith(KNOWN);
  const answers = { known: KNOWN, shown: shown('ann'), hasLost: true };
  await agreeOnProfile(refused.relay, store, { ...answers, me: refused.me });
  expect(refused.calls).toHaveLength(3);
  expect(store.profile()).toEqual(BACKUP);
  const busy = relayWith(BACKUP, new RelayRefusal(503, 'unavailable', 'Later.'));
  const again = agreeOnProfile(busy.relay, storeWith(KNOWN), { ...answers, me: busy.me });
  await expect(again).rejects.toThrow('Later.');
});

test('does not store a private handle: restoring it would make it public', async () => {
  const { relay, me } = relayWith({ ...KNOWN, handle: 'hidden' });
  const known = { ...KNOWN, handle: null };
  const store = storeWith(known);
  await agreeOnProfile(relay, store, { known, me, shown: null, hasLost: false });
  expect(store.profile().handle).toBeNull();
});

test.each([
  ['before the answers are compared', false],
  ['while a lost handle is restored', true],
])('an answer from before a change on this device, %s, replaces nothing', async (_when, hasLost) => {
  const { relay, me } = relayWith(BACKUP);
  const store = storeWith(KNOWN);
  const changed = { ...KNOWN, handle: 'annie' };
  if (!hasLost) store.saveProfile(changed);
  const claimHandle = (handle: string) => {
    store.saveProfile(changed);
    return relay.claimHandle(handle);
  };
  const answers = { known: KNOWN, me: { ...me }, shown: shown('ann'), hasLost };
  expect(await agreeOnProfile({ ...relay, claimHandle }, store, answers)).toBe('outdated');
  expect(store.profile()).toEqual(changed);
});
