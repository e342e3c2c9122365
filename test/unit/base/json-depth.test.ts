/** The depth of JSON texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonDeeper } from '../../../src/base/json-depth.ts';
import { isDeeper } from '../../../src/protocol/json.ts';

test('counts levels of objects and lists, without brackets in strings', () => {
  expect(isJsonDeeper('5', 0)).toBe(false);
  expect(isJsonDeeper('[]', 0)).toBe(true);
  expect(isJsonDeeper('[{"a":[]},{"b":[]}]', 3)).toBe(false);
  expect(isJsonDeeper('[{"a":[]},{"b":[]}]', 2)).toBe(true);
  expect(isJsonDeeper(String.raw`["[[[\"[[\\", "]]", "\\\\[[", "\u005b[["]`, 1)).toBe(false);
  expect(isJsonDeeper('['.repeat(1_000_000), 64)).toBe(true);
});

test('agrees with the depth of the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, levels) => {
      const text = JSON.stringify(value);
      expect(isJsonDeeper(text, levels)).toBe(isDeeper(JSON.parse(text), levels));
    }),
  );
});
