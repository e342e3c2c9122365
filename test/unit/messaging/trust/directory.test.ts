import { expect, test } from 'vitest';
import type { AddressTrust } from '../../../../src/messaging/trust/address-trust.ts';
import { type FetchedKeys, KeyDirectory } from '../../../../src/messaging/trust/directory.ts';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { signDeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { walletFromKey } from '../../../../src/protocol/wallet.ts';
import { TestDevice } from '../../../support/person.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const DAY = 24 * 3_600_000;

/** Someone with one device, as a relay shows them. */
function newMember() {
  const wallet = walletFromKey(randomBytes(32));
  const device = new TestDevice();
  const key = encodeBase64Url(device.signing.publicKey);
  const listed = { deviceId: device.id, key, type: 'app' as const, validUntil: encodeTime(NOW + 300 * DAY) };
  const issued = encodeTime(NOW);
  const list = { sequence: 1, previous: null, issued, unsigned: [] as [], devices: [listed] };
  const sealKeys = [device.statement(wallet.address, NOW)];
  return { address: wallet.address, shown: { deviceList: signDeviceList(wallet, list), sealKeys } };
}

test('seals for every member of a group larger than the key cache', async () => {
  const trusts = new Map<string, AddressTrust>();
  let last: [string, FetchedKeys] | null = null;
  const keys = new KeyDirectory({
    source: { keys: async () => null, keyHistories: async () => [], pqKeys: async () => ({}) },
    memory: {
      load: (address) => trusts.get(address) ?? null,
      save: (address, trust) => void trusts.set(address, trust),
      // Stores the state of one address.
      fetched: (address) => (last?.[0] === address ? last[1] : null),
      saveFetched(address, fetched) {
        last = [address, fetched];
      },
    },
    now: () => NOW,
    own: null,
  });
  const people = [newMember(), newMember(), newMember()];
  const members = await keys.learnMembers({
    members: people.map(({ address }) => address),
    memberDevices: Object.fromEntries(people.map(({ address, shown }) => [address, shown])),
    memberProfiles: {},
  });
  expect(members).toMatchObject(people.map(({ address, shown: { sealKeys } }) => ({ address, sealKeys })));
});
