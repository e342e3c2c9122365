import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitPermissions } from '../../../src/main/window.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

function limitedSession() {
  const electron = new ElectronDouble();
  electron.app.becomeReady();
  limitPermissions(electron.parts.session.defaultSession);
  return electron.session;
}

type Requested = Parameters<NonNullable<ReturnType<typeof limitedSession>['permissionRequest']>>[1];
type Checked = Parameters<NonNullable<ReturnType<typeof limitedSession>['permissionCheck']>>[1];

/** Every permission that this Electron knows, from its own declarations. */
const declarations = readFileSync(
  new URL('../../../node_modules/electron/electron.d.ts', import.meta.url),
  'utf8',
);
const [, union = ''] =
  declarations.match(/setPermissionRequestHandler\(handler: [^\n]*?permission: ([^\n]*?), callback/) ?? [];
const REQUESTED = Array.from(union.matchAll(/'([^']+)'/g), ([, name]) => name as Requested);

const COPYING = 'clipboard-sanitized-write';

test('C5: the declarations name the permissions that matter', () => {
  expect(REQUESTED).toEqual(
    expect.arrayContaining([
      COPYING,
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'usb',
    ]),
  );
});

const OWN = 'app://waxwing/';
const request = { isMainFrame: true, requestingUrl: OWN };

function answerTo(permission: Requested, details: object): boolean[] {
  const { permissionRequest } = limitedSession();
  const answers: boolean[] = [];
  // The handler does not look at the page itself.
  permissionRequest?.(null as never, permission, (isGranted) => answers.push(isGranted), details as never);
  return answers;
}

function isChecked(permission: Checked, origin: string, details: object): boolean | undefined {
  return limitedSession().permissionCheck?.(null, permission, origin, details as never);
}

const REFUSED = REQUESTED.filter((permission) => permission !== COPYING);

test.each(REFUSED)('C5: refuses a page’s request for %s', (permission) => {
  expect(answerTo(permission, { ...request, mediaTypes: ['audio'] })).toEqual([false]);
  if (permission !== 'media')
    expect(answerTo(permission, { ...request, mediaTypes: ['video'] })).toEqual([false]);
});

test.each(REFUSED)('C5: a page has no permission for %s without a request', (permission) => {
  const details = { ...request, mediaType: permission === 'media' ? 'audio' : 'video' };
  expect(isChecked(permission as Checked, OWN, details)).toBe(false);
});

test('C5: allows our own page the camera for scanning, without a microphone', () => {
  expect(answerTo('media', { ...request, mediaTypes: ['video'] })).toEqual([true]);
  expect(isChecked('media', OWN, { ...request, mediaType: 'video' })).toBe(true);
  for (const mediaTypes of [['audio', 'video'], ['video', 'audio'], [], undefined]) {
    expect(answerTo('media', { ...request, mediaTypes })).toEqual([false]);
  }
});

test('C5: allows our own page to copy, and not to read what others copied', () => {
  expect(answerTo(COPYING, request)).toEqual([true]);
  expect(isChecked(COPYING, OWN, request)).toBe(true);
  expect(answerTo('clipboard-read', request)).toEqual([false]);
  expect(isChecked('clipboard-read', OWN, request)).toBe(false);
});

test.each(['https://waxwing/', 'app://waxwing.evil/', 'app://evil/', 'file:///waxwing', 'null', ''])(
  'C5: a page of %s gets no camera and does not copy',
  (origin) => {
    expect(answerTo('media', { isMainFrame: true, requestingUrl: origin, mediaTypes: ['video'] })).toEqual([
      false,
    ]);
    expect(isChecked('media', origin, { isMainFrame: true, mediaType: 'video' })).toBe(false);
    expect(answerTo(COPYING, { ...request, requestingUrl: origin })).toEqual([false]);
    expect(isChecked(COPYING, origin, request)).toBe(false);
  },
);

test('C5: a frame inside the page gets no camera and does not copy', () => {
  expect(answerTo('media', { ...request, isMainFrame: false, mediaTypes: ['video'] })).toEqual([false]);
  expect(isChecked('media', OWN, { isMainFrame: false, mediaType: 'video' })).toBe(false);
  expect(answerTo(COPYING, { ...request, isMainFrame: false })).toEqual([false]);
  expect(isChecked(COPYING, OWN, { isMainFrame: false })).toBe(false);
});

test('C4, C5: a page gets no device, no screen and no download', () => {
  const session = limitedSession();
  expect(session.devicePermission?.(null as never)).toBe(false);
  expect(session.shareScreen()).toBeNull();
  expect(session.download()).toBe(false);
});
