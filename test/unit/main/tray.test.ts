import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type TrayState, tomorrowMorning, WaxwingTray } from '../../../src/main/tray/tray.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

const images = fileURLToPath(new URL('../../../build/tray', import.meta.url));

const calm: TrayState = {
  unread: 0,
  connection: 'online',
  isLocked: false,
  messagesWaiting: false,
  canLock: false,
  pausedUntil: null,
};

function trayOn(platform: NodeJS.Platform = 'linux') {
  const electron = new ElectronDouble({ platform });
  electron.app.becomeReady();
  const calls: unknown[] = [];
  const shown = new WaxwingTray(electron.parts, images, platform, {
    open: () => calls.push('open'),
    pause: (until) => calls.push(until),
    lock: () => calls.push('lock'),
    quit: () => calls.push('quit'),
  });
  const { tray } = electron;
  return {
    electron,
    tray,
    calls,
    show: (part: Partial<TrayState>) => shown.show({ ...calm, ...part }),
  };
}

test.each([
  ['linux', ['open']],
  ['win32', ['open']],
  ['darwin', []],
] as const)('a click on %s asks for %j, beside the menu that macOS opens', (platform, expected) => {
  const { tray, calls } = trayOn(platform);
  tray.emit('click');
  expect(calls).toEqual(expected);
});

test.each<[Partial<TrayState>, string, string]>([
  [{}, 'tray.png', 'Waxwing'],
  [{ unread: 3 }, 'tray-unread.png', 'Waxwing – 3 unread'],
  [{ connection: 'connecting' }, 'tray.png', 'Waxwing'],
  [{ connection: 'offline' }, 'tray-offline.png', 'Waxwing – Can’t reach the server'],
  [{ connection: 'offline', unread: 3 }, 'tray-offline.png', 'Waxwing – 3 unread – Can’t reach the server'],
  [{ isLocked: true, unread: 3, connection: 'offline' }, 'tray.png', 'Waxwing – Locked'],
  [{ isLocked: true, messagesWaiting: true }, 'tray-unread.png', 'Waxwing – Locked, new messages'],
])('%j is %s, and in words: %s', (state, image, words) => {
  const { tray, show } = trayOn();
  show(state);
  expect([basename(tray.image.path), tray.toolTip]).toEqual([image, words]);
});

test('macOS has template images', () => {
  const { tray, show } = trayOn('darwin');
  const seen = [{}, { unread: 1 }, { connection: 'offline' as const }].map((state) => {
    show(state);
    return basename(tray.image.path);
  });
  expect(seen).toEqual(['trayTemplate.png', 'trayUnreadTemplate.png', 'trayOfflineTemplate.png']);
  expect(dirname(tray.image.path)).toBe(images);
});

test('the menu opens, locks and quits; without App lock it has no item to lock', () => {
  const { tray, show, calls } = trayOn();
  show({});
  expect(tray.menu?.labels).not.toContain('Lock Waxwing');
  show({ canLock: true });
  for (const label of ['Open Waxwing', 'Lock Waxwing', 'Quit Waxwing']) tray.menu?.click(label);
  expect(calls).toEqual(['open', 'lock', 'quit']);
});

test('does not set an unchanged menu, which would close the open one', () => {
  const { electron, tray, show } = trayOn();
  show({});
  const { menu } = tray;
  show({ unread: 5 });
  show({ unread: 6 });
  expect(tray.menu).toBe(menu);
  expect(electron.menus).toHaveLength(1);
  show({ connection: 'offline' });
  expect(tray.menu?.labels).toContain('Can’t reach the server');
});

test('until tomorrow is until the next eight in the morning', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  expect(tomorrowMorning(new Date(2026, 10, 21, 7, 59))).toBe(at(21, 8));
  expect(tomorrowMorning(new Date(2026, 10, 21, 8, 0))).toBe(at(22, 8));
  expect(tomorrowMorning(new Date(2026, 10, 30, 23, 0))).toBe(new Date(2026, 11, 1, 8).getTime());
});
