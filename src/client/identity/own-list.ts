/**
 * Synchronizing the own device list with the relay. Newer lists are adopted if they follow the known ones. Lists that
 * the relay has lost, for example after restoring a backup, are published again. The chain proves them, so no new
 * signature is needed.
 */

import { UnverifiableError } from '../../base/failure.ts';
import { hashOf } from '../../messaging/trust/address-trust.ts';
import { chainBetween } from '../../messaging/trust/chain.ts';
import { type DeviceList, findDeviceListFault } from '../../protocol/device-list.ts';
import type { RelayApi } from '../api.ts';
import { RelayRefusal } from '../http.ts';

/** The most lists fetched to catch up with other own devices: pages of 50. */
const MAX_PAGES = 20;
/** The most lists fetched from before a device's first one, to restore them if the relay loses them. */
const MAX_EARLIER = 50;
/** The most repetitions if another own device restores lists at the same time. */
const MAX_ROUNDS = 3;

/** The needed calls of the relay. */
export type ListCalls = Pick<RelayApi, 'keys' | 'keyHistory' | 'putDevices'>;

export interface OwnLists {
  /** Every known own list, ascending. */
  lists(): DeviceList[];
  /** The last, valid one. */
  newestList(): DeviceList | null;
  /** Adds lists that follow the last one. */
  addLists(lists: DeviceList[]): void;
}

/**
 * Synchronizes the own lists here and at the relay.
 * @param published the relay's list; null for none
 * @param now milliseconds since 1970
 * @returns the newest own list; null if there is none yet
 * @throws UnverifiableError if the wallet did not sign the relay's list, or if that contradicts the known ones;
 * RelayRefusal, RelayUnreachable
 */
export async function agreeOnLists(
  relay: ListCalls,
  address: string,
  store: OwnLists,
  published: DeviceList | null,
  now: number,
): Promise<DeviceList | null> {
  let shown = published;
  for (let round = 1; ; round++) {
    try {
      return await agreeOnce(relay, address, store, shown, now);
    } catch (error) {
      const isOvertaken = error instanceof RelayRefusal && error.code === 'device_list_conflict';
      if (!isOvertaken || round === MAX_ROUNDS) throw error;
      shown = (await relay.keys(address))?.deviceList ?? null;
    }
  }
}

async function agreeOnce(
  relay: ListCalls,
  address: string,
  store: OwnLists,
  published: DeviceList | null,
  now: number,
): Promise<DeviceList | null> {
  const known = store.lists();
  const newest = known.at(-1) ?? null;
  if (published && findDeviceListFault(address, published, now) !== null) throw contradiction();
  if (!newest) {
    if (published) store.addLists([...(await listsBefore(relay, address, published)), published]);
    return published;
  }
  if (published && published.sequence > newest.sequence) {
    const between = await listsBetween(relay, address, newest, published);
    if (chainBetween(address, newest, between, published) !== 'follows') throw contradiction();
    store.addLists([...between, published]);
    return published;
  }
  const same = published && known.find(({ sequence }) => sequence === published.sequence);
  if (published && same && hashOf(address, same) !== hashOf(address, published)) throw contradiction();
  await giveBack(relay, known, published?.sequence ?? 0);
  return newest;
}

/**
 * Publishes lists that the relay has lost. The seal key of each device follows from that device.
 * @throws RelayRefusal 'device_list_conflict' if another own device does the same
 */
async function giveBack(relay: ListCalls, known: DeviceList[], shown: number): Promise<void> {
  const lost = known.filter(({ sequence }) => sequence > shown);
  const [first] = lost;
  if (!first) return;
  if (first.sequence !== shown + 1) {
    throw new UnverifiableError('own_list_lost');
  }
  for (const list of lost) await relay.putDevices(list, []);
}

/** The relay's lists before one, as far as each is named by the next. */
export async function listsBefore(
  relay: Pick<RelayApi, 'keyHistory'>,
  address: string,
  list: DeviceList,
): Promise<DeviceList[]> {
  if (list.sequence === 1) return [];
  const after = Math.max(0, list.sequence - 1 - MAX_EARLIER);
  const { lists } = await relay.keyHistory(address, after);
  const found: DeviceList[] = [];
  let next = list;
  for (const earlier of lists.filter(({ sequence }) => sequence < list.sequence).toReversed()) {
    if (earlier.sequence !== next.sequence - 1 || hashOf(address, earlier) !== next.previous) break;
    found.unshift(earlier);
    next = earlier;
  }
  return found;
}

/** The relay's lists after one and before another, ascending. */
export async function listsBetween(
  relay: Pick<RelayApi, 'keyHistory'>,
  address: string,
  from: Pick<DeviceList, 'sequence'>,
  to: Pick<DeviceList, 'sequence'>,
): Promise<DeviceList[]> {
  const found: DeviceList[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const after = found.at(-1)?.sequence ?? from.sequence;
    if (after >= to.sequence - 1) break;
    const { lists } = await relay.keyHistory(address, after);
    if (lists.length === 0) break;
    found.push(...lists.filter(({ sequence }) => sequence < to.sequence));
    if (lists.some(({ sequence }) => sequence >= to.sequence)) break;
  }
  return found;
}

function contradiction(): UnverifiableError {
  return new UnverifiableError('own_list_forged');
}
