/**
 * Applies the theme setting to Chromium and the system before the page paints, including menus and the
 * window's frame.
 */
import type { Calls } from '../host/calls.ts';
import type { ElectronParts } from './electron.ts';

/**
 * Applies the setting.
 * @returns the function that stops it
 */
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
