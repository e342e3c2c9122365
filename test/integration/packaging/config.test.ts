import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { Arch, DebugLogger } from 'builder-util';
import { afterEach, expect, test, vi } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { withoutEmptySigning } from '../../../scripts/signing.mjs';
import { UPDATE_SERVER } from '../../../src/main/updates/release-key.ts';
import { temporaryFolder } from '../../support/engine.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const config = await getConfig(fileURLToPath(root), 'electron-builder.yml', null);
/** A module of electron-builder that its package does not export. */
const builderModule = (path: string) => createRequire(import.meta.url)(`app-builder-lib/out/${path}`);

afterEach(() => vi.unstubAllEnvs());

test('electron-builder accepts its configuration, and would refuse a misspelt option', async () => {
  await validateConfiguration(config, new DebugLogger(false));
  const misspelt = { ...config, asarUnpak: true };
  await expect(validateConfiguration(misspelt, new DebugLogger(false))).rejects.toThrow(/asarUnpak/);
});

test('macOS gets a hardened runtime, a mark on saved files, reasons for camera and microphone, and only the listed entitlements', () => {
  expect(config.mac).toMatchObject({ hardenedRuntime: true, notarize: true });
  expect(config.mac).toHaveProperty(
    'extendInfo.NSCameraUsageDescription',
    expect.stringContaining('QR code'),
  );
  expect(config.mac).toHaveProperty(
    'extendInfo.NSMicrophoneUsageDescription',
    expect.stringContaining('voice message'),
  );
  expect(config.mac).toHaveProperty('extendInfo.LSFileQuarantineEnabled', true);
  const keys = (path: string) => [...read(path).matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key);
  const jit = 'com.apple.security.cs.allow-jit';
  const devices = ['com.apple.security.device.camera', 'com.apple.security.device.audio-input'];
  expect(keys('build/entitlements.mac.plist')).toEqual([jit, ...devices]);
  expect(keys('build/entitlements.mac.inherit.plist')).toEqual([jit]);
});

test('on Linux windows and the menu entry have one name, so that docks group them', () => {
  const { desktopName } = JSON.parse(read('package.json'));
  expect(desktopName).toBe(`${config.appId}.desktop`);
  expect(config.linux).toMatchObject({ syncDesktopName: true });
  expect(config.linux?.desktop?.entry).not.toHaveProperty('StartupWMClass');
});

test('C1: the menu entry of the AppImage keeps the sandbox on', async () => {
  const packager = { config, platformSpecificBuildOptions: config.linux, appInfo: { buildVersion: '1' } };
  const helper = { computeDesktopEntry: async (_options: unknown, exec: string) => exec };
  const { default: AppImageTarget } = builderModule('targets/appimage/AppImageTarget.js');
  const target = new AppImageTarget('appImage', packager, helper, '/out');
  expect(await Reflect.get(target, 'desktopEntry').value).toBe('AppRun %U');
});

// The tool that packs is a script with a shebang here; electron-builder downloads the real one when it packs.
test.skipIf(process.platform === 'win32')(
  'the AppImage begins with a runtime with its own FUSE, and is packed for it',
  async () => {
    using folder = temporaryFolder();
    const tools = join(folder.path, 'tools');
    const stageDir = join(folder.path, 'stage');
    const appDir = join(folder.path, 'app');
    // Contents of the archive of tool set 1.0.3, without the older one.
    for (const path of [join(tools, 'lib/x64'), join(tools, 'runtimes'), stageDir, appDir])
      mkdirSync(path, { recursive: true });
    writeFileSync(join(tools, 'runtimes/runtime-x64'), 'a static runtime');
    writeFileSync(join(tools, 'desktop-file-validate'), '');
    const mksquashfs = '#!/bin/sh\nprintf "0123456789012345squashed: " > "$2"; echo "$@" >> "$2"\n';
    writeFileSync(join(tools, 'mksquashfs'), mksquashfs, { mode: 0o755 });
    vi.stubEnv('APPIMAGE_TOOLS_PATH', tools);
    const { getAppImageTools } = builderModule('toolsets/linux.js');
    const { buildStaticRuntimeAppImage } = builderModule('targets/appimage/appImageUtil.js');
    const version = config.toolsets?.appimage;
    expect(version).toBe('1.0.3');
    expect(await getAppImageTools(version, Arch.x64)).toMatchObject({
      mksquashfs: join(tools, 'mksquashfs'),
    });
    const output = join(folder.path, 'Waxwing.AppImage');
    const icons = [{ file: fileURLToPath(new URL('build/icons/16x16.png', root)), size: 16 }];
    const options = { productName: 'Waxwing', productFilename: 'Waxwing', executableName: 'waxwing' };
    await buildStaticRuntimeAppImage(version, {
      ...{ appDir, stageDir, output, arch: Arch.x64 },
      options: { ...options, desktopEntry: '', icons, compression: 'zstd' },
    });
    const written = readFileSync(output, 'latin1');
    expect(written).toMatch(/^a static runtimesquashed: /);
    expect(written).toContain(`${stageDir} ${output} -offset 16 -all-root -noappend`);
    expect(written).toContain('-comp zstd');
  },
);

test('deb and rpm are made with any origin of the checkout: the homepage is ours', async () => {
  const { default: FpmTarget } = builderModule('targets/FpmTarget.js');
  const { AppInfo } = builderModule('appInfo.js');
  const metadata = JSON.parse(read('package.json'));
  const info = { metadata, devMetadata: metadata, repositoryInfo: Promise.resolve(null) };
  const appInfo = Object.assign(Object.create(AppInfo.prototype), { info });
  Object.defineProperty(appInfo, 'linuxPackageName', { value: metadata.name });
  const target = Object.assign(Object.create(FpmTarget.prototype), {
    packager: { appInfo, info },
    options: config.linux,
  });
  expect(await target.checkOptions()).toMatchObject({ url: metadata.homepage, vendor: 'Waxwing' });
  expect(new URL(metadata.homepage).protocol).toBe('https:');
});

test('a missing certificate is removed from the environment, because electron-builder reads an empty one as a path', () => {
  const { PlatformPackager } = builderModule('platformPackager.js');
  const packager = { info: { config }, platformSpecificBuildOptions: config.mac };
  const link = () => PlatformPackager.prototype.getCscLink.call(packager);
  vi.stubEnv('CSC_LINK', '');
  expect(link()).toBe('');
  vi.stubEnv('CSC_LINK', withoutEmptySigning({ CSC_LINK: '' }).CSC_LINK);
  expect(link() ?? null).toBeNull();
});

test('only empty signing variables are removed', () => {
  const kept = {
    PATH: '',
    CSC_LINK: 'a.p12',
    APPLE_ID: 'ann@example.org',
    CSC_IDENTITY_AUTO_DISCOVERY: 'false',
  };
  const left = { CSC_KEY_PASSWORD: '', WIN_CSC_LINK: ' ', APPLE_TEAM_ID: '' };
  expect(withoutEmptySigning({ ...kept, ...left })).toEqual(kept);
});

test('the uninstaller of Windows removes the app’s registrations under its own names', () => {
  const script = read('build/installer.nsh');
  const [scheme] = [config.protocols].flat()[0]?.schemes ?? [];
  expect(script).toContain(`HKCU "Software\\Classes\\${scheme}"`);
  // Electron's name for the program started at login is the id that the app sets.
  const app = read('src/main/app.ts');
  expect(app).toContain(`installed: '${config.appId}'`);
  const [, activator] = /installed: '(\{[0-9A-F-]{36}\})'/.exec(app) ?? [];
  expect(script).toContain(`HKCU "Software\\Classes\\CLSID\\${activator}"`);
  expect(script.match(/DeleteRegValue .*/g)?.every((line) => line.endsWith(`"${config.appId}"`))).toBe(true);
});

test('packages are fetched from the address that the app uses', () => {
  expect(config.publish).toHaveProperty('url', UPDATE_SERVER);
  expect(new URL(UPDATE_SERVER).protocol).toBe('https:');
});

test('E16, V10: Electron has one version, and none from before its integrity check was fixed', () => {
  const { electron } = JSON.parse(read('package.json')).devDependencies;
  // An exact one: a range would allow an older one.
  expect(electron).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Number.parseInt(electron, 10)).toBeGreaterThanOrEqual(45);
});

test.each([
  [0, 'supported'],
  [2, 'supported'],
  [3, 'no security fixes'],
  [Number.NaN, 'no security fixes'],
])('E16: a release is refused when Electron is %d major versions behind', (behind, sentence) => {
  const { electron } = JSON.parse(read('package.json')).devDependencies;
  const script = fileURLToPath(new URL('scripts/electron-age.mjs', root));
  const newest = `${Number.parseInt(electron, 10) + behind}.0.0`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, newest], { encoding: 'utf8' });
  expect(stdout + stderr).toContain(sentence);
  expect(status).toBe(sentence === 'supported' ? 0 : 1);
  expect(read('.github/workflows/release.yml')).toContain('node scripts/electron-age.mjs');
});
