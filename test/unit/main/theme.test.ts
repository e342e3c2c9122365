import { expect, test } from 'vitest';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { followTheme } from '../../../src/main/theme.ts';
import { connected } from '../../support/connected-window.ts';

test('sets Chromium’s theme from the setting, at the start and after a change', async () => {
  const { electron, calls } = await connected();
  let settings: Settings = { ...defaultSettings, theme: 'dark' };
  const { nativeTheme } = electron;
  const stop = followTheme(electron.parts, { ...calls, settings: () => settings });
  expect(nativeTheme.shouldUseDarkColors, 'on a system that is light').toBe(true);
  settings = { ...settings, theme: 'system' };
  calls.emit('settings.changed', settings);
  expect(nativeTheme.shouldUseDarkColors).toBe(false);
  stop();
  settings = { ...settings, theme: 'dark' };
  calls.emit('settings.changed', settings);
  expect(nativeTheme.themeSource).toBe('system');
});
