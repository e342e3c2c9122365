import { hash } from 'node:crypto';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FailureCode } from '../../../../src/base/failure.ts';
import { canInstallItself } from '../../../../src/main/updates/self-install.ts';
import { eventually, temporaryFolder } from '../../../support/engine.ts';
import {
  appBytes,
  fileOf,
  manifest,
  otherKey,
  RUNNING,
  signature,
  UpdateServer,
} from '../../../support/update-server.ts';

const FILE = 'latest-linux.yml';
const UNSIGNED = 'update_unsigned';

let server: UpdateServer;
let folder: ReturnType<typeof temporaryFolder>;

beforeEach(async () => {
  folder = temporaryFolder();
  server = await UpdateServer.start();
  server.answers.set(fileOf('1.3.0'), appBytes);
  vi.stubEnv('APPIMAGE', join(folder.path, 'Waxwing.AppImage'));
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  vi.spyOn(process, 'arch', 'get').mockReturnValue('x64');
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const pending = () => join(folder.path, 'updates', 'waxwing', 'pending');
/** Files of the app that are stored on the disk. */
const downloaded = () =>
  existsSync(pending()) ? readdirSync(pending()).filter((name) => name.endsWith('.AppImage')) : [];

async function expectRefusal(code: FailureCode): Promise<void> {
  const state = await server.updates(folder.path).check();
  expect(state).toMatchObject({ phase: 'failed', version: null, problem: { code } });
  expect(downloaded()).toEqual([]);
  expect(server.plain).toEqual([]);
}

test('a newer signed release is downloaded, to be installed later', async () => {
  server.publish(manifest('1.3.0'));
  expect(await server.updates(folder.path).check()).toEqual({
    phase: 'ready',
    version: '1.3.0',
    problem: null,
    newestFrom: null,
    installs: true,
  });
  expect(readFileSync(join(pending(), fileOf('1.3.0')))).toEqual(appBytes);
});

test('C18: a request for updates does not identify its sender, and no id is stored', async () => {
  server.publish(manifest('1.3.0'));
  expect(await server.updates(folder.path).check()).toMatchObject({ phase: 'ready' });
  expect(server.requests).toEqual([FILE, `${FILE}.sig`, fileOf('1.3.0')]);
  const sent = new Map(server.headers.flatMap((each) => Object.entries(each)));
  expect(Object.fromEntries(sent)).toEqual({
    accept: '*/*',
    'cache-control': 'no-cache',
    connection: expect.any(String),
    host: expect.any(String),
    'user-agent': 'electron-builder',
  });
  expect(readdirSync(folder.path).sort()).toEqual(['releases.json', 'updates']);
});

test.each(['deb', 'rpm'] as const)(
  'a copy from a %s reports a release, and neither downloads nor installs it',
  async (installed) => {
    await using other = await UpdateServer.start(installed);
    other.publish(manifest('1.3.0', { file: `Waxwing-1.3.0-x64.${installed}` }));
    const updates = other.updates(folder.path);
    const available = {
      phase: 'available',
      version: '1.3.0',
      problem: null,
      newestFrom: null,
      installs: false,
    };
    expect(await updates.check()).toEqual(available);
    expect(await updates.check()).toEqual(available);
    expect(other.requests).toEqual([FILE, `${FILE}.sig`, FILE, `${FILE}.sig`]);
    // At quit electron-updater would ask for the password of the administrator.
    expect(other.electron.app.listenerCount('quit')).toBe(0);
  },
);

test('an AppImage in a read-only folder does not install updates', () => {
  const elsewhere = join(folder.path, 'no-such-folder');
  expect(canInstallItself('linux', true, join(folder.path, 'Waxwing.AppImage'))).toBe(true);
  expect(canInstallItself('linux', true, join(elsewhere, 'Waxwing.AppImage'))).toBe(false);
});

describe('on macOS', () => {
  const file = 'Waxwing-1.3.0-x64.zip';
  let mac: UpdateServer;

  beforeEach(async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
    mac = await UpdateServer.start('mac');
    mac.answers.set(file, appBytes);
    mac.publish(manifest('1.3.0', { file }), 'latest-mac.yml');
  });

  afterEach(() => mac[Symbol.asyncDispose]());

  test('an update is ready when the system has accepted it', async () => {
    const { autoUpdater } = mac.electron;
    expect(await mac.updates(folder.path).check()).toMatchObject({ phase: 'ready', version: '1.3.0' });
    expect(autoUpdater.fetched).toEqual(appBytes);
  });

  test.each([
    ['nobody signed', { isSigned: false }],
    ['another signed than the update', { accepts: false }],
  ])('in an app that %s it is not reported as ready, and not downloaded again', async (_what, refusal) => {
    Object.assign(mac.electron.autoUpdater, refusal);
    const updates = mac.updates(folder.path);
    const available = {
      phase: 'available',
      version: '1.3.0',
      problem: null,
      newestFrom: null,
      installs: false,
    };
    expect(await updates.check()).toEqual(available);
    expect(await updates.check()).toEqual(available);
    expect(mac.requests.filter((path) => path === file)).toHaveLength(1);
  });

  test('a download that differs from its release is reported as such', async () => {
    mac.answers.set(file, Buffer.from('another app'));
    expect(await mac.updates(folder.path).check()).toMatchObject({
      phase: 'failed',
      problem: { code: 'update_other_file' },
      installs: true,
    });
  });
});

test.each([RUNNING, '1.1.9', '1.2.0-beta.1'])(
  'version %s is not newer, and nothing is downloaded',
  async (version) => {
    server.publish(manifest(version));
    expect(await server.updates(folder.path).check()).toMatchObject({
      phase: 'current',
      newestFrom: Date.parse('2026-11-20T10:00:00.000Z'),
    });
    expect(server.requests).not.toContain(fileOf(version));
    expect(downloaded()).toEqual([]);
  },
);

test('the beta channel has a separate manifest', async () => {
  server.publish(manifest('1.3.0'), 'beta-linux.yml');
  expect(await server.updates(folder.path, 'beta').check()).toMatchObject({ phase: 'ready' });
});

test('C18, V11: a manifest with another key’s signature is refused', async () => {
  server.publish(manifest('1.3.0'));
  server.answers.set(`${FILE}.sig`, signature(FILE, manifest('1.3.0'), otherKey()));
  await expectRefusal(UNSIGNED);
});

test('C18, V11: a manifest without a signature is refused', async () => {
  server.answers.set(FILE, manifest('1.3.0'));
  await expectRefusal('update_server_unreachable');
  server.answers.set(`${FILE}.sig`, '');
  await expectRefusal('update_empty');
});

test('C18, V11: a manifest changed after signing is refused', async () => {
  server.publish(manifest('1.3.0'));
  server.answers.set(FILE, manifest('1.3.1'));
  await expectRefusal(UNSIGNED);
});

test('C18, V11: a truncated manifest is refused', async () => {
  server.publish(manifest('1.3.0'));
  server.answers.set(FILE, manifest('1.3.0').slice(0, -20));
  await expectRefusal(UNSIGNED);
});

test.each(['beta-linux.yml', 'latest-mac.yml', 'latest.yml', 'latest-linux-arm64.yml'])(
  'a manifest signed as %s is refused in another place',
  async (other) => {
    const text = manifest('1.3.0');
    server.answers.set(FILE, text);
    server.answers.set(`${FILE}.sig`, signature(other, text));
    await expectRefusal(UNSIGNED);
  },
);

test('C18, V11: a release older than a seen one is refused, although it is signed and newer than the app', async () => {
  server.publish(manifest('1.4.0', { date: '2026-12-24T00:00:00.000Z' }));
  server.answers.set(fileOf('1.4.0'), Buffer.from('not there yet'));
  await expectRefusal('update_other_file');
  server.publish(manifest('1.3.0'));
  await expectRefusal('update_older');
});

test.each([
  ['swapped', Buffer.from('another app')],
  ['truncated', appBytes.subarray(0, 5)],
  ['longer', Buffer.concat([appBytes, appBytes])],
])('C18, V11: a %s app is deleted', async (_, bytes) => {
  server.publish(manifest('1.3.0'));
  server.answers.set(fileOf('1.3.0'), bytes);
  await expectRefusal('update_other_file');
});

/** Opens files after their download has ended. */
function openSlowly(): void {
  const { open } = fs;
  const openLate = async (...args: Parameters<typeof open>) => {
    for (let turn = 0; turn < 100; turn++) await access(folder.path);
    open(...args);
  };
  vi.spyOn(fs, 'open').mockImplementation((...args: Parameters<typeof open>) => void openLate(...args));
}

test.each([
  ['another app', Buffer.from('another app'), 'update_other_file'],
  ['an interrupted one', { cut: appBytes.subarray(0, 5) }, 'update_server_unreachable'],
] as const)(
  'C18, V11: a file (%s) that a slow disk opens after the failure is deleted',
  async (_, answer, code) => {
    openSlowly();
    server.publish(manifest('1.3.0'));
    server.answers.set(fileOf('1.3.0'), answer);
    await expectRefusal(code);
    expect(fs.open).toHaveBeenCalledWith(
      expect.stringContaining(pending()),
      'w',
      expect.anything(),
      expect.anything(),
    );
    // Nothing appears later.
    for (let turn = 0; turn < 200; turn++) await access(folder.path);
    expect(downloaded()).toEqual([]);
  },
);

test('an interrupted download is deleted, and the next one starts anew', async () => {
  server.publish(manifest('1.3.0'));
  server.answers.set(fileOf('1.3.0'), { cut: appBytes.subarray(0, 5) });
  const updates = server.updates(folder.path);
  expect(await updates.check()).toMatchObject({ phase: 'failed' });
  expect(readdirSync(pending())).toEqual([]);
  server.answers.set(fileOf('1.3.0'), appBytes);
  expect(await updates.check()).toMatchObject({ phase: 'ready' });
  expect(readFileSync(join(pending(), fileOf('1.3.0')))).toEqual(appBytes);
});

test('a download whose description cannot be stored is deleted', async () => {
  server.publish(manifest('1.3.0'));
  const get = server.answers.get.bind(server.answers);
  vi.spyOn(server.answers, 'get').mockImplementation((path) => {
    if (path === fileOf('1.3.0')) mkdirSync(join(pending(), 'update-info.json'));
    return get(path);
  });
  await expectRefusal('update_server_unreachable');
  expect(readdirSync(pending())).toEqual([]);
});

/** Stores files in the folder for downloads, as an earlier start of the app that was killed. */
function leave(files: Record<string, string | Buffer>): void {
  mkdirSync(pending(), { recursive: true });
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(pending(), name), contents);
}

const infoOf = (fileName: string) => JSON.stringify({ fileName, sha512: hash('sha512', appBytes, 'base64') });

test.each([
  ['an interrupted download', { [`temp-${fileOf('1.3.0')}`]: 'the' }],
  ['a download without its description', { [fileOf('1.3.0')]: appBytes }],
  ['an incomplete description', { [fileOf('1.3.0')]: appBytes, 'update-info.json': '{"fileNa' }],
  ['a description without its file', { 'update-info.json': infoOf(fileOf('1.3.0')) }],
  ['the running version', { [fileOf(RUNNING)]: appBytes, 'update-info.json': infoOf(fileOf(RUNNING)) }],
  ['a former version', { [fileOf('1.1.0')]: appBytes, 'update-info.json': infoOf(fileOf('1.1.0')) }],
])('the next start deletes %s, without a check for updates', async (_, files) => {
  leave(files);
  server.updates(folder.path);
  await eventually(
    async () => readdirSync(pending()),
    (names) => names.length === 0,
  );
  expect(server.requests).toEqual([]);
});

test('the next start keeps a complete download of a newer version, and installs it without another', async () => {
  const complete = { [fileOf('1.3.0')]: appBytes, 'update-info.json': infoOf(fileOf('1.3.0')) };
  leave({ ...complete, [`temp-${fileOf('1.2.9')}`]: 'the' });
  server.publish(manifest('1.3.0'));
  expect(await server.updates(folder.path).check()).toMatchObject({ phase: 'ready' });
  expect(server.requests).toEqual([FILE, `${FILE}.sig`]);
  expect(readdirSync(pending()).sort()).toEqual(Object.keys(complete).sort());
});

test('two copies of the app with separate data folders do not delete each other’s downloads', async () => {
  const [one, other] = [join(folder.path, 'one'), join(folder.path, 'other')];
  for (const each of [one, other]) mkdirSync(each);
  server.publish(manifest('1.3.0'));
  expect(await server.updates(one).check()).toMatchObject({ phase: 'ready', version: '1.3.0' });
  server.answers.set(fileOf('1.4.0'), appBytes);
  server.publish(manifest('1.4.0'));
  expect(await server.updates(other).check()).toMatchObject({ phase: 'ready', version: '1.4.0' });
  const fileIn = (data: string, version: string) =>
    join(data, 'updates', 'waxwing', 'pending', fileOf(version));
  expect([existsSync(fileIn(one, '1.3.0')), existsSync(fileIn(other, '1.4.0'))]).toEqual([true, true]);
});

test('the start deletes nothing outside of the folder for downloads', async () => {
  const outside = join(folder.path, 'updates', 'waxwing', fileOf('1.3.0'));
  leave({ 'update-info.json': infoOf(`../${fileOf('1.3.0')}`) });
  writeFileSync(outside, appBytes);
  server.updates(folder.path);
  await eventually(
    async () => readdirSync(pending()),
    (names) => names.length === 0,
  );
  expect(existsSync(outside)).toBe(true);
});

test('C18, V11: a redirect to http is not followed, for the manifest and for the app', async () => {
  server.publish(manifest('1.3.0'));
  server.answers.set(fileOf('1.3.0'), { redirect: 'http://updates.example/app/copy' });
  server.answers.set('copy', appBytes);
  await expectRefusal('update_insecure');
  server.answers.set(FILE, { redirect: 'http://updates.example/app/copy' });
  await expectRefusal('update_insecure');
});

test('a redirect to another https address is followed: the hash is in the manifest', async () => {
  server.publish(manifest('1.3.0'));
  server.answers.set(fileOf('1.3.0'), { redirect: 'https://mirror.example/app/copy' });
  server.answers.set('copy', appBytes);
  expect(await server.updates(folder.path).check()).toMatchObject({ phase: 'ready' });
});

test.each([
  ['manifest', FILE],
  ['app', fileOf('1.3.0')],
])('redirects of the %s without an end are followed ten times', async (_, file) => {
  server.publish(manifest('1.3.0'));
  server.answers.set(file, { redirect: `https://updates.example/app/${file}` });
  await expectRefusal('update_server_unreachable');
  expect(server.requests.filter((path) => path === file)).toHaveLength(11);
});

test.each([
  '../../.bashrc',
  '..\\..\\evil.exe',
  '/etc/passwd',
  'https://elsewhere.example/Waxwing-1.3.0-x64.AppImage',
  'Waxwing-1.3.0-x64.AppImage;reboot',
  'Waxwing-1.3.0-$(reboot).AppImage',
  "Waxwing-1.3.0-x64'.AppImage",
  'Waxwing-1.3.0-x64.AppImage\n',
  'Waxwing-1.3.0-x64 .AppImage',
  'Waxwing-1.3.0-x64.sh',
  '%2e%2e%2fWaxwing-1.3.0-x64.AppImage',
])('C18, V11: the signed file name %j is refused', async (file) => {
  server.publish(manifest('1.3.0', { file }));
  await expectRefusal('update_unknown_form');
  expect(server.requests).toEqual([FILE, `${FILE}.sig`]);
});

test('C18: an update server without https is refused at once', async () => {
  const { SignedProvider } = await import('../../../../src/main/updates/signed-provider.ts');
  const source = { server: 'http://updates.example' } as ConstructorParameters<typeof SignedProvider>[0];
  const options = {} as ConstructorParameters<typeof SignedProvider>[2];
  expect(() => new SignedProvider(source, null, options)).toThrow('update_insecure');
});

test.each([FILE, `${FILE}.sig`])('C18: an endless %s is read up to its limit', async (file) => {
  server.publish(manifest('1.3.0'));
  server.answers.set(file, { endless: true });
  await expectRefusal('update_answer_long');
  // Socket buffers are not included.
  expect(server.endless).toBeLessThan(32 * 1024 * 1024);
});
