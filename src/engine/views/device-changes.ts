/** Changes and messages by own devices that were removed since, without a decision of the person. */
import type { DeviceChange } from '../../bridge/shapes/device.ts';
import type { Context } from '../context.ts';
import { openMessages, toMessagesChange } from './device-messages.ts';
import { openGroupChanges, toGroupDeviceChange } from './group-changes.ts';
import { openGroupPictures, toPictureChange } from './group-picture-changes.ts';
import { registerChanges, timerChanges } from './own-changes.ts';

/** Number of listed changes. */
export const MAX_CHANGES = 200;

/** Open decisions, in equal shares of devices and kinds: many of one kind hide none of the others. */
export function openChanges(context: Context): DeviceChange[] {
  const own = context.identity.get()?.address;
  if (own === undefined) return [];
  const listed = context.identity.listedDevices();
  const candidates = [
    ...registerChanges(context, listed),
    ...timerChanges(context, listed),
    ...openGroupChanges(context, listed, MAX_CHANGES).map((open) => ({
      deviceId: open.change.deviceId,
      kind: 'group',
      toChange: () => toGroupDeviceChange(context, listed, open, own),
    })),
    ...openGroupPictures(context, listed, MAX_CHANGES).map((open) => ({
      deviceId: open.deviceId,
      kind: 'picture',
      toChange: () => toPictureChange(context, listed, open, own),
    })),
    ...openMessages(context, listed, MAX_CHANGES).map((open) => ({
      deviceId: open.deviceId,
      kind: 'messages',
      toChange: () => toMessagesChange(context, listed, open, own),
    })),
  ];
  return inShares(candidates, MAX_CHANGES).map(({ toChange }) => toChange());
}

/** The first of each device and kind, then the second of each, up to a limit; in the given order. */
function inShares<T extends { deviceId: string; kind: string }>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  const counts = new Map<string, number>();
  const placed = all.map((each, index) => {
    const share = `${each.kind}/${each.deviceId}`;
    const place = counts.get(share) ?? 0;
    counts.set(share, place + 1);
    return { each, index, place };
  });
  return placed
    .toSorted((one, other) => one.place - other.place || one.index - other.index)
    .slice(0, most)
    .toSorted((one, other) => one.index - other.index)
    .map(({ each }) => each);
}
