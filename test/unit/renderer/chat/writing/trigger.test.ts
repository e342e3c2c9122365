import { expect, test } from 'vitest';
import { shortcodeBefore, triggerAt } from '../../../../../src/renderer/chat/writing/trigger.ts';

/** At the bar. */
const at = (marked: string, mentions: { from: number; to: number; address: string }[] = []) =>
  triggerAt({ text: marked.replace('|', ''), mentions }, marked.indexOf('|'));

test.each([
  ['@|', ''],
  ['Hello @an|', 'an'],
  ['(@an|)', 'an'],
  ['“@an|', 'an'],
  ['**@an|**', 'an'],
  ['one\n@an|\ntwo', 'an'],
  ['@ann ar|', 'ann ar'],
  ['你好@陈|', '陈'],
  ['@ann, @b|', 'b'],
])('a name is being written in %s', (marked, text) => {
  expect(at(marked)).toMatchObject({ kind: 'mention', text });
});

test.each([
  'ann@exam|',
  '@ an|',
  '@ann |',
  '@one two three four five|',
  '@a|nn',
  '`@an|',
  '```\n@an|',
  'a `b` `@an|`',
  '@one\n|',
  `@${'a'.repeat(81)}|`,
  `${'a'.repeat(96)}|`,
])('no name is being written in %j', (marked) => {
  expect(at(marked)).toBeNull();
});

test('completes names after code, and not inside of a mention', () => {
  expect(at('`a` ```\nb``` @an|')).toMatchObject({ kind: 'mention', from: 13 });
  const mention = { from: 0, to: 4, address: `0x${'a'.repeat(40)}` };
  expect(at('@ann|', [mention])).toBeNull();
  expect(at('@ann @b|', [mention])).toMatchObject({ from: 5 });
});

test('completes no name after fifty mentions', () => {
  const all = (count: number) =>
    Array.from({ length: count }, (_, place) => ({
      from: place,
      to: place + 1,
      address: `0x${'a'.repeat(40)}`,
    }));
  expect(at(`${'x'.repeat(50)} @a|`, all(49))).toMatchObject({ kind: 'mention' });
  expect(at(`${'x'.repeat(50)} @a|`, all(50))).toBeNull();
});

test.each([
  [':sm|', 'sm'],
  ['Yes :Thu|', 'thu'],
  ['(:+1|', '+1'],
  ['😄:he|', 'he'],
  ['👋🏽:he|', 'he'],
])('a shortcode is being written in %s', (marked, text) => {
  expect(at(marked)).toMatchObject({ kind: 'emoji', text });
});

test.each([':s|', 'http://ex|', 'https:ab|', '10:30|', 'a:bc|', ': ab|', ':ab |', '`:sm|', '::sm|'])(
  'completes no shortcode in %s',
  (marked) => {
    expect(at(marked)).toBeNull();
  },
);

test.each([
  [':smile:', 'smile', 0],
  ['Yes :+1:', '+1', 4],
  ['😄:Heart:', 'heart', 2],
  [':x:', 'x', 0],
])('a shortcode ends in %s', (text, code, from) => {
  expect(shortcodeBefore(text, text.length)).toEqual({ code, from });
});

test.each(['10:30:', 'http://a:80:', '`:smile:', '```\n:smile:', ':sm ile:', '::', 'a:smile:'])(
  'finds no complete shortcode in %j',
  (text) => {
    expect(shortcodeBefore(text, text.length)).toBeNull();
  },
);
