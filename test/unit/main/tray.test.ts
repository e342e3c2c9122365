import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type TrayState, WaxwingTray } from '../../../src/main/tray/tray.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

const images = fileURLToPath(new URL('../../../build/tray', import.meta.url));

const state: TrayState = {
  unread: 0,
  connection: 'online',
  isLocked: false,
  messagesWaiting: false,
  canLock: true,
  pausedUntil: null,
};

function shown(platform: NodeJS.Platform = 'linux') {
  const electron = new ElectronDouble({ platform });
  electron.app.becomeReady();
  const picked: string[] = [];
  const tray = new WaxwingTray(electron.parts, images, platform, {
    open: () => picked.push('open'),
    pause: (until) => picked.push(`pause ${until !== null}`),
    lock: () => picked.push('lock'),
    quit: () => picked.push('quit'),
  });
  return { electron, tray, picked };
}

test.each<[Partial<TrayState>, string, string]>([
  [{}, 'Waxwing', 'tray.png'],
  [{ unread: 2 }, 'Waxwing – 2 unread', 'tray-unread.png'],
  [{ connection: 'offline' }, 'Waxwing – The relay cannot be reached', 'tray-offline.png'],
  [{ isLocked: true, unread: 2 }, 'Waxwing – Locked', 'tray.png'],
  [{ isLocked: true, messagesWaiting: true }, 'Waxwing – Locked, messages are waiting', 'tray-unread.png'],
])('%j is said as it is', (change, toolTip, image) => {
  const { electron, tray } = shown();
  tray.show({ ...state, ...change });
  expect(electron.tray.toolTip).toBe(toolTip);
  expect(electron.tray.image.path.endsWith(`/${image}`)).toBe(true);
});

test('the menu does what it says; it is set anew when it says something else, and not before', () => {
  const { electron, tray, picked } = shown();
  tray.show(state);
  for (const label of ['Open Waxwing', 'For 1 hour', 'Lock now', 'Quit']) electron.tray.menu?.click(label);
  expect(picked).toEqual(['open', 'pause true', 'lock', 'quit']);
  const { menu } = electron.tray;
  tray.show({ ...state });
  expect(electron.tray.menu).toBe(menu);
  tray.show({ ...state, canLock: false });
  expect(electron.tray.menu?.labels).not.toContain('Lock now');
});

test('a click opens the window, but on macOS the menu', () => {
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    const { electron, picked } = shown(platform);
    electron.tray.emit('click', {});
    expect(picked).toEqual(platform === 'darwin' ? [] : ['open']);
  }
});
