/** Developer code is not shipped: no part of dev/ is in the built app, from which the packages are made. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Texts that only scenes contain. */
const ONLY_IN_SCENES = ['Robin Reed', 'The last words of person'];

test('no scene is in the built app', () => {
  const out = join(root, 'out');
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
    .map((name) => join(out, name))
    .filter((file) => statSync(file).isFile());
  expect(files.length).toBeGreaterThan(10);
  const telling = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return ONLY_IN_SCENES.some((words) => text.includes(words));
  });
  expect(telling).toEqual([]);
});

test('the searched texts occur in the scenes', () => {
  const scenes = ['fake/world.ts', 'scenes/many.ts']
    .map((file) => readFileSync(join(root, 'dev', file), 'utf8'))
    .join('');
  expect(ONLY_IN_SCENES.filter((words) => !scenes.includes(words))).toEqual([]);
});
