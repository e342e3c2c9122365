import { expect, test } from 'vitest';
import { escapeControls, oneLine } from '../../../src/cli/printing.ts';

test('keeps plain text', () => {
  const text = 'Grüße, 你好 👩‍👩‍👧 “so”…\n\tindented';
  expect(escapeControls(text)).toBe(text);
});

test('escapes control characters and bidirectional controls', () => {
  expect(escapeControls('\u001b[31m\u0007\b\r\u007f\u009b2J\u0000')).toBe(
    '\\u001b[31m\\u0007\\u0008\\u000d\\u007f\\u009b2J\\u0000',
  );
  expect(escapeControls('\u202a\u202e\u2066\u2069\u200e\u200f\u061c\u2028')).toBe(
    '\\u202a\\u202e\\u2066\\u2069\\u200e\\u200f\\u061c\\u2028',
  );
});

test('keeps the meaning of JSON', () => {
  let text = '';
  for (let code = 0; code < 0x2100; code++) text += String.fromCharCode(code);
  expect(JSON.parse(escapeControls(JSON.stringify({ text })))).toEqual({ text });
});

test('prints a name on one line', () => {
  expect(oneLine('Ann\n@boss\tverified')).toBe('Ann @boss verified');
});
