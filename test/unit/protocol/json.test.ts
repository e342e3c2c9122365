/** The limits of JSON texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceedsJsonLimits } from '../../../src/protocol/json.ts';

/** Levels of objects and lists of a value, by their definition. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('counts levels of objects and lists, without brackets in strings', () => {
  const isDeeper = (text: string, levels: number) => exceedsJsonLimits(text, { levels });
  expect(isDeeper('5', 0)).toBe(false);
  expect(isDeeper('[]', 0)).toBe(true);
  expect(isDeeper('[{"a":[]},{"b":[]}]', 3)).toBe(false);
  expect(isDeeper('[{"a":[]},{"b":[]}]', 2)).toBe(true);
  expect(isDeeper(String.raw`["[[[\"[[\\", "]]", "\\\\[[", "\u005b[["]`, 1)).toBe(false);
  expect(isDeeper('['.repeat(1_000_000), 64)).toBe(true);
});

test('counts objects, lists and values between commas, without commas in strings', () => {
  expect(exceedsJsonLimits('[1,2,",,,,"]', { levels: 1, values: 3 })).toBe(false);
  expect(exceedsJsonLimits('[1,2,3,4]', { levels: 1, values: 3 })).toBe(true);
  expect(exceedsJsonLimits('[[],[]]', { levels: 2, values: 3 })).toBe(true);
});

test('the depth is that of the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, levels) => {
      const text = JSON.stringify(value);
      expect(exceedsJsonLimits(text, { levels })).toBe(depthOf(JSON.parse(text)) > levels);
    }),
  );
});
