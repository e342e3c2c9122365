/** The faults of the chaos check are changes of the relay's source: each changed place must exist, once. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHANGES } from '../../support/chaos/mutants.ts';

test.each(CHANGES)('the source contains the place of a planted fault: $file', ({ file, from }) => {
  const source = readFileSync(new URL(`../../../src/relay/${file}`, import.meta.url), 'utf8');
  expect(source.split(from)).toHaveLength(2);
});
