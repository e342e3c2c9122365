/**
 * The age of the newest offered release from which updates may be withheld, in milliseconds. Someone between the app and
 * the update server can repeat an old signed release, but cannot give it another date.
 */
const OLD = 180 * 24 * 3_600_000;

/** Reports whether the newest release that the update server offers is so old that newer ones may be withheld. */
export function isOldRelease(newestFrom: number, now: number): boolean {
  return now - newestFrom >= OLD;
}
