import { expect, test } from 'vitest';
import { nextItem } from '../../../../../src/renderer/chat/writing/next-item.ts';

/** The text after a new line at the bar, or in place of the part in brackets; null where it is a plain new line. */
function afterNewLine(marked: string): string | null {
  const text = marked.replace(/[[\]|]/g, '');
  const from = marked.search(/[[|]/);
  const to = marked.includes('|') ? from : marked.indexOf(']') - 1;
  const edit = nextItem({ text, from, to });
  return edit && `${text.slice(0, edit.from)}${edit.put}|${text.slice(edit.to)}`;
}

test.each([
  ['- milk|', '- milk\n- |'],
  ['* milk|', '* milk\n* |'],
  ['•  milk|', '•  milk\n•  |'],
  ['before\n- milk|\nafter', 'before\n- milk\n- |\nafter'],
  ['1. milk|', '1. milk\n2. |'],
  ['9) milk|', '9) milk\n10) |'],
  ['999999999. milk|', '999999999. milk\n999999999. |'],
  ['- one\n  - two|', '- one\n  - two\n  - |'],
  ['> - milk|', '> - milk\n> - |'],
  ['- mi|lk', '- mi\n- |lk'],
  ['- |milk', '- \n- |milk'],
  ['- m[il]k', '- m\n- |k'],
  ['- one[\n- two]', '- one\n- |'],
])('a new line in a list begins the next item: %j', (before, after) => {
  expect(afterNewLine(before)).toBe(after);
});

test.each([
  ['- milk\n- |', '- milk\n|'],
  ['1. milk\n2. |\nafter', '1. milk\n|\nafter'],
  ['- one\n  - |', '- one\n|'],
  ['> - one\n> - |', '> - one\n> |'],
  ['-   |', '|'],
])('a new line in an empty item ends the list: %j', (before, after) => {
  expect(afterNewLine(before)).toBe(after);
});

test.each([
  'milk|',
  '-milk|',
  '-|',
  '|- milk',
  '-| milk',
  '- milk\nafter|',
  '```\n- milk|\n```',
  '2026 was|',
])('a new line outside of an item is a new line: %j', (before) => {
  expect(afterNewLine(before)).toBeNull();
});
