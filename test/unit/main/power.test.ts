import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { followPower } from '../../../src/main/power.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

test.each(['darwin', 'win32'] as const)(
  'App lock follows screen and sleep of %s by its setting',
  (platform) => {
    const electron = new ElectronDouble({ platform });
    const done: string[] = [];
    const session = { wake: () => void done.push('wake'), lock: async () => void done.push('lock') };
    const settings = { ...defaultSettings };
    const stop = followPower(electron.parts, session, { settings: () => settings }, null);
    electron.powerMonitor.emit('lock-screen');
    electron.powerMonitor.emit('suspend');
    expect(done).toEqual([]);
    settings.lockWithScreen = true;
    electron.powerMonitor.emit('lock-screen');
    electron.powerMonitor.emit('unlock-screen');
    electron.powerMonitor.emit('suspend');
    electron.powerMonitor.emit('resume');
    expect(done).toEqual(['lock', 'wake', 'lock', 'wake']);
    stop();
    for (const event of ['lock-screen', 'unlock-screen', 'suspend', 'resume']) {
      expect(electron.powerMonitor.listenerCount(event)).toBe(0);
    }
  },
);
