import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInterfaceFiles } from '../../../src/host/interface-files.ts';
import { temporaryFolder } from '../../support/engine.ts';

test('C3: the map contains exactly the files of a page, by their path', () => {
  using folder = temporaryFolder();
  for (const path of ['assets', '.vite', 'looks.js']) mkdirSync(join(folder.path, path));
  writeFileSync(join(folder.path, 'index.html'), '<p>Waxwing</p>');
  writeFileSync(join(folder.path, 'assets', 'index.js'), 'run()');
  writeFileSync(join(folder.path, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder.path, '.vite', 'manifest.json'), '{}');
  writeFileSync(join(folder.path, 'assets', 'index.js.map'), '{}');
  const files = readInterfaceFiles(folder.path, 'en');
  expect([...files].map(([path, { type, body }]) => [path, type, body.toString()]).sort()).toEqual([
    ['/', 'text/html; charset=utf-8', '<p>Waxwing</p>'],
    ['/assets/index.js', 'text/javascript; charset=utf-8', 'run()'],
    ['/icon.svg', 'image/svg+xml', '<svg/>'],
  ]);
});

test('refuses a folder without a page, with the remedy', () => {
  using folder = temporaryFolder();
  expect(() => readInterfaceFiles(folder.path, 'en')).toThrow(
    'The interface is not built yet. Build it with: npm run build',
  );
});

test('the page declares its language and direction, for scripts and screen readers', () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'index.html'), '<!doctype html><html lang="en"><p>Waxwing</p></html>');
  const page = readInterfaceFiles(folder.path, 'en-XB').get('/');
  expect(page?.body.toString()).toBe('<!doctype html><html lang="en-XB" dir="rtl"><p>Waxwing</p></html>');
});
