import { expect, test } from 'vitest';
import { makeId } from '../../../src/relay/secrets.ts';

test('an id is 22 characters of base64url, and no option of a command line', () => {
  for (let round = 0; round < 2_000; round++) expect(makeId()).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/);
});
