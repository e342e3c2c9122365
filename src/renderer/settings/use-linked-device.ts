import type { OwnDevice } from '../../bridge/shapes.ts';
import { useAsk } from '../bridge.ts';

/** How often the relay is asked while a code is shown, in milliseconds. */
const LOOK_EVERY = 2000;

interface LinkedDevice {
  linked: OwnDevice | null;
  /** Why the list cannot be had just now, as a sentence. */
  trouble: string | null;
}

/**
 * The first device that was not there before, as soon as it shows up.
 * @param known ids of those that were there; undefined while nobody is waited for
 */
export function useLinkedDevice(known: readonly string[] | undefined): LinkedDevice {
  const findNew = (devices: OwnDevice[] | undefined) =>
    known && devices?.find(({ id }) => !known.includes(id));
  const { data, error } = useAsk(
    'devices.list',
    {},
    { askAgain: (devices) => (known && !findNew(devices) ? LOOK_EVERY : false) },
  );
  return { linked: findNew(data) ?? null, trouble: error?.message ?? null };
}
