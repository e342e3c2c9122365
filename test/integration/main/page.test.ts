import { once } from 'node:events';
import type * as Electron from 'electron';
import { expect, test } from 'vitest';
import { BRIDGE_CHANNEL } from '../../../src/bridge/ipc.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

test('C1, C6: a page sets up an identity through preload, IPC, engine and relay, and @echo answers', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path);
  expect(electron.app.sandboxed, 'C1: for every process, before there is one').toBe(true);
  electron.app.becomeReady();
  await app.ready;
  expect(electron.dialog.errors).toEqual([]);
  const page = await preload(electron);
  expect(Object.keys(page).sort()).toEqual(['calls', 'on']);
  expect(Object.isFrozen(page)).toBe(true);

  const arrived: string[] = [];
  page.on('message.arrived', ({ summary }) => arrived.push(summary.text));
  const phrase = await page.calls['setup.newPhrase']({});
  if (!phrase.ok) throw new Error(phrase.failure.code);
  const answers = phrase.value.places.map((place) => phrase.value.words[place - 1] ?? '');
  const me = await page.calls['setup.finish']({
    relay: { kind: 'embedded' },
    identity: { kind: 'new', answers },
  });
  expect(me.ok).toBe(true);
  const echo = await page.calls['people.resolve']({ query: '@echo' });
  const chat = echo.ok ? await page.calls['conversations.open']({ address: echo.value.address }) : echo;
  if (!chat.ok) throw new Error(chat.failure.code);
  await page.calls['messages.send']({ conversationId: chat.value.id, text: 'hello' });
  await eventually(
    async () => arrived,
    ([text]) => text?.includes('hello') === true,
  );
  const info = await page.calls['host.info']({});
  expect(info).toMatchObject({
    ok: true,
    value: { kind: 'electron', keyProtection: { kind: 'os-key-store' } },
  });
  const secret = { kind: 'phrase', secret: phrase.value.words.join(' ') };
  expect(await page.calls['lock.revealSecret']({ passphrase: null })).toEqual({ ok: true, value: secret });
  await page.calls['clipboard.copy']({ text: secret.secret, isSecret: true });
  expect(electron.clipboard.text).toBe(secret.secret);
  await quit(electron, folder.path);
  expect(electron.clipboard.text, 'a secret does not outlive the app').toBe('');
});

test('calls of a loading page are answered', async () => {
  using folder = temporaryFolder();
  let answer: Promise<unknown> | undefined;
  const { electron, app } = start(folder.path, [], {
    hasKeyStore: false,
    pages: {
      async load(url) {
        electron.window.contents.commit(url, 'app://waxwing');
        const page = await preload(electron);
        const isAnnounced = once(electron.ipcMain, BRIDGE_CHANNEL);
        answer = page.calls['lock.state']({});
        // The page loads after the main process is informed.
        await isAnnounced;
      },
      receive: () => undefined,
    },
  });
  electron.app.becomeReady();
  await app.ready;
  expect(await answer).toMatchObject({ ok: true });
  await quit(electron, folder.path);
});

test('no dictionary is fetched before spelling is turned on', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.session.dictionaries).toEqual({ from: 'https://127.0.0.1:9/', areWanted: false });
  await quit(electron, folder.path);
});

test('a server that asks for a client certificate gets none', () => {
  using folder = temporaryFolder();
  const { electron } = start(folder.path);
  expect(electron.app.askForCertificate({ subjectName: 'Ann' } as Electron.Certificate)).toBeNull();
});

test('C4, C5: the page gets no permission, no download, and only menus of the app', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  const { session, window } = electron;
  for (const handler of [
    'permissionRequest',
    'permissionCheck',
    'devicePermission',
    'displayMedia',
  ] as const) {
    expect([handler, typeof session[handler]]).toEqual([handler, 'function']);
  }
  expect(session.download('https://a.example/a.exe')).toBe(false);
  expect(electron.applicationMenu?.roles).toContain('editMenu');
  expect(window.contents.listenerCount('context-menu')).toBe(1);
  await quit(electron, folder.path);
});
