import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { followContentProtection } from '../../../src/main/content-protection.ts';
import { connected } from '../../support/connected-window.ts';

/** The setting, as a person changes it. */
async function windowOn(platform: NodeJS.Platform) {
  const { electron, made, calls } = await connected(platform);
  let contentProtection = false;
  const stop = followContentProtection(
    made,
    { ...calls, settings: () => ({ ...defaultSettings, contentProtection }) },
    platform,
  );
  return {
    window: electron.window,
    stop,
    choose(chosen: boolean) {
      contentProtection = chosen;
      calls.emit('settings.changed', { ...defaultSettings, contentProtection });
    },
  };
}

test('C14: does not call the system before someone chooses it', async () => {
  expect(defaultSettings.contentProtection).toBe(false);
  const { window, choose } = await windowOn('darwin');
  choose(false);
  expect(window.contentProtection).toBeNull();
});

test.each<[NodeJS.Platform, boolean]>([
  ['darwin', true],
  ['win32', true],
  ['linux', false],
  ['freebsd', false],
])('C14: on %s the window is kept out of screenshots: %s', async (platform, isPossible) => {
  const { window, choose, stop } = await windowOn(platform);
  choose(true);
  expect(window.contentProtection).toBe(isPossible ? true : null);
  choose(false);
  expect(window.contentProtection).toBe(isPossible ? false : null);
  stop();
  choose(true);
  expect(window.contentProtection).toBe(isPossible ? false : null);
});

test('C14: ignores a closed window', async () => {
  const { window, choose } = await windowOn('win32');
  window.close();
  expect(() => choose(true)).not.toThrow();
});
