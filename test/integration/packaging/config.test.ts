import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { expect, test } from 'vitest';
import { UPDATE_SERVER } from '../../../src/main/updates/release-key.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const config = await getConfig(fileURLToPath(root), 'electron-builder.yml', null);

test('electron-builder takes its configuration, and would refuse a misspelt option', async () => {
  await validateConfiguration(config, new DebugLogger(false));
  const misspelt = { ...config, asarUnpak: true };
  await expect(validateConfiguration(misspelt, new DebugLogger(false))).rejects.toThrow(/asarUnpak/);
});

test('macOS gets a hardened runtime, a reason for the camera, and no more entitlements than named here', () => {
  expect(config.mac).toMatchObject({ hardenedRuntime: true, notarize: true });
  expect(config.mac).toHaveProperty(
    'extendInfo.NSCameraUsageDescription',
    expect.stringContaining('QR code'),
  );
  const keys = (path: string) => [...read(path).matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key);
  const jit = 'com.apple.security.cs.allow-jit';
  expect(keys('build/entitlements.mac.plist')).toEqual([jit, 'com.apple.security.device.camera']);
  expect(keys('build/entitlements.mac.inherit.plist')).toEqual([jit]);
});

test('on Linux windows and the entry of the menu have one name, by which docks put them together', () => {
  const { desktopName } = JSON.parse(read('package.json'));
  expect(desktopName).toBe(`${config.appId}.desktop`);
  expect(config.linux).toMatchObject({ syncDesktopName: true });
  expect(config.linux?.desktop?.entry).not.toHaveProperty('StartupWMClass');
});

test('C1: the entry by which a menu starts the AppImage leaves the sandbox on', async () => {
  const packager = { config, platformSpecificBuildOptions: config.linux, appInfo: { buildVersion: '1' } };
  const helper = { computeDesktopEntry: async (_options: unknown, exec: string) => exec };
  const path = 'app-builder-lib/out/targets/appimage/AppImageTarget.js';
  const { default: AppImageTarget } = createRequire(import.meta.url)(path);
  const target = new AppImageTarget('appImage', packager, helper, '/out');
  expect(await Reflect.get(target, 'desktopEntry').value).toBe('AppRun %U');
});

test('the uninstaller of Windows takes out what the app registers under its own names', () => {
  const script = read('build/installer.nsh');
  const [scheme] = [config.protocols].flat()[0]?.schemes ?? [];
  expect(script).toContain(`HKCU "Software\\Classes\\${scheme}"`);
  // Electron's name for what starts at login is the id that the app gives itself.
  expect(read('src/main/app.ts')).toContain(`const APP_ID = '${config.appId}';`);
  expect(script.match(/DeleteRegValue .*/g)?.every((line) => line.endsWith(`"${config.appId}"`))).toBe(true);
});

test('packages are looked for where the app asks', () => {
  expect(config.publish).toHaveProperty('url', UPDATE_SERVER);
  expect(new URL(UPDATE_SERVER).protocol).toBe('https:');
});

test('E16, V10: Electron is one version, and none from before its integrity check was mended', () => {
  const { electron } = JSON.parse(read('package.json')).devDependencies;
  // An exact one: a range would let an older one in.
  expect(electron).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Number.parseInt(electron, 10)).toBeGreaterThanOrEqual(45);
});

test.each([
  [0, 'supported'],
  [2, 'supported'],
  [3, 'no security fixes'],
  [Number.NaN, 'no security fixes'],
])('E16: a release is refused when Electron is %d major versions behind', (behind, said) => {
  const { electron } = JSON.parse(read('package.json')).devDependencies;
  const script = fileURLToPath(new URL('scripts/electron-age.mjs', root));
  const newest = `${Number.parseInt(electron, 10) + behind}.0.0`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, newest], { encoding: 'utf8' });
  expect(stdout + stderr).toContain(said);
  expect(status).toBe(said === 'supported' ? 0 : 1);
  expect(read('.github/workflows/release.yml')).toContain('node scripts/electron-age.mjs');
});
