/** The devices of an account before its recovery on this computer, proven by all its device lists. */
import type { OwnDevice } from '../../bridge/shapes/device.ts';
import { UnverifiableError } from '../../client/errors.ts';
import { listsBetween } from '../../client/identity/own-list.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { type DeviceList, findDeviceListFault, followsDeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import { openAccount } from './account.ts';

/**
 * Logs in with the wallet, which also reopens a deleted account, and reads all lists. Nothing is stored.
 * @param invitation a code, if the relay requires one and the address has no account yet: the login creates
 * it
 * @param now milliseconds since 1970
 * @returns the devices that can still sign in; none for a new address
 * @throws UnverifiableError if the lists are not one chain signed by the wallet; RelayRefusal,
 * RelayUnreachable
 */
export async function provenDevices(
  wallet: Wallet,
  relayUrl: string,
  invitation: string | null,
  now: number,
): Promise<OwnDevice[]> {
  const { address, privateKey: walletKey } = wallet;
  const identity = { address, walletKey, deviceSeed: randomBytes(32) };
  const { relay } = openAccount(identity, relayUrl, { invitation, reopens: true });
  const published = await relay.keys(address);
  if (!published) return [];
  const { deviceList: newest, sealKeys } = published;
  const earlier = await listsBetween(relay, address, { sequence: 0 }, newest);
  if (findDeviceListFault(address, newest, now) !== null || !isCompleteChain(address, [...earlier, newest])) {
    throw new UnverifiableError('own_list_forged');
  }
  const since = new Map(sealKeys.map(({ deviceId, notBefore }) => [deviceId, decodeTime(notBefore)]));
  return newest.devices
    .map(({ deviceId, type, validUntil }) => ({
      id: deviceId,
      name: null,
      type,
      isThis: false,
      validUntil: decodeTime(validUntil),
      sealKeySince: since.get(deviceId) ?? null,
      keepsPhrase: null,
    }))
    .filter(({ validUntil }) => validUntil > now);
}

function isCompleteChain(address: string, lists: readonly DeviceList[]): boolean {
  return lists.every((list, index) => followsDeviceList(address, lists[index - 1] ?? null, list));
}
