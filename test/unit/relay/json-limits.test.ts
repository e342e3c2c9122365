import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonLimitProblem } from '../../../src/relay/http/json-limits.ts';

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1},"c":[{"x":1,"y":2,"x":3}]}',
  '{"":1,"":2}',
  ' { "a" : "\\"" , "a" : "" } ',
])('%s names a field twice', (text) => {
  expect(findJsonLimitProblem(text)).toContain('twice');
});

test.each([
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"b","b":"a"}',
  '{"a":["a","a","a"]}',
  '{"a":"\\"a\\":1,","b":"{\\"a\\":"}',
  '["\\\\","\\\\\\""]',
  '""',
  '5',
])('%s names none twice', (text) => {
  expect(findJsonLimitProblem(text)).toBeNull();
});

test('sixteen levels pass, seventeen do not, and brackets in strings are no levels', () => {
  expect(findJsonLimitProblem('['.repeat(16) + ']'.repeat(16))).toBeNull();
  expect(findJsonLimitProblem('['.repeat(17) + ']'.repeat(17))).toContain('nested');
  expect(findJsonLimitProblem('{"a":'.repeat(17))).toContain('nested');
  expect(findJsonLimitProblem(`{"a":"${'[{'.repeat(1000)}"}`)).toBeNull();
});

test('it never throws, whatever the text, and passes what JSON.stringify writes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void findJsonLimitProblem(text)));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect(findJsonLimitProblem(JSON.stringify(value))).toBeNull();
    }),
  );
});
