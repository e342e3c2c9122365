import { expect, test } from 'vitest';
import { escapeControls, oneLine } from '../../../src/cli/printing.ts';

test('text that is only text stays as it is', () => {
  const text = 'Grüße, 你好 👩‍👩‍👧 “so”…\n\tindented';
  expect(escapeControls(text)).toBe(text);
});

test('what steers a terminal or turns the direction of writing is written out', () => {
  expect(escapeControls('\u001b[31m\u0007\b\r\u007f\u009b2J\u0000')).toBe(
    '\\u001b[31m\\u0007\\u0008\\u000d\\u007f\\u009b2J\\u0000',
  );
  expect(escapeControls('\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028')).toBe(
    '\\u202a\\u202e\\u2066\\u2069\\u200e\\u200f\\u061c\\u2028',
  );
});

test('JSON stays the same JSON', () => {
  let text = '';
  for (let code = 0; code < 0x2100; code++) text += String.fromCharCode(code);
  expect(JSON.parse(escapeControls(JSON.stringify({ text })))).toEqual({ text });
});

test('a name is one line', () => {
  expect(oneLine('Ann\n@boss\tverified')).toBe('Ann @boss verified');
});
