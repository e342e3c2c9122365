/** Excludes the window from screenshots and screen sharing, on systems that support it. */
import type { BrowserWindow } from 'electron';
import type { Calls } from '../host/calls.ts';

/** Linux has no such feature: Electron silently does nothing there. */
const SYSTEMS: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/**
 * Applies the setting to a window.
 * @returns the function that stops it
 */
export function followContentProtection(
  window: BrowserWindow,
  calls: Calls,
  platform: NodeJS.Platform,
): () => void {
  if (!SYSTEMS.includes(platform)) return () => undefined;
  let isOn = false;
  const follow = () => {
    const isWanted = calls.settings().contentProtection;
    if (isWanted === isOn || window.isDestroyed()) return;
    isOn = isWanted;
    window.setContentProtection(isWanted);
  };
  follow();
  return calls.onEvent((name) => {
    if (name === 'settings.changed') follow();
  });
}
