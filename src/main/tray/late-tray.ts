/**
 * At login the app may be there before the part of the desktop that shows tray icons.
 */

/** Milliseconds between two looks, and how many there are at most. */
const PAUSE = 1_000;
const MOST_LOOKS = 20;

/** Resolves with whether the desktop shows tray icons, at once or a while later. */
export async function trayComes(hasTray: () => Promise<boolean>): Promise<'at-once' | 'late' | 'never'> {
  if (await hasTray()) return 'at-once';
  for (let looks = 1; looks < MOST_LOOKS; looks++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE).unref());
    if (await hasTray()) return 'late';
  }
  return 'never';
}
