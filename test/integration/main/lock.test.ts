import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ElectronDouble } from '../../support/electron/index.ts';
import type { KeyStoreState } from '../../support/electron/safe-storage.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

/** Badge of the app's icon: a number, or on Windows an image with a description. */
function badgeOf({ app, window }: ElectronDouble): string | null {
  if (app.platform === 'win32')
    return window.overlay && `${window.overlay.description}, ${basename(window.overlay.path)}`;
  return app.badge === 0 ? null : String(app.badge);
}

test('C9: a locked key store opens the messages after a restart, not within the process', async () => {
  using folder = temporaryFolder();
  const keyStoreKey = randomBytes(32);
  const begin = (args: string[], state: Partial<KeyStoreState> = {}) => {
    const electron = new ElectronDouble({ userData: join(folder.path, 'data'), keyStoreKey });
    electron.safeStorage.become(state);
    const { app } = start(folder.path, args, { electron });
    electron.app.becomeReady();
    return { electron, app };
  };
  const phaseOf = async (page: Awaited<ReturnType<typeof preload>>) => {
    const state = await page.calls['lock.state']({});
    return state.ok && [state.value.phase, state.value.because];
  };
  const first = begin([]);
  await first.app.ready;
  await quit(first.electron, folder.path);

  const locked = begin(['--hidden', `--data=${join(folder.path, 'data')}`], { opens: false });
  await locked.app.ready;
  const page = await preload(locked.electron);
  expect(await phaseOf(page)).toEqual(['locked', 'store-refused']);
  await page.calls['lock.retry']({});
  expect(await phaseOf(page)).toEqual(['locked', 'store-refused']);
  // The page is gone before it could hear an answer.
  void page.calls['host.restart']({});
  expect(await locked.electron.app.exited).toBe(0);
  expect(locked.electron.app.relaunches, 'with its window').toEqual([
    { execPath: '/opt/Waxwing/waxwing', args: [`--data=${join(folder.path, 'data')}`] },
  ]);

  const again = begin([]);
  await again.app.ready;
  expect(await phaseOf(await preload(again.electron))).toEqual(['open', null]);
  await quit(again.electron, folder.path);
});

test('C9: without a key store the page asks for a passphrase, and nothing is stored before', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  const phaseOf = async () => {
    const state = await page.calls['lock.state']({});
    return state.ok && state.value.phase;
  };
  expect(await phaseOf()).toBe('choose-passphrase');
  expect(await page.calls['app.state']({})).toMatchObject({ ok: false, failure: { code: 'locked' } });
  expect(
    readdirSync(join(folder.path, 'data')).filter((name) => name !== 'logs' && !name.startsWith('lock')),
  ).toEqual([]);
  await page.calls['lock.choose']({ passphrase: 'four words or so' });
  expect(await phaseOf()).toBe('open');
  expect(await page.calls['host.info']({})).toMatchObject({
    ok: true,
    value: { keyProtection: { kind: 'passphrase' } },
  });
  await quit(electron, folder.path);
});

test('without a key store the key is stored unprotected only by explicit choice', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, ['--unprotected-key'], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  expect(await page.calls['host.info']({})).toMatchObject({
    ok: true,
    value: { keyProtection: { kind: 'file' } },
  });
  expect(await page.calls['app.state']({})).toMatchObject({ ok: true, value: { phase: 'new' } });
  await quit(electron, folder.path);
});

test.each([
  ['linux', '1'],
  ['win32', '1 unread, badge.png'],
] as const)(
  'C15: locked, tray and badge on %s show nothing, and the data is not served',
  async (platform, badge) => {
    using folder = temporaryFolder();
    const { electron, app } = start(folder.path, [], { platform });
    const shows = (expected: string | null) =>
      eventually(
        async () => badgeOf(electron),
        (shown) => shown === expected,
      );
    electron.app.becomeReady();
    await app.ready;
    const page = await preload(electron);
    const phrase = await page.calls['setup.newPhrase']({});
    if (!phrase.ok) throw new Error(phrase.failure.code);
    const answers = phrase.value.ask.map((place) => phrase.value.words[place - 1] ?? '');
    await page.calls['setup.finish']({ relay: { kind: 'embedded' }, identity: { kind: 'new', answers } });
    const echo = await page.calls['people.resolve']({ query: '@echo' });
    const chat = echo.ok ? await page.calls['conversations.open']({ address: echo.value.address }) : echo;
    if (!chat.ok) throw new Error(chat.failure.code);
    await page.calls['messages.send']({ conversationId: chat.value.id, text: 'hello' });
    await shows(badge);

    await page.calls['lock.turnOn']({ passphrase: 'four words or so' });
    await page.calls['lock.now']({});
    await shows(null);
    expect(await page.calls['conversations.list']({})).toMatchObject({
      ok: false,
      failure: { code: 'locked' },
    });
    await page.calls['lock.unlock']({ passphrase: 'four words or so' });
    await shows(badge);
    await quit(electron, folder.path);
  },
);
