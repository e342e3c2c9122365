import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { openSettings } from '../../../src/host/settings-file.ts';
import { temporaryFolder } from '../../support/engine.ts';

test('stores settings in a file of the folder', () => {
  using folder = temporaryFolder();
  const file = openSettings(folder.path);
  expect({ ...file.store }).toEqual(defaultSettings);
  file.store = { ...defaultSettings, theme: 'dark' };
  expect(openSettings(folder.path).store.theme).toBe('dark');
  expect(JSON.parse(readFileSync(join(folder.path, 'settings.json'), 'utf8'))).toMatchObject({
    theme: 'dark',
  });
});

test('reports a damaged file with the remedy', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'settings.json');
  writeFileSync(file, '{ theme: dark');
  const message = `The settings in ${file} cannot be read. Correct the file, or delete it to start with the default settings.`;
  expect(() => openSettings(folder.path)).toThrow(expect.objectContaining({ code: 'settings_unreadable' }));
  expect(() => openSettings(folder.path)).toThrow(message);
});
