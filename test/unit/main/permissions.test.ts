import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { denyPermissions } from '../../../src/main/window.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

function deniedSession() {
  const electron = new ElectronDouble();
  electron.app.becomeReady();
  denyPermissions(electron.parts.session.defaultSession);
  return electron.session;
}

type Requested = Parameters<NonNullable<ReturnType<typeof deniedSession>['permissionRequest']>>[1];
type Checked = Parameters<NonNullable<ReturnType<typeof deniedSession>['permissionCheck']>>[1];

/** Every permission that this Electron knows, from its own declarations. */
const declarations = readFileSync(
  new URL('../../../node_modules/electron/electron.d.ts', import.meta.url),
  'utf8',
);
const [, union = ''] =
  declarations.match(/setPermissionRequestHandler\(handler: [^\n]*?permission: ([^\n]*?), callback/) ?? [];
const REQUESTED = Array.from(union.matchAll(/'([^']+)'/g), ([, name]) => name as Requested);

test('the declarations name the permissions that matter', () => {
  expect(REQUESTED).toEqual(
    expect.arrayContaining(['media', 'geolocation', 'notifications', 'openExternal', 'usb']),
  );
});

test.each(REQUESTED)('a page that asks for %s is refused', (permission) => {
  const { permissionRequest } = deniedSession();
  const answers: boolean[] = [];
  // The handler looks at neither the page nor the details.
  permissionRequest?.(null as never, permission, (isGranted) => answers.push(isGranted), null as never);
  expect(answers).toEqual([false]);
});

test.each(REQUESTED)('a page that has not asked has no permission for %s', (permission) => {
  const { permissionCheck } = deniedSession();
  expect(permissionCheck?.(null, permission as Checked, 'app://waxwing', null as never)).toBe(false);
});

test('a page gets no device and no screen', () => {
  const { devicePermission, displayMedia } = deniedSession();
  expect(devicePermission?.(null as never)).toBe(false);
  const streams: unknown[] = [];
  displayMedia?.(null as never, (given) => streams.push(given));
  expect(streams).toEqual([{}]);
});
