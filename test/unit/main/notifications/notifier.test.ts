import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/bridge/shapes.ts';
import { notificationFor, notifier } from '../../../src/main/notifications.ts';
import { asWindow, ElectronDouble } from '../../support/electron/index.ts';

const from = { address: `0x${'11'.repeat(20)}`, handle: 'ann', displayName: null, handleVerified: false };
const arrived = {
  conversationId: '1',
  messageId: '7',
  from,
  group: null,
  text: 'the secret',
  request: false,
};

test.each([
  ['off', null],
  ['hidden', { title: 'Waxwing', body: 'New message' }],
  ['name', { title: '@ann', body: 'New message' }],
  ['full', { title: '@ann', body: 'the secret' }],
] as const)('at level %s a notification says %j', (level, words) => {
  expect(notificationFor(arrived, level)).toEqual(words);
});

test('a message in a group names the group, and nothing at the level that hides', () => {
  const inGroup = { ...arrived, group: 'Bird watchers' };
  expect(notificationFor(inGroup, 'full')?.title).toBe('@ann in Bird watchers');
  expect(JSON.stringify(notificationFor(inGroup, 'hidden'))).not.toContain('Bird');
});

test('what a stranger writes is not shown, at no level', () => {
  for (const level of ['hidden', 'name', 'full'] as const) {
    expect(JSON.stringify(notificationFor({ ...arrived, request: true }, level))).not.toContain('secret');
  }
});

test('the newest notification of a conversation takes the place of the one before; a click opens it', () => {
  const electron = new ElectronDouble();
  electron.app.becomeReady();
  new electron.parts.BrowserWindow({ show: true });
  const opened: string[] = [];
  const settings = () => ({ ...defaultSettings, notifications: 'name' as const });
  const notify = notifier(electron.parts, asWindow(electron.window), settings, (id) => opened.push(id));

  electron.window.focus();
  notify(arrived);
  expect(electron.notifications).toHaveLength(0);

  electron.window.blur();
  notify(arrived);
  notify({ ...arrived, messageId: '8' });
  notify({ ...arrived, conversationId: '2', messageId: '9' });
  expect(electron.notifications).toHaveLength(3);
  electron.notifications[2]?.click();
  expect(opened).toEqual(['2']);
});
