/** Lines of a file to import, before they go to the engine: the browser host passes them on as JSON. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRecord } from '../../../../src/renderer/settings/storage/import-record.ts';

const nested = (levels: number) => `{"type":"message","edits":${'['.repeat(levels)}${']'.repeat(levels)}}`;

test('a record nested 20,000 levels deep, which cannot be passed on, is refused', () => {
  const text = nested(20_000);
  const deep: unknown = JSON.parse(text);
  expect(() => JSON.stringify(deep)).toThrow(RangeError);
  expect(parseRecord(text)).toBeUndefined();
});

test('a record of up to 48 levels is read, and other JSON as it is', () => {
  expect(JSON.stringify(parseRecord(nested(47)))).toBe(nested(47));
  expect(parseRecord(nested(48))).toBeUndefined();
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect(parseRecord(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test.each(['', '{', '{"a":1}]', "{'a':1}", 'undefined'])('%j is no record', (line) => {
  expect(parseRecord(line)).toBeUndefined();
});
