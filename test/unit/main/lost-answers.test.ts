import { expect, test } from 'vitest';
import type { Answer } from '../../../src/bridge/failure.ts';
import { LostAnswers } from '../../../src/main/lost-answers.ts';
import { DesktopScreen } from '../../../src/main/notifications.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { conversation } from './conversation.ts';

const answered = (id: string, reply: string) => ({
  type: 'reply',
  reply,
  arguments: `type=reply&tag=${encodeURIComponent(id)}`,
});

function running(platform: NodeJS.Platform, draft = '') {
  const electron = new ElectronDouble({ platform });
  electron.app.becomeReady();
  const session = { isOpen: true };
  const saved: unknown[] = [];
  const opened: string[] = [];
  const chat = { ...conversation('7', {}), draft };
  const call = async (name: string, input: unknown): Promise<Answer<unknown>> => {
    if (name === 'conversations.saveDraft') saved.push(input);
    const isKnown = (input as { id: string }).id === '7';
    if (isKnown) return { ok: true, value: name === 'conversations.get' ? chat : {} };
    return { ok: false, failure: { code: 'chat_deleted', parameters: {} } };
  };
  const answers = new LostAnswers({ call }, session, (id) => opened.push(id));
  const screen = new DesktopScreen(electron.parts, platform, () => undefined);
  const calls: Promise<void>[] = [];
  screen.onOlder((activation) => calls.push(answers.receive(activation)));
  const activate = async (activation: Electron.ActivationArguments) => {
    electron.activate(activation);
    await Promise.all(calls);
  };
  return { electron, screen, session, answers, saved, opened, activate };
}

test('stores a reply to an earlier run’s notification as a draft, and opens its chat', async () => {
  const { activate, saved, opened } = running('win32');
  await activate(answered('7', ' On my way '));
  expect(saved).toEqual([{ id: '7', text: 'On my way', mentions: [] }]);
  expect(opened).toEqual(['7']);
});

test('appends it to an existing draft', async () => {
  const { activate, saved } = running('win32', 'Half a thought');
  await activate(answered('7', 'On my way'));
  expect(saved).toMatchObject([{ text: 'Half a thought\nOn my way' }]);
});

test('keeps it until the app is unlocked', async () => {
  const { activate, answers, saved, session } = running('win32');
  session.isOpen = false;
  await activate(answered('7', 'On my way'));
  expect(saved).toEqual([]);
  session.isOpen = true;
  await answers.keep();
  await answers.keep();
  expect(saved).toHaveLength(1);
});

test('sends a reply to a notification of this run without a draft', async () => {
  const { activate, screen, electron, saved } = running('win32');
  const replies: string[] = [];
  const nothing = () => undefined;
  screen.show(
    { title: 'Ann', body: 'Hello', key: '7', conversationId: '7', isSilent: false, canAnswer: true },
    { click: nothing, markRead: nothing, gone: nothing, reply: (text) => replies.push(text) },
  );
  electron.notifications[0]?.reply('On my way');
  await activate(answered('7', 'On my way'));
  expect([replies, saved]).toEqual([['On my way'], []]);
});

test.each([
  { type: 'click', arguments: 'type=click&tag=7' },
  { type: 'reply', arguments: 'type=reply&tag=7', reply: '  ' },
  { type: 'reply', arguments: 'type=reply', reply: 'On my way' },
  answered('another', 'On my way'),
])('%j keeps nothing', async (activation) => {
  const { activate, saved } = running('win32');
  await activate(activation);
  expect(saved).toEqual([]);
});

test.each(['linux', 'darwin'] as const)('does not ask %s, which stores no such notification', (platform) => {
  // The double has no such call there.
  expect(() => running(platform)).not.toThrow();
});
