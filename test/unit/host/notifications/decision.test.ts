import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../../src/bridge/settings.ts';
import { mayNotify, wordsFor, wordsForMany } from '../../../../src/host/notifications/decision.ts';
import { isQuiet } from '../../../../src/host/notifications/quiet-hours.ts';
import { wordsIn } from '../../../../src/words/catalogues.ts';
import { arrived } from './arrived.ts';

const words = wordsIn('en');

const at = (hours: number, minutes = 0) => new Date(2026, 10, 21, hours, minutes);

describe('C15: the text of a notification', () => {
  test.each([
    ['hidden', { title: 'Waxwing', body: 'New message' }],
    ['name', { title: '@ann', body: 'New message' }],
    ['full', { title: '@ann', body: 'the secret' }],
  ] as const)('at level %s are %j', (level, phrases) => {
    expect(wordsFor(words, [arrived('1')], level)).toEqual(phrases);
  });

  test('by default shows neither sender nor text', () => {
    const text = JSON.stringify(
      wordsFor(words, [arrived('1', { group: 'Plan' })], defaultSettings.notifications),
    );
    for (const hidden of ['ann', '0x11', 'secret', 'Plan']) expect(text).not.toContain(hidden);
  });

  test('names the group of a message', () => {
    expect(wordsFor(words, [arrived('1', { group: 'Bird watchers' })], 'full').title).toBe(
      '@ann in Bird watchers',
    );
  });

  test('shows the handle of a person with the name of another one, or with a word of the app as name', () => {
    const from = (displayName: string) => ({ ...arrived('1').from, displayName });
    const titleOf = (part: Parameters<typeof arrived>[1]) =>
      wordsFor(words, [arrived('1', part)], 'full').title;
    expect(titleOf({ from: from('Ann') })).toBe('Ann');
    expect(titleOf({ from: from('Ann'), hasNamesake: true, group: 'Plan' })).toBe('Ann (@ann) in Plan');
    expect(titleOf({ from: from('You') })).toBe('You (@ann)');
  });

  test('describes an invitation', () => {
    const summary = { kind: 'invite', fields: { name: 'Bird watchers' }, text: '' };
    expect(wordsFor(words, [arrived('1', { summary })], 'full').body).toBe('Invitation to Bird watchers');
  });

  test('has no formatting marks', () => {
    const summary = { kind: 'text', fields: {}, text: '**Nest** found:\n- ~~low~~ `high`' };
    expect(wordsFor(words, [arrived('1', { summary })], 'full').body).toBe('Nest found: • low high');
  });

  test('never shows a stranger’s text', () => {
    for (const level of ['hidden', 'name', 'full'] as const) {
      const phrases = wordsFor(words, [arrived('1', { request: true })], level);
      expect(JSON.stringify(phrases)).not.toContain('secret');
    }
  });

  test('counts messages that arrived together', () => {
    expect(wordsFor(words, [arrived('1'), arrived('1'), arrived('1')], 'full').body).toBe('3 new messages');
    expect(wordsForMany(words, 12, 4).body).toBe('12 new messages in 4 chats');
  });
});

test.each([
  [true, { mentionsMe: true, muted: true }, {}],
  [false, { mentionsMe: true, muted: true }, { mentionsPassMute: false }],
  [false, { mentionsMe: false, muted: true }, {}],
  [true, { mentionsMe: true, muted: false }, { mentionsPassMute: false }],
])('%s: a message with %j notifies with the settings %j', (expected, message, changes) => {
  const settings: Settings = { ...defaultSettings, notifications: 'full', ...changes };
  expect(mayNotify(arrived('1', message), settings, at(12))).toBe(expected);
});

describe('notifying of a message', () => {
  const settings: Settings = { ...defaultSettings, notifications: 'full' };
  const noon = at(12);
  test.each<[boolean, string, Partial<Settings>]>([
    [true, 'usually', {}],
    [false, 'not where they are off', { notifications: 'off' }],
    [false, 'not while they are paused', { notificationsPausedUntil: noon.getTime() + 1 }],
    [true, 'after the pause', { notificationsPausedUntil: noon.getTime() }],
    [false, 'not in quiet hours', { quietHours: { from: '11:00', to: '13:00' } }],
  ])('%s: %s', (expected, _, changes) => {
    expect(mayNotify(arrived('1'), { ...settings, ...changes }, noon)).toBe(expected);
  });
});

describe('quiet hours', () => {
  test.each([
    ['22:00', '07:00', at(22), true],
    ['22:00', '07:00', at(23, 59), true],
    ['22:00', '07:00', at(0), true],
    ['22:00', '07:00', at(6, 59), true],
    ['22:00', '07:00', at(7), false],
    ['22:00', '07:00', at(21, 59), false],
    ['09:00', '17:30', at(17, 29), true],
    ['09:00', '17:30', at(17, 30), false],
    ['08:00', '08:00', at(8), false],
  ])('from %s to %s: at %s %s', (from, to, moment, expected) => {
    expect(isQuiet({ from, to }, moment)).toBe(expected);
  });

  test('quiet hours and their complement cover each minute of the day once', () => {
    const time = fc.integer({ min: 0, max: 1_439 });
    const text = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(time, time, time, (from, to, now) => {
        fc.pre(from !== to);
        const moment = at(Math.floor(now / 60), now % 60);
        const one = isQuiet({ from: text(from), to: text(to) }, moment);
        expect(isQuiet({ from: text(to), to: text(from) }, moment)).toBe(!one);
      }),
    );
  });
});

test('attributes a bot’s post to the bot, even without its name', () => {
  const title = (bot: string | null) =>
    wordsFor(words, [arrived('1', { bot, group: 'Walkers' })], 'full').title;
  expect(title('Weather')).toContain('Weather (bot)');
  expect(title('')).toMatch(/^Bot added by /);
});
