import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { hostProcedures } from '../../../src/bridge/contract.ts';
import { MAX_FIRST_LINKS } from '../../../src/bridge/longest.ts';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { type Calls, createCalls } from '../../../src/host/calls.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { testSession } from '../../support/session.ts';

const INFO = { kind: 'browser' as const, version: '1.2.3', platform: 'linux' };

const data = temporaryFolder();
const session = testSession(data.path);
beforeAll(() => session.start());
afterAll(async () => {
  await session.close();
  data[Symbol.dispose]();
});

function callsIn(folder: string): Calls {
  const settings = new Conf<Settings>({ cwd: folder, configName: 'settings', defaults: defaultSettings });
  return createCalls({ session, settings, info: INFO });
}

const invalid = { ok: false, failure: { code: 'input_malformed', parameters: {} } };
const wrongForm = invalid;

test('the host answers its own procedures as the contract defines', async () => {
  using folder = temporaryFolder();
  const calls = callsIn(folder.path);
  const info = await calls.call('host.info', {});
  expect(info).toEqual({ ok: true, value: { ...INFO, keyProtection: session.protection } });
  expect(session.protection.kind).toBe('file');
  const read = await calls.call('settings.get', {});
  expect(read).toEqual({ ok: true, value: defaultSettings });
  const changed = await calls.call('settings.set', { theme: 'dark' });
  expect(changed).toEqual({ ok: true, value: { ...defaultSettings, theme: 'dark' } });
  const answers = { 'host.info': info, 'settings.get': read, 'settings.set': changed };
  for (const [name, answer] of Object.entries(answers)) {
    if (!answer.ok) throw new Error(name);
    const { output } = hostProcedures[name as keyof typeof answers];
    expect(output.safeParse(answer.value).success, name).toBe(true);
  }
});

test('C12: a link is passed to the engine for a preview only while the setting is on', async () => {
  using folder = temporaryFolder();
  const passed: unknown[] = [];
  const page = { title: 'A page', description: null, image: null };
  const engine: Pick<typeof session, 'call' | 'folder' | 'isOpen' | 'onEvent'> = {
    folder: folder.path,
    isOpen: true,
    onEvent: () => () => undefined,
    call: async (name, input) => {
      passed.push([name, input]);
      return { ok: true, value: { page } };
    },
  };
  const settings = new Conf<Settings>({
    cwd: folder.path,
    configName: 'settings',
    defaults: defaultSettings,
  });
  const calls = createCalls({ session: engine as typeof session, settings, info: INFO });
  const input = { url: 'https://example.org/' };
  expect(await calls.call('links.preview', input)).toEqual({ ok: true, value: { page: null } });
  expect(await calls.call('links.preview', { url: 1 })).toEqual(wrongForm);
  expect(passed).toEqual([]);
  await calls.call('settings.set', { linkPreviews: true });
  expect(await calls.call('links.preview', input)).toEqual({ ok: true, value: { page } });
  expect(passed).toEqual([['links.preview', input]]);
});

test('links of first run are stored in memory, bounded, and not returned while locked', async () => {
  using folder = temporaryFolder();
  let isOpen = true;
  let isWiped = true;
  const engine: Pick<typeof session, 'call' | 'folder' | 'isOpen' | 'onEvent' | 'wipe' | 'state'> = {
    folder: folder.path,
    get isOpen() {
      return isOpen;
    },
    onEvent: () => () => undefined,
    call: session.call,
    state: session.state,
    wipe: async () => {
      if (!isWiped) throw new Failure('passphrase_wrong');
    },
  };
  const calls = createCalls({
    session: engine as typeof session,
    settings: { store: defaultSettings },
    info: INFO,
  });
  const read = () => calls.call('host.firstLinks', {});
  const address = `0x${'ab'.repeat(20)}`;
  const links = (count: number) => ({
    entered: { text: 'https://relay.example/i#AAAA', isAgreed: true },
    others: Array.from({ length: count }, () => ({ kind: 'contact', address })),
  });
  const stored = { ok: true, value: links(MAX_FIRST_LINKS) };
  expect(await calls.call('host.setFirstLinks', stored.value)).toEqual({ ok: true, value: {} });
  expect(await calls.call('host.setFirstLinks', links(MAX_FIRST_LINKS + 1))).toEqual(wrongForm);
  expect(await read()).toEqual(stored);
  expect(readdirSync(folder.path)).toEqual([]);

  isOpen = false;
  const locked = { ok: false, failure: { code: 'locked', parameters: {} } };
  expect(await read()).toEqual(locked);
  expect(await calls.call('host.setFirstLinks', links(0))).toEqual(locked);
  isOpen = true;
  expect(await read()).toEqual(stored);

  isWiped = false;
  expect(await calls.call('lock.wipe', { passphrase: 'wrong' })).toMatchObject({ ok: false });
  expect(await read()).toEqual(stored);
  isWiped = true;
  await calls.call('lock.wipe', { passphrase: 'right' });
  expect(await read()).toEqual({ ok: true, value: { entered: null, others: [] } });
});

test('an invalid setting is refused and changes nothing', async () => {
  using folder = temporaryFolder();
  const calls = callsIn(folder.path);
  await calls.call('settings.set', { keepInTray: false });
  const file = readFileSync(join(folder.path, 'settings.json'), 'utf8');
  const refused = [{ theme: 'pink' }, { theme: 'dark', colour: 'pink' }, { keepInTray: 1 }, null, [], 'dark'];
  for (const input of [...refused, JSON.parse('{"__proto__":{"theme":"dark"}}')]) {
    expect(await calls.call('settings.set', input), JSON.stringify(input)).toEqual(wrongForm);
  }
  expect(await calls.call('settings.get', { theme: 'dark' })).toEqual(wrongForm);
  expect(readFileSync(join(folder.path, 'settings.json'), 'utf8')).toBe(file);
});

test('settings are stored and sent to all listeners', async () => {
  using folder = temporaryFolder();
  const calls = callsIn(folder.path);
  const emitted: unknown[] = [];
  const stop = calls.onEvent((name, payload) => emitted.push([name, payload]));
  await calls.call('settings.set', { notifications: 'off' });
  const kept = { ...defaultSettings, notifications: 'off' };
  expect(emitted).toEqual([['settings.changed', kept]]);
  stop();
  await calls.call('settings.set', {});
  expect(emitted).toHaveLength(1);
  expect(callsIn(folder.path).settings()).toEqual(kept);
});

test('valid settings of a hand-edited file apply', async () => {
  using folder = temporaryFolder();
  const edited = {
    theme: 'pink',
    notifications: 'off',
    keepInTray: 'yes',
    colour: 'pink',
    textSize: 101,
  };
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify(edited));
  const calls = callsIn(folder.path);
  expect(calls.settings()).toEqual({ ...defaultSettings, notifications: 'off' });
  expect(await calls.call('settings.set', { theme: 'dark' })).toEqual({
    ok: true,
    value: { ...defaultSettings, theme: 'dark', notifications: 'off' },
  });
});

test('a failure to save settings has its own code, and no listener is called', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const calls = callsIn(data);
  const emitted: unknown[] = [];
  calls.onEvent((name) => emitted.push(name));
  rmSync(data, { recursive: true });
  writeFileSync(data, 'in the way');
  chmodSync(data, 0o400);
  expect(await calls.call('settings.set', { theme: 'dark' })).toEqual({
    ok: false,
    failure: {
      code: 'settings_unsaved',
      parameters: {},
    },
  });
  expect(emitted).toEqual([]);
  expect(existsSync(join(data, 'settings.json'))).toBe(false);
});

test('all other calls go to the engine, checked against its contract', async () => {
  using folder = temporaryFolder();
  const calls = callsIn(folder.path);
  expect(await calls.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'new' } });
  expect(await calls.call('app.state', { more: 1 })).toEqual(wrongForm);
  for (const name of ['', 'app.stats', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'close']) {
    expect(await calls.call(name, {})).toEqual(invalid);
  }
});
