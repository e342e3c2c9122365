/**
 * The theme of the setting, for Chromium and the system: it is there before the page paints, and menus and the window's
 * frame have it, too.
 */
import type { Calls } from '../host/calls.ts';
import type { ElectronParts } from './electron.ts';

/** Keeps the theme true to the setting. Returns the function that stops doing so. */
export function followTheme(
  { nativeTheme }: ElectronParts,
  calls: Pick<Calls, 'settings' | 'onEvent'>,
): () => void {
  const follow = () => {
    const { theme } = calls.settings();
    if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  };
  follow();
  return calls.onEvent((name) => {
    if (name === 'settings.changed') follow();
  });
}
