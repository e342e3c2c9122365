/** Waits for the tray: at login the app may start before the desktop shows tray icons. */

/** Interval of the check in milliseconds, and number of checks. */
const PAUSE = 1_000;
const MAX_LOOKS = 20;

/** Resolves with whether the desktop shows tray icons, immediately or later. */
export async function trayComes(hasTray: () => Promise<boolean>): Promise<'at-once' | 'late' | 'never'> {
  if (await hasTray()) return 'at-once';
  for (let looks = 1; looks < MAX_LOOKS; looks++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE).unref());
    if (await hasTray()) return 'late';
  }
  return 'never';
}
