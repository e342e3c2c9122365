import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { readInterfaceFiles } from '../../../src/host/interface-files.ts';
import { CONTENT_SECURITY_POLICY } from '../../../src/host/security-headers.ts';
import { appSchemeHandler } from '../../../src/main/app-scheme.ts';
import { anyString } from '../../support/any-string.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { runs } from '../../support/runs.ts';

const SECRET = 'outside of the interface';
const PAGE = '<!doctype html><html lang="en"><title>Waxwing</title>';
let settings: Settings = defaultSettings;
const shown = (appearance: string) =>
  `<!doctype html><html ${appearance} lang="en" dir="ltr"><title>Waxwing</title>`;
const USUAL = shown('data-theme="system" data-text-size="100" data-density="comfortable"');

/** A handler over a folder that contains secrets and has others beside it. */
function handlerOver(folder: string) {
  const built = join(folder, 'renderer');
  mkdirSync(join(built, 'assets'), { recursive: true });
  mkdirSync(join(built, '.vite'));
  writeFileSync(join(built, 'index.html'), PAGE);
  writeFileSync(join(built, 'assets', 'index-1a2b.js'), 'export {};');
  writeFileSync(join(built, 'assets', 'index-1a2b.js.map'), SECRET);
  writeFileSync(join(built, '.vite', 'manifest.json'), SECRET);
  writeFileSync(join(folder, 'database.key'), SECRET);
  writeFileSync(join(folder, 'secret.js'), SECRET);
  return appSchemeHandler(readInterfaceFiles(built, 'en'), () => settings);
}

test('C3: the page and its files are served with their types and the security headers', async () => {
  using folder = temporaryFolder();
  const handle = handlerOver(folder.path);
  const page = handle(new Request('app://waxwing/'));
  expect(page.status).toBe(200);
  expect(await page.text()).toBe(USUAL);
  expect(Object.fromEntries(page.headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), microphone=(self), geolocation=()',
  });
  const script = handle(new Request('app://waxwing/assets/index-1a2b.js?v=1#part'));
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await script.text()).toBe('export {};');
});

test('the page has the appearance of the settings at its loading', async () => {
  using folder = temporaryFolder();
  const handle = handlerOver(folder.path);
  settings = { ...defaultSettings, theme: 'dark', textSize: 200, density: 'compact' };
  const page = handle(new Request('app://waxwing/'));
  settings = defaultSettings;
  expect(await page.text()).toBe(shown('data-theme="dark" data-text-size="200" data-density="compact"'));
});

test('C2: the policy allows only the interface itself', () => {
  const directives = Object.fromEntries(
    CONTENT_SECURITY_POLICY.split('; ').map((text) => [text.split(' ')[0], text.split(' ').slice(1)]),
  );
  expect(directives).toMatchObject({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-src': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  });
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|http:|https:|data:|\*/);
});

test('C3: HEAD has no body; other methods are refused', async () => {
  using folder = temporaryFolder();
  const handle = handlerOver(folder.path);
  const head = handle(new Request('app://waxwing/', { method: 'HEAD' }));
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const refused = handle(new Request('app://waxwing/', { method }));
    expect([method, refused.status, await refused.text()]).toEqual([method, 405, '']);
    expect(refused.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
  }
});

test('C3: another host serves nothing', () => {
  using folder = temporaryFolder();
  const handle = handlerOver(folder.path);
  const urls = [
    'app://waxwing.evil/',
    'app://evil/',
    'app://waxwing:80/',
    'app://waxwing./',
    'app://',
    'app:///',
    'app:/',
    'file:///index.html',
    'https://waxwing/',
    'xapp://waxwing/',
  ];
  for (const url of urls) expect([url, handle(new Request(url)).status]).toEqual([url, 404]);
});

const HOSTILE = [
  '/../database.key',
  '/../secret.js',
  '/assets/../../secret.js',
  '/%2e%2e/secret.js',
  '/%2e%2e%2fsecret.js',
  '/..%2fsecret.js',
  '/..%5csecret.js',
  '/..\\secret.js',
  '/%252e%252e/secret.js',
  '/..%c0%afsecret.js',
  '/%00',
  '/index.html%00.js',
  '/.vite/manifest.json',
  '/assets/index-1a2b.js.map',
  '/assets/',
  '/assets',
  '//secret.js',
  '/C:/secret.js',
  '/constructor',
  '/__proto__',
  '/index.html',
];

test('C3: no path leaves the interface', async () => {
  using folder = temporaryFolder();
  const handle = handlerOver(folder.path);
  for (const path of HOSTILE) {
    const response = handle(new Request(`app://waxwing${path}`));
    expect([path, response.status, await response.text()]).toEqual([path, 404, '']);
  }
});

test('C3: every answer is a file of the interface or 404', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  using folder = temporaryFolder();
  const handle = handlerOver(folder.path);
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2E.',
      '%5c',
      '%2f',
      '\\',
      '%00',
      '~',
      'assets',
      'secret.js',
      'index.html',
    ),
    fc.constantFrom('index-1a2b.js', 'index-1a2b.js.map', 'database.key', '.vite', 'manifest.json', ''),
    anyString(),
  );
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`);
  const allowed = new Set([USUAL, 'export {};']);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(path, async (text) => {
      if (!URL.canParse(`app://waxwing${text}`)) return;
      const response = handle(new Request(`app://waxwing${text}`));
      if (response.status === 200) {
        found += 1;
        expect(allowed).toContain(await response.text());
      } else expect(response.status).toBe(404);
    }),
    { numRuns: runs({ quick: 5_000, all: 100_000, nightly: 100_000 }) },
  );
  // A generator that never reaches a file would prove nothing.
  expect(found).toBeGreaterThan(10);
});
