import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/bridge/default-settings.ts';
import { followPower } from '../../../src/main/power.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

test.each(['darwin', 'win32'] as const)(
  'App lock follows the screen of %s, where the person wants it',
  (platform) => {
    const electron = new ElectronDouble({ platform });
    const done: string[] = [];
    const session = { wake: () => void done.push('wake'), lock: async () => void done.push('lock') };
    const settings = { ...defaultSettings };
    const stop = followPower(electron.parts, session, { settings: () => settings });
    electron.powerMonitor.emit('lock-screen');
    expect(done).toEqual([]);
    settings.lockWithScreen = true;
    electron.powerMonitor.emit('lock-screen');
    electron.powerMonitor.emit('unlock-screen');
    expect(done).toEqual(['lock', 'wake']);
    stop();
    for (const event of ['lock-screen', 'unlock-screen', 'resume']) {
      expect(electron.powerMonitor.listenerCount(event)).toBe(0);
    }
  },
);
