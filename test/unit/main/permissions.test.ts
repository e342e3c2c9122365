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
  const kinds = permission === 'media' ? [[], undefined] : [['audio'], ['video']];
  for (const mediaTypes of kinds) {
    expect(answerTo(permission, { ...request, mediaTypes })).toEqual([false]);
  }
});

test.each(REFUSED)('C5: a page has no permission for %s without a request', (permission) => {
  const kinds = permission === 'media' ? ['unknown', undefined] : ['audio', 'video'];
  for (const mediaType of kinds) {
    expect(isChecked(permission as Checked, OWN, { ...request, mediaType })).toBe(false);
  }
});

test.each(['video', 'audio'])('C5: allows our own page %s, for scanning or recording', (mediaType) => {
  expect(answerTo('media', { ...request, mediaTypes: [mediaType] })).toEqual([true]);
  expect(isChecked('media', OWN, { ...request, mediaType })).toBe(true);
});

test('C5: refuses camera and microphone in one request, and unknown devices', () => {
  for (const mediaTypes of [['audio', 'video'], ['video', 'audio'], ['audio', 'audio'], ['screen']]) {
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
  'C5: a page of %s gets no camera, no microphone and does not copy',
  (origin) => {
    for (const mediaType of ['video', 'audio']) {
      const request = { isMainFrame: true, requestingUrl: origin, mediaTypes: [mediaType] };
      expect(answerTo('media', request)).toEqual([false]);
      expect(isChecked('media', origin, { isMainFrame: true, mediaType })).toBe(false);
    }
    expect(answerTo(COPYING, { ...request, requestingUrl: origin })).toEqual([false]);
    expect(isChecked(COPYING, origin, request)).toBe(false);
  },
);

test('C5: a frame inside the page gets no camera, no microphone and does not copy', () => {
  for (const mediaType of ['video', 'audio']) {
    expect(answerTo('media', { ...request, isMainFrame: false, mediaTypes: [mediaType] })).toEqual([false]);
    expect(isChecked('media', OWN, { isMainFrame: false, mediaType })).toBe(false);
  }
  expect(answerTo(COPYING, { ...request, isMainFrame: false })).toEqual([false]);
  expect(isChecked(COPYING, OWN, { isMainFrame: false })).toBe(false);
});

test('C4, C5: a page gets no device, no screen and no download but its own data', () => {
  const session = limitedSession();
  expect(session.devicePermission?.(null as never)).toBe(false);
  expect(session.shareScreen()).toBeNull();
  for (const url of [
    'https://a.example/a.exe',
    'app://waxwing/files/a',
    'blob:https://a.example/1',
    'data:,a',
  ])
    expect(session.download(url)).toBe(false);
  expect(session.download('blob:app://waxwing/1b4e28ba')).toBe(true);
});
