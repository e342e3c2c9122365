/**
 * Asking the system to leave the window out of screenshots and shared screens, where it can be asked.
 */
import type { BrowserWindow } from 'electron';
import type { Calls } from '../host/calls.ts';

/** Linux has nothing of the kind: Electron says nothing and does nothing there. */
const SYSTEMS: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/** Keeps a window's protection true to the setting. Returns the function that stops doing so. */
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
