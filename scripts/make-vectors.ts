/**
 * Writes docs/vectors/*.json: known answers of our own format, for implementers of other languages.
 * Every input is fixed, so a second run writes the same bytes. Run it with `node scripts/make-vectors.ts`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeVectors } from '../test/support/waxwing-vectors/index.ts';

const folder = new URL('../docs/vectors/', import.meta.url);
for (const [name, content] of Object.entries(makeVectors())) {
  const file = fileURLToPath(new URL(`${name}.json`, folder));
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  console.log(file);
}
