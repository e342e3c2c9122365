/**
 * The devices that an account has before it is recovered on this computer, proven by all its device lists.
 */
import type { OwnDevice } from '../../bridge/shapes.ts';
import { UnverifiableError } from '../../client/errors.ts';
import { listsBetween } from '../../client/identity/own-list.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { type DeviceList, findDeviceListFault, followsDeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import { openAccount } from './account.ts';

/**
 * Logs in with the wallet, which opens an account again that was deleted, and reads all lists. None of it is kept.
 * @param invitation a code, where the relay wants one and the address has no account there yet: the login makes it
 * @param now milliseconds since 1970
 * @returns the devices that can still sign in; none if the address is new here
 * @throws UnverifiableError if the lists are not one chain that the wallet has signed; RelayRefusal, RelayUnreachable
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
  if (findDeviceListFault(address, newest, now) !== null || !isWholeChain(address, [...earlier, newest])) {
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

function isWholeChain(address: string, lists: readonly DeviceList[]): boolean {
  return lists.every((list, index) => followsDeviceList(address, lists[index - 1] ?? null, list));
}
