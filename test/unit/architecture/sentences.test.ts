import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../src/', import.meta.url));
/** Text for a person: begins with a capital and ends with a full stop. */
const SENTENCE = /new \w*(?:Error|Failure|Refusal|Envelope)\([^()]*?(['"`])\$?\{?[A-Z][^'"`]* [^'"`]*\.\1/g;

test('every error has a code, and its sentence is in a catalogue', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(SENTENCE)].map(([text]) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
