import { expect, test } from 'vitest';
import { DesktopScreen } from '../../../src/main/notifications.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

function shownOn(
  platform: NodeJS.Platform,
  title: string,
  body: string,
  conversationId: string | null = '1',
) {
  const electron = new ElectronDouble({ platform });
  electron.app.becomeReady();
  const screen = new DesktopScreen(electron.parts, platform, () => undefined);
  const showing = { title, body, key: '1', conversationId, isSilent: false, canAnswer: false };
  const nothing = () => undefined;
  screen.show(showing, { click: nothing, reply: nothing, markRead: nothing, gone: nothing });
  return electron.notifications[0]?.options;
}

const LINK = '<a href="https://evil.example">a < b && c</a> &lt;';

test('escapes markup in the text of a notification on Linux', () => {
  expect(shownOn('linux', 'Ann <3', LINK)).toMatchObject({
    title: 'Ann <3',
    body: '&lt;a href="https://evil.example"&gt;a &lt; b &amp;&amp; c&lt;/a&gt; &amp;lt;',
  });
});

test.each(['darwin', 'win32'] as const)('shows the text of a message unchanged on %s', (platform) => {
  expect(shownOn(platform, 'Ann <3', LINK)).toMatchObject({ title: 'Ann <3', body: LINK });
});

test('groups notifications by chat', () => {
  const groupOf = (conversationId: string | null) =>
    shownOn('darwin', 'Ann', 'Hello', conversationId)?.groupId;
  expect([groupOf('7'), groupOf('8'), groupOf(null)]).toEqual(['7', '8', 'messages']);
});
