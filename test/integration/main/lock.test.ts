import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ElectronDouble } from '../../support/electron/index.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

/** Badge of the app's icon: a number, or on Windows an image with a description. */
function badgeOf({ app, window }: ElectronDouble): string | null {
  if (app.platform === 'win32')
    return window.overlay && `${window.overlay.description}, ${basename(window.overlay.path)}`;
  return app.badge === 0 ? null : String(app.badge);
}

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
    const answers = phrase.value.places.map((place) => phrase.value.words[place - 1] ?? '');
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
