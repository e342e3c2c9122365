import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Settings } from '../../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../../src/bridge/settings.ts';
import type { Message } from '../../../../src/bridge/shapes/message.ts';
import type { Arrived } from '../../../../src/host/notifications/decision.ts';
import { Notifier } from '../../../../src/host/notifications/notifier.ts';
import { DesktopScreen } from '../../../../src/main/notifications.ts';
import { wordsIn } from '../../../../src/words/catalogues.ts';
import { ElectronDouble } from '../../../support/electron/index.ts';
import { arrived, reacted, textOf } from './arrived.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A notifier on a double, and its calls. */
function notifying(settings: Partial<Settings> = {}, platform: NodeJS.Platform = 'darwin') {
  const electron = new ElectronDouble({ platform });
  electron.app.becomeReady();
  const calls: unknown[] = [];
  const toggles: boolean[] = [];
  const answers = {
    problem: null as string | null,
    attended: null as string | null,
    deleted: new Set<string>(),
    edited: new Map<string, Arrived['summary']>(),
    reactions: new Map<string, Pick<Message, 'reactions' | 'moreReactions'>>(),
  };
  const readSettings = vi.fn((): Settings => ({ ...defaultSettings, notifications: 'full', ...settings }));
  const notifier = new Notifier({
    words: wordsIn('en'),
    screen: new DesktopScreen(electron.parts, platform, (isShown) => toggles.push(isShown)),
    settings: readSettings,
    isAttended: (id) => id === answers.attended,
    open: (id) => calls.push(['open', id]),
    reply: async (id, text, readUpTo) => {
      calls.push(['reply', id, text, readUpTo]);
      return answers.problem;
    },
    markRead: (id, upTo) => calls.push(['read', id, upTo]),
    messageNow: async (_, id) => {
      const [summary, reactions] = [answers.edited.get(id), answers.reactions.get(id)];
      if (answers.deleted.has(id)) return 'deleted';
      if (!summary && !reactions) return 'unknown';
      return { ...textOf('On *my* way'), reactions: [], moreReactions: 0, ...summary, ...reactions };
    },
  });
  const arrive = (...all: Arrived[]) => {
    for (const each of all) notifier.add(each);
    vi.advanceTimersByTime(1_000);
  };
  const shown = () => electron.notifications.filter(({ isShown }) => isShown);
  const reads = () => readSettings.mock.calls.length;
  return { electron, notifier, arrive, shown, calls, answers, toggles, reads };
}

test('the newest notification of a conversation replaces the previous one; a click opens it', () => {
  const { arrive, shown, calls } = notifying();
  arrive(arrived('1', { summary: textOf('one') }));
  arrive(arrived('2', { summary: textOf('other') }));
  arrive(arrived('1', { summary: textOf('two') }));
  expect(shown().map(({ body }) => body)).toEqual(['other', 'two']);
  shown()[0]?.click();
  expect(calls).toEqual([['open', '2']]);
});

describe('a notification that a newer one of its chat replaced', () => {
  /** "one", then "two", each with its own notification. */
  function replaced() {
    const all = notifying();
    all.arrive(arrived('1', { messageId: '1', summary: textOf('one') }));
    all.arrive(arrived('1', { messageId: '2', summary: textOf('two') }));
    return { ...all, texts: () => all.shown().map(({ body }) => body) };
  }

  test('is shown again without a sound after the newer message is deleted', async () => {
    const { notifier, answers, shown, texts } = replaced();
    expect(texts()).toEqual(['two']);
    answers.deleted.add('2');
    await notifier.lookAgain('1');
    expect(shown().map(({ body, options }) => [body, options.silent])).toEqual([['one', true]]);
    answers.deleted.add('1');
    await notifier.lookAgain('1');
    expect(texts()).toEqual([]);
  });

  test('is shown again after the newer message has expired', () => {
    const { notifier, arrive, texts } = replaced();
    arrive(arrived('1', { messageId: '3', summary: textOf('three') }));
    notifier.forget('1', ['3']);
    expect(texts()).toEqual(['two']);
    notifier.forget('1', ['2']);
    expect(texts()).toEqual(['one']);
  });

  test('is not shown again if its message was deleted before', async () => {
    const { notifier, answers, texts } = replaced();
    answers.deleted.add('1');
    await notifier.lookAgain('1');
    expect(texts()).toEqual(['two']);
    answers.deleted.add('2');
    await notifier.lookAgain('1');
    expect(texts()).toEqual([]);
  });

  test('is shown again with its edited text', async () => {
    const { notifier, answers, texts } = replaced();
    answers.edited.set('1', textOf('one, edited'));
    await notifier.lookAgain('1');
    answers.deleted.add('2');
    await notifier.lookAgain('1');
    expect(texts()).toEqual(['one, edited']);
  });

  test('is not shown again after the chat was read', () => {
    const { notifier, texts } = replaced();
    notifier.forgetRead('1');
    notifier.forget('1', ['2']);
    expect(texts()).toEqual([]);
  });
});

test('devices added to the account share one notification, until the person has answered', () => {
  const { notifier, shown } = notifying();
  const device = { id: 'a', name: 'Attic', type: 'app' as const, at: Date.parse('2026-11-20T20:00:00.000Z') };
  notifier.showDevices([device]);
  expect(shown()).toMatchObject([{ title: 'A device was added to your account' }]);
  expect(shown()[0]?.body).toMatch(/^Was this you\? Attic, /);
  notifier.showDevices([device, { ...device, id: 'b' }, { ...device, id: 'c' }]);
  expect(shown().map(({ title, body }) => [title, body])).toEqual([
    ['3 devices were added to your account', 'Was this you?'],
  ]);
  notifier.forgetDevices();
  expect(shown()).toEqual([]);
});

test('added devices follow the settings of notifications', () => {
  const device = { id: 'a', name: 'Attic', type: 'app' as const, at: 0 };
  const hidden = notifying({ notifications: 'hidden' });
  hidden.notifier.showDevices([device]);
  expect(hidden.shown().map(({ body }) => body)).toEqual(['Was this you?']);
  const off = notifying({ notifications: 'off' });
  off.notifier.showDevices([device]);
  expect(off.shown()).toEqual([]);
});

test('reports shown and refused notifications on systems that know', () => {
  const { electron, notifier, arrive, toggles, shown } = notifying();
  arrive(arrived('1'));
  expect(toggles).toEqual([true]);
  electron.app.notificationsRefused = 'Notifications are not allowed for this application';
  arrive(arrived('1'));
  expect(toggles).toEqual([true, false]);
  expect(shown()).toEqual([]);
  expect(() => notifier.clear()).not.toThrow();
});

test('notifies once of messages that arrive together', () => {
  const { arrive, shown, calls } = notifying();
  arrive(arrived('1', { summary: textOf('one') }), arrived('1', { summary: textOf('two') }), arrived('2'));
  expect(shown().map(({ title, body }) => [title, body])).toEqual([
    ['@ann', '2 new messages'],
    ['@ann', 'the secret'],
  ]);
  arrive(...['3', '4', '5', '6', '6'].map((id) => arrived(id)));
  const last = shown().at(-1);
  expect(last?.body).toBe('5 new messages in 4 chats');
  last?.click();
  expect(calls).toEqual([['open', null]]);
});

test('notifies of all conversations except the one in front of the person', () => {
  const { arrive, shown, answers } = notifying();
  answers.attended = '1';
  arrive(arrived('1'), arrived('2'));
  expect(shown()).toHaveLength(1);
});

test('reads no settings for messages in the conversation in front of the person', () => {
  const { arrive, answers, reads } = notifying();
  answers.attended = '1';
  arrive(...Array.from({ length: 50 }, () => arrived('1')));
  expect(reads()).toBe(0);
  arrive(arrived('2'));
  expect(reads()).toBeGreaterThan(0);
});

test('C15: clearing removes shown notifications and cancels pending ones', () => {
  const { electron, notifier, arrive, shown } = notifying();
  arrive(arrived('1'));
  notifier.add(arrived('2'));
  notifier.clear();
  vi.advanceTimersByTime(1_000);
  expect(shown()).toEqual([]);
  expect(electron.notifications).toHaveLength(1);
});

test('dismisses shown and pending notifications of read messages only', () => {
  const { notifier, arrive, shown } = notifying();
  arrive(arrived('1', { summary: textOf('read elsewhere') }), arrived('2', { summary: textOf('unread') }));
  notifier.add(arrived('3'));
  notifier.forgetRead('1');
  notifier.forgetRead('3');
  vi.advanceTimersByTime(1_000);
  expect(shown().map(({ body }) => body)).toEqual(['unread']);
  arrive(...['4', '5', '6', '7'].map((id) => arrived(id)));
  for (const id of ['4', '5', '6']) notifier.forgetRead(id);
  expect(shown().map(({ body }) => body)).toEqual(['unread', '4 new messages in 4 chats']);
  notifier.forgetRead('7');
  expect(shown().map(({ body }) => body)).toEqual(['unread']);
  notifier.forgetRead('2');
  expect(shown()).toEqual([]);
});

test('dismisses notifications of disappeared messages, and keeps the others’', () => {
  const { notifier, arrive, shown } = notifying();
  arrive(
    arrived('1', { messageId: '5', summary: textOf('gone soon') }),
    arrived('2', { summary: textOf('stays') }),
  );
  notifier.forget('1', ['4']);
  notifier.forget('2', ['5']);
  expect(shown()).toHaveLength(2);
  notifier.add(arrived('3', { messageId: '8', summary: textOf('not shown yet') }));
  notifier.add(arrived('3', { messageId: '9', summary: textOf('shown alone') }));
  notifier.forget('1', ['5']);
  notifier.forget('3', ['8']);
  vi.advanceTimersByTime(1_000);
  expect(shown().map(({ body }) => body)).toEqual(['stays', 'shown alone']);
});

describe('a message that was deleted', () => {
  test('is dismissed', async () => {
    const { notifier, arrive, shown, answers } = notifying();
    arrive(arrived('1', { messageId: '7' }), arrived('2', { messageId: '8' }));
    await notifier.lookAgain('1');
    expect(shown()).toHaveLength(2);
    answers.deleted.add('7');
    await notifier.lookAgain('1');
    expect(shown()).toHaveLength(1);
    expect(shown()[0]?.body).toBe('the secret');
  });

  test('is not shown if it was deleted at once', async () => {
    const { electron, notifier, answers } = notifying();
    notifier.add(arrived('1', { messageId: '7', summary: textOf('regretted') }));
    notifier.add(arrived('1', { messageId: '8', summary: textOf('meant') }));
    answers.deleted.add('7');
    await notifier.lookAgain('1');
    vi.advanceTimersByTime(1_000);
    expect(electron.notifications.map(({ body }) => body)).toEqual(['meant']);
    notifier.add(arrived('1', { messageId: '9' }));
    answers.deleted.add('9');
    await notifier.lookAgain('1');
    vi.advanceTimersByTime(1_000);
    expect(electron.notifications).toHaveLength(1);
  });

  test('dismisses its counted notification when all of its messages are deleted', async () => {
    const { notifier, arrive, shown, answers } = notifying();
    arrive(arrived('1', { messageId: '7' }), arrived('1', { messageId: '8' }));
    for (const [id, count] of [
      ['8', 1],
      ['7', 0],
    ] as const) {
      answers.deleted.add(id);
      await notifier.lookAgain('1');
      expect(shown()).toHaveLength(count);
    }
  });

  test('is no longer counted, and the last one left is shown with its text, without a sound', async () => {
    const { notifier, arrive, shown, calls, answers } = notifying();
    arrive(...['6', '7', '8'].map((messageId) => arrived('1', { messageId, summary: textOf(messageId) })));
    expect(shown().map(({ body }) => body)).toEqual(['3 new messages']);
    answers.edited.set('6', textOf('corrected'));
    for (const [id, body] of [
      ['8', '2 new messages'],
      ['7', 'corrected'],
    ] as const) {
      answers.deleted.add(id);
      await notifier.lookAgain('1');
      expect(shown().map((each) => [each.body, each.options.silent])).toEqual([[body, true]]);
    }
    shown()[0]?.act('Mark as read');
    expect(calls).toEqual([['read', '1', '6']]);
  });

  test('is no longer counted in the notification of many chats', async () => {
    const { notifier, arrive, shown, calls, answers } = notifying();
    arrive(...['1', '1', '2', '3', '4'].map((id, index) => arrived(id, { messageId: `${index}` })));
    const counted = () => shown().map(({ body, options: { silent } }) => [body, silent]);
    expect(counted()).toEqual([['5 new messages in 4 chats', false]]);
    answers.deleted.add('1');
    await notifier.lookAgain('1');
    expect(counted()).toEqual([['4 new messages in 4 chats', true]]);
    // As disappeared messages.
    notifier.forget('2', ['0']);
    notifier.forget('2', ['2']);
    expect(counted()).toEqual([['3 new messages in 3 chats', true]]);
    shown()[0]?.click();
    expect(calls).toEqual([['open', null]]);
    notifier.forgetRead('1');
    answers.deleted.add('3');
    await notifier.lookAgain('3');
    expect(counted()).toEqual([['1 new message in 1 chat', true]]);
    answers.deleted.add('4');
    await notifier.lookAgain('4');
    expect(shown()).toEqual([]);
  });

  test('does not affect a notification that replaced it', async () => {
    const { notifier, arrive, shown, answers } = notifying();
    arrive(arrived('1', { messageId: '7' }));
    answers.deleted.add('7');
    const looking = notifier.lookAgain('1');
    arrive(arrived('1', { messageId: '8', summary: textOf('newer') }));
    await looking;
    expect(shown().map(({ body }) => body)).toEqual(['newer']);
  });
});

describe('a message that was edited', () => {
  test('is shown with its new text, without a sound', async () => {
    const { electron, notifier, arrive, shown, calls, answers } = notifying();
    arrive(arrived('1', { messageId: '7' }), arrived('2', { messageId: '8' }));
    answers.edited.set('7', textOf('the correction'));
    await notifier.lookAgain('1');
    expect(shown().map(({ body, options }) => [body, options.silent])).toEqual([
      ['the secret', false],
      ['the correction', true],
    ]);
    shown().at(-1)?.act('Mark as read');
    expect(calls).toEqual([['read', '1', '7']]);
    // Another change of the chat shows nothing again.
    await notifier.lookAgain('1');
    expect(electron.notifications).toHaveLength(3);
  });

  test('is shown with its new text if it was edited at once', async () => {
    const { electron, notifier, answers } = notifying();
    notifier.add(arrived('1', { messageId: '7' }));
    answers.edited.set('7', textOf('the correction'));
    await notifier.lookAgain('1');
    vi.advanceTimersByTime(1_000);
    expect(electron.notifications.map(({ body }) => body)).toEqual(['the correction']);
  });

  test('shows nothing again without a text, or after its notification was dismissed', async () => {
    for (const notifications of ['name', 'hidden'] as const) {
      const { electron, notifier, arrive, answers } = notifying({ notifications });
      arrive(arrived('1', { messageId: '7' }));
      answers.edited.set('7', textOf('the correction'));
      await notifier.lookAgain('1');
      expect(electron.notifications).toHaveLength(1);
    }
    const { electron, notifier, arrive, answers } = notifying();
    arrive(arrived('1', { messageId: '7' }));
    notifier.forgetRead('1');
    answers.edited.set('7', textOf('the correction'));
    await notifier.lookAgain('1');
    expect(electron.notifications).toHaveLength(1);
  });
});

test('a late dismissal by the system does not drop a newer notification', () => {
  const { electron, notifier, arrive, shown } = notifying();
  arrive(arrived('1'));
  arrive(arrived('1'));
  electron.notifications[0]?.emit('close', {});
  notifier.clear();
  expect(shown()).toEqual([]);
});

test('dismisses notifications in the Action Center of Windows', () => {
  const { electron, notifier, arrive } = notifying({}, 'win32');
  arrive(arrived('1'));
  const [toast] = electron.notifications;
  toast?.timeOut();
  expect(toast?.isShown).toBe(true);
  notifier.clear();
  expect(toast?.isShown).toBe(false);
});

test('follows the setting for the sound', () => {
  for (const notificationSound of [true, false]) {
    const { arrive, shown } = notifying({ notificationSound });
    arrive(arrived('1'));
    expect(shown()[0]?.options.silent).toBe(!notificationSound);
  }
});

describe('in the notification itself', () => {
  test('the person answers and marks as read', async () => {
    const { arrive, shown, calls } = notifying();
    arrive(arrived('1', { messageId: '6' }), arrived('1', { messageId: '7' }));
    shown()[0]?.reply('on my way');
    shown()[0]?.act('Mark as read');
    expect(calls).toEqual([
      ['reply', '1', 'on my way', '7'],
      ['read', '1', '7'],
    ]);
  });

  test('reports a reply that cannot be sent', async () => {
    const { notifier, arrive, shown, answers } = notifying();
    answers.problem = 'You blocked this person.';
    arrive(arrived('1'));
    shown()[0]?.reply('on my way');
    await vi.advanceTimersByTimeAsync(1);
    expect(shown().map(({ title, body }) => [title, body])).toEqual([
      ['@ann', 'the secret'],
      ['Reply not sent', 'You blocked this person.'],
    ]);
    notifier.forgetRead('1');
    expect(shown().map(({ title }) => title)).toEqual(['Reply not sent']);
  });

  test.each<[string, Partial<Settings>, Partial<Arrived>, NodeJS.Platform]>([
    ['a request', {}, { request: true }, 'darwin'],
    ['hidden words', { notifications: 'hidden' }, {}, 'darwin'],
    ['names alone', { notifications: 'name' }, {}, 'win32'],
    ['a platform without it', {}, {}, 'linux'],
  ])('there is no answer: %s', (_, settings, part, platform) => {
    const { arrive, shown } = notifying(settings, platform);
    arrive(arrived('1', part));
    expect(shown()[0]?.options.hasReply).toBeUndefined();
    expect(shown()[0]?.options.actions).toBeUndefined();
  });
});

describe('a reaction to a message of the person', () => {
  const bodiesAfter = (shownBy: ReturnType<typeof notifying>, ...all: ReturnType<typeof reacted>[]) => {
    for (const each of all) shownBy.notifier.addReaction(each);
    vi.advanceTimersByTime(1_000);
    return shownBy.shown().map(({ title, body }) => [title, body]);
  };

  test.each([
    ['full', '@ann', '@ann reacted 👍 to: On my way'],
    ['name', '@ann', 'New reaction'],
    ['hidden', 'Waxwing', 'New reaction'],
  ] as const)('shows at the level %s: %s, %s', (notifications, title, body) => {
    expect(bodiesAfter(notifying({ notifications }), reacted('1'))).toEqual([[title, body]]);
  });

  test('shows nothing with notifications off or paused, and for the chat in front', () => {
    expect(bodiesAfter(notifying({ notifications: 'off' }), reacted('1'))).toEqual([]);
    expect(bodiesAfter(notifying({ notificationsPausedUntil: Date.now() + 60_000 }), reacted('1'))).toEqual(
      [],
    );
    const attending = notifying();
    attending.answers.attended = '1';
    expect(bodiesAfter(attending, reacted('1'))).toEqual([]);
  });

  test('the newest of a chat replaces the one before, and above three chats only their number is shown', () => {
    const one = notifying();
    expect(bodiesAfter(one, reacted('1'), reacted('1', { emoji: '🎉' }))).toEqual([
      ['@ann', '@ann reacted 🎉 to: On my way'],
    ]);
    bodiesAfter(one, reacted('1', { emoji: '🙏', group: 'Hikers' }));
    expect(one.shown().map(({ title, body }) => [title, body])).toEqual([
      ['@ann in Hikers', '@ann reacted 🙏 to: On my way'],
    ]);
    const many = notifying();
    expect(bodiesAfter(many, ...['1', '2', '3', '4'].map((id) => reacted(id)))).toEqual([
      ['Waxwing', '4 new reactions'],
    ]);
  });

  test('replaces no message, and is replaced by one', () => {
    const { notifier, arrive, shown } = notifying();
    arrive(arrived('1'));
    notifier.addReaction(reacted('1'));
    notifier.addReaction(reacted('2'));
    vi.advanceTimersByTime(1_000);
    expect(shown().map(({ body }) => body)).toEqual(['the secret', '@ann reacted 👍 to: On my way']);
    arrive(arrived('2', { summary: textOf('newer') }));
    expect(shown().map(({ body }) => body)).toEqual(['the secret', 'newer']);
  });

  test('stays in a chat without unread messages, until the chat is opened or its message is deleted', async () => {
    const { notifier, shown, answers } = notifying();
    notifier.addReaction(reacted('1'));
    notifier.forgetRead('1');
    vi.advanceTimersByTime(1_000);
    notifier.forgetRead('1');
    expect(shown()).toHaveLength(1);
    notifier.forgetReaction('2');
    expect(shown()).toHaveLength(1);
    notifier.forgetReaction('1');
    expect(shown()).toEqual([]);
    notifier.addReaction(reacted('1'));
    vi.advanceTimersByTime(1_000);
    answers.deleted.add('3');
    await notifier.lookAgain('1');
    expect(shown()).toEqual([]);
  });

  const by = (emoji: string, ...people: Arrived['from'][]) => ({
    emoji,
    count: people.length,
    isMine: false,
    people,
  });
  const { from: annPerson } = reacted('1');
  const benPerson = { ...annPerson, address: `0x${'22'.repeat(20)}`, handle: 'ben' };

  test('is removed when the person removes the reaction, shown or planned', async () => {
    const { notifier, shown, answers } = notifying();
    notifier.addReaction(reacted('1'));
    vi.advanceTimersByTime(1_000);
    answers.reactions.set('3', { reactions: [by('👍', benPerson, annPerson)], moreReactions: 0 });
    await notifier.lookAgain('1');
    expect(shown()).toHaveLength(1);
    // The same emoji of another person, and another emoji of the same one.
    answers.reactions.set('3', {
      reactions: [by('👍', benPerson), by('🎉', annPerson)],
      moreReactions: 0,
    });
    await notifier.lookAgain('1');
    expect(shown()).toEqual([]);
    notifier.addReaction(reacted('1'));
    await notifier.lookAgain('1');
    vi.advanceTimersByTime(1_000);
    expect(shown()).toEqual([]);
  });

  test('stays if the message has more reactions than are known', async () => {
    const { notifier, shown, answers } = notifying();
    notifier.addReaction(reacted('1'));
    vi.advanceTimersByTime(1_000);
    answers.reactions.set('3', {
      reactions: [{ ...by('👍', benPerson), count: 51 }],
      moreReactions: 0,
    });
    await notifier.lookAgain('1');
    answers.reactions.set('3', { reactions: [by('🎉', benPerson)], moreReactions: 1 });
    await notifier.lookAgain('1');
    expect(shown()).toHaveLength(1);
  });

  test('another reaction in its place replaces the notification', async () => {
    const { notifier, shown, answers } = notifying();
    notifier.addReaction(reacted('1'));
    vi.advanceTimersByTime(1_000);
    answers.reactions.set('3', { reactions: [by('🎉', annPerson)], moreReactions: 0 });
    // The engine reports the change, then the new reaction: the answer about the change arrives after both.
    const looked = notifier.lookAgain('1');
    notifier.addReaction(reacted('1', { emoji: '🎉' }));
    vi.advanceTimersByTime(1_000);
    await looked;
    expect(shown().map(({ body }) => body)).toEqual(['@ann reacted 🎉 to: On my way']);
  });

  test('the notification of many chats stays until all of its reactions are removed', async () => {
    const many = notifying();
    const { notifier, shown, answers } = many;
    const chats = ['1', '2', '3', '4'];
    bodiesAfter(many, ...chats.map((id) => reacted(id)));
    answers.reactions.set('3', { reactions: [], moreReactions: 0 });
    for (const id of chats.slice(1)) await notifier.lookAgain(id);
    expect(shown()).toHaveLength(1);
    await notifier.lookAgain('1');
    expect(shown()).toEqual([]);
  });

  test('the notification of many chats is removed when their messages are deleted or disappear', async () => {
    const many = notifying();
    const { notifier, shown, answers } = many;
    bodiesAfter(many, ...['1', '2', '3', '4'].map((id) => reacted(id)));
    answers.deleted.add('3');
    for (const id of ['1', '2']) await notifier.lookAgain(id);
    notifier.forget('3', ['3']);
    expect(shown()).toHaveLength(1);
    notifier.forget('4', ['3']);
    expect(shown()).toEqual([]);
  });
});
