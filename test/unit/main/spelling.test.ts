import { expect, test } from 'vitest';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import {
  dictionariesOf,
  fetchNoDictionaries,
  followSpelling,
  languagesOf,
} from '../../../src/main/spelling.ts';
import { connected, settled } from '../../support/connected-window.ts';

const NOWHERE = 'https://127.0.0.1:9/';

/** Settings, as a person changes them. */
async function following(platform: NodeJS.Platform, languages: string[] = ['en-US']) {
  const { electron, calls } = await connected(platform);
  electron.app.systemLanguages = languages;
  let settings: Settings = defaultSettings;
  fetchNoDictionaries(electron.parts.session.defaultSession);
  const stop = followSpelling(electron.parts, { ...calls, settings: () => settings }, platform);
  const choose = async (changes: Partial<Settings>) => {
    settings = { ...settings, ...changes };
    calls.emit('settings.changed', settings);
    await settled();
  };
  const { defaultSession } = electron.parts.session;
  return { session: electron.session, defaultSession, choose, stop };
}

test.each<NodeJS.Platform>(['linux', 'win32'])(
  'on %s no dictionary is fetched unless the person wants it',
  async (platform) => {
    const { session, choose } = await following(platform);
    expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: false });
    await choose({ theme: 'dark' });
    expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: false });
    await choose({ spellCheck: true });
    expect(session.dictionaries.areWanted).toBe(true);
    expect(new URL(session.dictionaries.from ?? '').host).toBe('redirector.gvt1.com');
    await choose({ spellCheck: false });
    expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: false });
  },
);

test('downloads nothing on macOS, which has its own checker', async () => {
  const { session, defaultSession, choose } = await following('darwin');
  expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: true });
  await choose({ spellCheck: false });
  expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: false });
  await choose({ spellCheck: true });
  expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: true });
  expect(dictionariesOf(defaultSession, 'darwin')).toEqual([]);
});

test('downloads dictionaries only through the proxy of the settings', async () => {
  const { session, choose } = await following('linux');
  let isSet: () => void = () => undefined;
  session.setProxy = () =>
    new Promise((resolve) => {
      isSet = resolve;
    });
  await choose({ spellCheck: true, proxy: { kind: 'address', address: 'http://proxy.example:3128' } });
  expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: false });
  isSet();
  await settled();
  expect(session.dictionaries.areWanted).toBe(true);
});

test('turning it off while the proxy is being set prevents checking', async () => {
  const { session, choose } = await following('linux');
  let isSet: () => void = () => undefined;
  session.setProxy = () =>
    new Promise((resolve) => {
      isSet = resolve;
    });
  await choose({ spellCheck: true });
  await choose({ spellCheck: false });
  isSet();
  await settled();
  expect(session.dictionaries).toEqual({ from: NOWHERE, areWanted: false });
});

test('spelling is checked in the chosen languages, or else in those of the system', async () => {
  const { session, choose, stop } = await following('linux', ['de-AT', 'en-US']);
  await choose({ spellCheck: true });
  expect(session.spellCheckerLanguages).toEqual(['de', 'en-US']);
  await choose({ spellCheckLanguages: ['uk', 'tlh'] });
  expect(session.spellCheckerLanguages).toEqual(['uk']);
  stop();
  await choose({ spellCheckLanguages: ['de'] });
  expect(session.spellCheckerLanguages).toEqual(['uk']);
});

test.each([
  [['fr-CA'], ['en-US']],
  [['pt'], ['pt-BR']],
  [['de-AT', 'de-DE'], ['de']],
  [[], ['en-US']],
])('a system in %j is checked in %j', (ofSystem, expected) => {
  expect(languagesOf([], ofSystem, ['de', 'en-GB', 'en-US', 'pt-BR'])).toEqual(expected);
});
