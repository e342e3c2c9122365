/** Chains of device lists: each names the hash of the one before, so the newest signature commits to all. */
import type { DeviceList } from '../../protocol/device-list.ts';
import { hashOf } from './address-trust.ts';

/**
 * Reports whether a list follows another through those in between.
 * @param between ascending; all lists between the two
 * @returns 'gap' if one is missing or does not name the one before, 'fork' if the chain leads to another list
 * than `from`
 */
export function chainBetween(
  address: string,
  from: DeviceList,
  between: readonly DeviceList[],
  to: DeviceList,
): 'follows' | 'gap' | 'fork' {
  let next = to;
  for (const list of between.toReversed()) {
    if (list.sequence !== next.sequence - 1 || hashOf(address, list) !== next.previous) return 'gap';
    next = list;
  }
  if (next.sequence !== from.sequence + 1) return 'gap';
  return next.previous === hashOf(address, from) ? 'follows' : 'fork';
}
