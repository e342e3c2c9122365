/**
 * The old computer's side of a link: finds the computer waiting under a code, signs a list with it by the
 * wallet, and offers that list (docs/protocol.md, 'Linking a device').
 */
import { Failure } from '../../base/failure.ts';
import { RelayRefusal } from '../../client/http.ts';
import type { Registration, Signing } from '../../client/identity/registration.ts';
import { deviceListHash, listReferenceOf } from '../../protocol/device-list.ts';
import { decodeBase64Url, decodeTime, encodeBase64Url } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import { isDeviceOfCode, type LinkOffer, type NewDevice } from '../../protocol/linking/offer.ts';
import type { IdentityRows } from '../cache/identity-rows.ts';
import type { Account } from './account.ts';
import { readLinkCode } from './link-code.ts';

export interface WaitingComputer {
  /** Its device id: 16 bytes in base64url. */
  id: string;
  /** Its own name for itself, without invisible characters. */
  name: string;
  /** End of the wait, in milliseconds since 1970. */
  expiresAt: number;
}

/**
 * The computer waiting under a code. Its key matches the commitment in the code.
 * @throws Failure if the code is invalid, no computer waits, or the relay shows another key; RelayRefusal,
 * RelayUnreachable
 */
export async function findWaiting(account: Account, code: string): Promise<WaitingComputer> {
  const coded = readLinkCode(code);
  const { name, expiresAt } = await readWaiting(account, coded);
  return { id: encodeBase64Url(coded), name: toLabel(name), expiresAt: decodeTime(expiresAt) };
}

/**
 * Adds the computer under a code to the account's devices, and offers it the new list. A repeated call
 * continues an interrupted one.
 * @param signing with the wallet, if it is not stored here
 * @returns the computer's device id, and its own name for itself
 * @throws Failure, IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
 */
export async function linkWaiting(
  account: Account,
  registration: Registration,
  lists: Pick<IdentityRows, 'lists'>,
  code: string,
  signing: Signing,
): Promise<{ id: string; name: string }> {
  const coded = readLinkCode(code);
  const { key, name } = await readWaiting(account, coded);
  const deviceId = encodeBase64Url(coded);
  // Before signing: a list is offered once.
  const earlier = await readOffer(account, deviceId);
  if (earlier && earlier.address !== account.address) throw new Failure('link_taken');
  const list = await registration.add(decodeBase64Url(key), signing);
  const own = { address: account.address, list: listReferenceOf(account.address, list) };
  try {
    await account.relay.call('putLinkOffer', { params: { deviceId }, body: own });
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    if (error.code === 'not_found') throw new Failure('link_gone');
    if (error.code !== 'link_conflict') throw error;
    // An earlier offer stays valid after the list has changed.
    const made = await readOffer(account, deviceId);
    if (!made || !isOwnOffer(made, account.address, lists, deviceId)) throw new Failure('link_taken');
  }
  return { id: deviceId, name: toLabel(name) };
}

function isOwnOffer(
  offer: LinkOffer,
  address: string,
  lists: Pick<IdentityRows, 'lists'>,
  deviceId: string,
): boolean {
  const offered = lists.lists().find(({ sequence }) => sequence === offer.list.sequence);
  return (
    offer.address === address &&
    offered !== undefined &&
    deviceListHash(address, offered) === offer.list.hash &&
    offered.devices.some((device) => device.deviceId === deviceId)
  );
}

async function readWaiting(account: Account, coded: Uint8Array): Promise<NewDevice & { expiresAt: string }> {
  const deviceId = encodeBase64Url(coded);
  const waiting = await unlessMissing(account.relay.call('getNewDevice', { params: { deviceId } }));
  if (!waiting) throw new Failure('link_gone');
  if (!isDeviceOfCode(coded, waiting)) throw new Failure('link_unproven');
  return waiting;
}

function readOffer(account: Account, deviceId: string): Promise<LinkOffer | null> {
  return unlessMissing(account.relay.call('getLinkOffer', { params: { deviceId } }));
}

/** Null if the relay answers that it does not exist. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof RelayRefusal && error.code === 'not_found') return null;
    throw error;
  }
}
