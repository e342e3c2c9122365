import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EventName, Input, Output } from '../../../src/bridge/contract.ts';
import type { Answer } from '../../../src/bridge/failure.ts';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import type { Connection } from '../../../src/bridge/shapes/account.ts';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import type { Calls } from '../../../src/host/calls.ts';
import { DesktopLimits } from '../../../src/main/desktop-limits.ts';
import { Presence } from '../../../src/main/presence.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { arrived, reacted } from '../host/notifications/arrived.ts';
import { conversation } from './conversation.ts';

const CONNECTION: Connection = {
  state: 'online',
  problem: null,
  isKeyOverdue: false,
  nextRetryAt: null,
  queued: 0,
};

const STATE: Output<'app.state'> = {
  phase: 'ready',
  me: null,
  deletion: null,
  relays: { embedded: true, fixed: null },
  offersRestore: false,
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function presenceOn(platform: NodeJS.Platform = 'darwin', chosen: Partial<Settings> = {}) {
  const electron = new ElectronDouble({ platform });
  electron.app.becomeReady();
  const window = new electron.parts.BrowserWindow({ show: false });
  const settings: Settings = { ...defaultSettings, notifications: 'full', ...chosen };
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const attending = new Set<(conversationId: string) => void>();
  const requests: [string, unknown][] = [];
  const emitted: [string, unknown][] = [];
  const answers: Record<string, Answer<unknown>> = {
    'conversations.list': { ok: true, value: [] },
    'connection.get': { ok: true, value: CONNECTION },
    'app.state': { ok: true, value: STATE },
  };
  const got = ({ id }: Input<'conversations.get'>): Answer<unknown> => {
    const list = answers['conversations.list'];
    const found = list?.ok ? (list.value as Conversation[]).find((each) => each.id === id) : undefined;
    return found
      ? { ok: true, value: found }
      : { ok: false, failure: { code: 'chat_deleted', parameters: {} } };
  };
  const session = { isOpen: true, canLock: true, state: { messagesWaiting: false } };
  const state = { attended: null as string | null, opened: 0, answersMayLeave: Promise.resolve() };
  const calls: Calls = {
    files: () => null,
    async call(name, input) {
      requests.push([name, input]);
      if (name === 'conversations.get') {
        const answer = got(input as Input<'conversations.get'>);
        await state.answersMayLeave;
        return answer;
      }
      return answers[name] ?? { ok: true, value: {} };
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (name, payload) => void emitted.push([name, payload]),
    settings: () => settings,
    attended: () => state.attended,
    onAttend(listener) {
      attending.add(listener);
      return () => attending.delete(listener);
    },
  };
  const limits = new DesktopLimits(
    async () => true,
    () => [],
    () => calls.emit('desktop.changed', {}),
  );
  const presence = new Presence(electron.parts, {
    calls,
    session,
    window,
    images: fileURLToPath(new URL('../../../build/tray', import.meta.url)),
    platform,
    open: () => state.opened++,
    limits,
  });
  const happens = async (name: EventName, payload: unknown = {}) => {
    for (const listener of listeners) listener(name, payload);
    await vi.advanceTimersByTimeAsync(1_000);
  };
  const known = new Set<string>();
  /** The complete list of conversations from now on. */
  const list = (...all: Conversation[]) => {
    answers['conversations.list'] = { ok: true, value: all };
    for (const { id } of all) known.add(id);
    return happens('conversations.changed', { ids: [...known] });
  };
  const shown = () => electron.notifications.filter(({ isShown }) => isShown);
  const labels = () => electron.tray.menu?.labels ?? [];
  return {
    electron,
    presence,
    settings,
    limits,
    listeners,
    attending,
    requests,
    emitted,
    answers,
    session,
    state,
    happens,
    list,
    shown,
    labels,
  };
}

test('macOS asks about notifications only after set-up and if they are enabled', async () => {
  const { electron, answers, happens, settings } = presenceOn('darwin', { notifications: 'off' });
  answers['app.state'] = { ok: true, value: { ...STATE, phase: 'new' } };
  await happens('lock.changed');
  expect(electron.app.mayNotifyAsked).toBe(false);
  answers['app.state'] = { ok: true, value: STATE };
  await happens('app.changed');
  expect(electron.app.mayNotifyAsked).toBe(false);
  settings.notifications = 'hidden';
  await happens('settings.changed', settings);
  expect(electron.app.mayNotifyAsked).toBe(true);
});

test('reports when the system refuses notifications, and when it shows them again', async () => {
  const { electron, happens, emitted, limits } = presenceOn('darwin');
  const fails = async () => (await limits.state()).notificationsFail;
  electron.app.notificationsRefused = 'Notifications are not allowed for this application';
  await happens('message.arrived', arrived('1'));
  expect(await fails()).toBe(true);
  await happens('message.arrived', arrived('2'));
  expect(emitted).toEqual([['desktop.changed', {}]]);
  electron.app.notificationsRefused = null;
  await happens('message.arrived', arrived('3'));
  expect(await fails()).toBe(false);
  expect(emitted).toHaveLength(2);
});

test('does not count muted and blocked chats', async () => {
  const { electron, list } = presenceOn();
  await list(
    conversation('1', { unread: 2 }),
    conversation('2', { unread: 4, mutedUntil: 'always' }),
    conversation('3', { unread: 8, state: 'blocked' }),
  );
  expect(electron.app.badge).toBe(2);
});

test.each<[number, Partial<Settings>]>([
  [2 + 3 + 1, { badgeCounts: 'all' }],
  [2 + 3, { badgeCounts: 'all', mentionsPassMute: false }],
  [2 + 1, { badgeCounts: 'mentions' }],
  [2, { badgeCounts: 'mentions', mentionsPassMute: false }],
  [3, { badgeCounts: 'chats' }],
  [2, { badgeCounts: 'chats', mentionsPassMute: false }],
])('the badge is %i with the setting %j', async (badge, chosen) => {
  const { electron, list } = presenceOn('darwin', chosen);
  await list(
    conversation('1', { unread: 2, unreadMentions: 2 }),
    conversation('2', { unread: 3 }),
    conversation('3', { unread: 9, unreadMentions: 1, mutedUntil: 'always' }),
    conversation('4', { unread: 9, mutedUntil: 'always' }),
    conversation('5', { unread: 9, unreadMentions: 9, state: 'blocked' }),
  );
  expect(electron.app.badge).toBe(badge);
});

test('a change queries only its conversation', async () => {
  const { electron, answers, requests, happens, list } = presenceOn();
  const [one, two] = [conversation('1', { unread: 2 }), conversation('2', { unread: 4 })];
  await list(one, two);
  requests.length = 0;
  answers['conversations.list'] = { ok: true, value: [one, { ...two, unread: 5 }] };
  await happens('conversations.changed', { ids: ['2'] });
  expect([requests, electron.app.badge]).toEqual([[['conversations.get', { id: '2' }]], 7]);
  answers['conversations.list'] = { ok: true, value: [one] };
  await happens('conversations.changed', { ids: ['2'] });
  expect(electron.app.badge).toBe(2);
});

test('on Windows restores the image on the window’s button with the window', async () => {
  const { electron, list } = presenceOn('win32');
  const { window } = electron;
  window.show();
  await list(conversation('1', { unread: 2 }));
  expect(window.overlay?.description).toBe('2 unread');
  window.hide();
  // The button and its badge are removed.
  window.overlay = null;
  window.show();
  expect(window.overlay).toMatchObject({ description: '2 unread' });
  await list();
  expect(window.overlay).toBeNull();
});

test('the icon shows the relay’s state, also after changes while locked', async () => {
  const { answers, happens, labels } = presenceOn();
  await happens('connection.changed', { ...CONNECTION, state: 'offline' });
  expect(labels()).toContain('Can’t reach the server');
  answers['connection.get'] = { ok: true, value: { ...CONNECTION, state: 'online' } };
  await happens('lock.changed');
  expect(labels()).toContain('Connected');
});

test('C15: locking dismisses notifications; unlocking keeps the unread count', async () => {
  const { session, happens, list, shown } = presenceOn();
  await list(conversation('1', { unread: 1 }));
  await happens('message.arrived', arrived('1'));
  await happens('lock.changed');
  expect(shown()).toHaveLength(1);
  session.isOpen = false;
  await happens('lock.changed');
  expect(shown()).toEqual([]);
});

test('dismisses notifications of messages read elsewhere', async () => {
  const { happens, list, shown } = presenceOn();
  await happens('message.arrived', arrived('1'));
  await list(conversation('1', { unread: 0 }));
  expect(shown()).toEqual([]);
});

test('an answer about one chat dismisses nothing of another with a pending query', async () => {
  const { answers, list, happens, listeners, shown, state } = presenceOn();
  await list(conversation('1', { unread: 0 }), conversation('2', { unread: 0 }));
  const { promise, resolve } = Promise.withResolvers<void>();
  // The second chat has changed; before that is answered, a message arrives in the first.
  for (const listener of listeners) listener('conversations.changed', { ids: ['2'] });
  state.answersMayLeave = promise;
  answers['conversations.list'] = { ok: true, value: [conversation('1', { unread: 1 })] };
  for (const listener of listeners) listener('conversations.changed', { ids: ['1'] });
  await happens('message.arrived', arrived('1'));
  expect(shown()).toHaveLength(1);
  resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toHaveLength(1);
  await list(conversation('1', { unread: 0 }));
  expect(shown()).toEqual([]);
});

test('dismisses notifications of expired and deleted messages', async () => {
  const { answers, happens, shown } = presenceOn();
  await happens('message.arrived', arrived('1', { messageId: '5' }));
  await happens('message.arrived', arrived('2', { messageId: '6' }));
  await happens('messages.expired', { conversationId: '1', ids: ['5'] });
  expect(shown()).toHaveLength(1);
  // It still exists after any other failure.
  answers['messages.list'] = { ok: false, failure: { code: 'locked', parameters: {} } };
  await happens('messages.changed', { conversationId: '2' });
  expect(shown()).toHaveLength(1);
  answers['messages.list'] = { ok: false, failure: { code: 'message_deleted', parameters: {} } };
  await happens('messages.changed', { conversationId: '2' });
  expect(shown()).toEqual([]);
});

test('a reaction notifies until its chat is opened', async () => {
  const { attending, happens, list, shown } = presenceOn();
  await happens('reaction.arrived', reacted('1'));
  await list(conversation('1', { unread: 0 }));
  expect(shown().map(({ body }) => body)).toEqual(['@ann reacted 👍 to: On my way']);
  for (const listener of attending) listener('1');
  expect(shown()).toEqual([]);
});

test('only a visible window in front counts as attended', async () => {
  const { electron, state, happens } = presenceOn();
  const { window } = electron;
  state.attended = '1';
  const isShown = async () => {
    const before = electron.notifications.length;
    await happens('message.arrived', arrived('1'));
    return electron.notifications.length > before;
  };
  expect(await isShown()).toBe(true);
  window.show();
  expect(await isShown()).toBe(false);
  window.blur();
  expect(await isShown()).toBe(true);
  window.hide();
  window.focus();
  expect(await isShown()).toBe(true);
});

test('a click opens the conversation; replies and read marks are sent to the engine', async () => {
  const { requests, emitted, state, answers, happens, shown } = presenceOn();
  await happens('message.arrived', arrived('1', { messageId: '7' }));
  shown()[0]?.click();
  expect([state.opened, emitted]).toEqual([1, [['navigate.conversation', { conversationId: '1' }]]]);
  shown()[0]?.act('Mark as read');
  expect(requests).toContainEqual(['conversations.markRead', { id: '1', upTo: '7' }]);
  answers['messages.send'] = { ok: false, failure: { code: 'person_blocked', parameters: {} } };
  shown()[0]?.reply('on my way');
  await vi.advanceTimersByTimeAsync(1);
  expect(requests).toContainEqual([
    'messages.send',
    { conversationId: '1', text: 'on my way', readUpTo: '7' },
  ]);
  expect(shown().at(-1)?.body).toBe('You blocked this person. Unblock them to write to them.');
});

test('a pause of any length ends automatically; the menu locks and quits', async () => {
  const month = 32 * 24 * 3_600_000;
  const { electron, requests, settings, happens, labels } = presenceOn();
  settings.notificationsPausedUntil = Date.now() + month;
  await happens('settings.changed');
  const isPaused = () => labels().includes('Resume notifications');
  await vi.advanceTimersByTimeAsync(month - 10_000);
  expect(isPaused()).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isPaused()).toBe(false);
  electron.tray.menu?.click('Lock Waxwing');
  expect(requests).toContainEqual(['lock.now', {}]);
  electron.tray.menu?.click('Quit Waxwing');
  expect(electron.app.exitCode).toBe(0);
});

test('closing removes listeners, notifications and timers', async () => {
  const { presence, settings, listeners, happens, shown } = presenceOn();
  settings.notificationsPausedUntil = Date.now() + 1_000_000;
  await happens('settings.changed');
  settings.notificationsPausedUntil = null;
  await happens('message.arrived', arrived('1'));
  expect(shown()).toHaveLength(1);
  presence.close();
  expect([shown(), listeners.size, vi.getTimerCount()]).toEqual([[], 0, 0]);
});
