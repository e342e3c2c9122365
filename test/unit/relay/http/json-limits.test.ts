import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkJson } from '../../../../src/relay/http/json-limits.ts';
import { anyString } from '../../../support/any-string.ts';

/** Reason why the relay refuses a text, or null. */
function problemOf(text: string, mostValues = 1_000): string | null {
  try {
    walkJson(Buffer.from(text), mostValues).next();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1},"c":[{"x":1,"y":2,"x":3}]}',
  '{"":1,"":2}',
  ' { "a" : "\\"" , "a" : "" } ',
])('%s names a field twice', (text) => {
  expect(problemOf(text)).toContain('twice');
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
  expect(problemOf(text)).toBeNull();
});

test('accepts sixteen levels and refuses seventeen, ignoring brackets in strings', () => {
  expect(problemOf('['.repeat(16) + ']'.repeat(16))).toBeNull();
  expect(problemOf('['.repeat(17) + ']'.repeat(17))).toContain('nested');
  expect(problemOf('{"a":'.repeat(17))).toContain('nested');
  expect(problemOf(`{"a":"${'[{'.repeat(1000)}"}`)).toBeNull();
});

test('never throws for any text, and accepts output of JSON.stringify', () => {
  fc.assert(fc.property(anyString(), (text) => void problemOf(text)));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/"(?:__proto__|constructor)":/.test(text));
      expect(problemOf(text, Infinity)).toBeNull();
    }),
  );
});

test('distinguishes names of one length, beginning and end, in any order of bodies', () => {
  const name = fc.constantFrom('name', 'nome', 'nae', 'nooe', 'n\\u006fme');
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), (names) => {
      const read = names.map((each) => JSON.parse(`"${each}"`));
      const text = `{${names.map((each) => `"${each}":0`).join()}}`;
      expect(problemOf(text)?.includes('twice') ?? false).toBe(new Set(read).size < names.length);
    }),
  );
});

test.each([
  '{"__proto__":{}}',
  '{"a":[{"constructor":{"prototype":{}}}]}',
  '{"\\u005f_proto__":1}',
  '{"\\u0063onstructor" : 1}',
])('%s has a name that could change a prototype', (text) => {
  expect(problemOf(text)).toContain('not JSON');
});

test.each(['["__proto__","constructor"]', '{"a":"__proto__"}'])(
  '%s has such a word as a value only',
  (text) => {
    expect(problemOf(text)).toBeNull();
  },
);

test('counts values, but not keys', () => {
  const text = '{"a":[1,true,"x",{"b":null}],"c":-1.5e3}';
  expect(problemOf(text, 8)).toBeNull();
  expect(problemOf(text, 7)).toContain('more than 7 values');
  expect(() => walkJson(Buffer.from(text), 7).next()).toThrow(expect.objectContaining({ code: 'too_large' }));
});

test.each([
  [
    'so many keys',
    `{${Array.from({ length: 33 }, (_, index) => `"${index}":0`).join()}}`,
    'more than 32 fields',
  ],
  ['so long a key', `{"${'k'.repeat(300)}":0}`, 'longer than 256 bytes'],
  ['so long a key that never ends', `{"${'k'.repeat(300)}`, 'longer than 256 bytes'],
  ['so long a number', `[${'1'.repeat(100)}]`, 'longer than 64 bytes'],
])('%s is refused before anything is parsed', (_, text, words) => {
  expect(problemOf(text)).toContain(words);
});

test('finds the end of any string, with any quotes and backslashes', () => {
  const piece = fc.constantFrom('"', '\\', 'x'.repeat(127), 'x'.repeat(128), 'y', '\n', 'é', '{', '","a":');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = JSON.stringify({ a: pieces.join(''), b: [1, 2] });
      expect(problemOf(text, 5)).toBeNull();
      expect(problemOf(text, 4)).toContain('more than 4 values');
    }),
  );
});
