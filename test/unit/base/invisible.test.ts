import { expect, test } from 'vitest';
import { isBlank } from '../../../src/base/invisible.ts';
import { findTextProblem } from '../../../src/messaging/contents/text.ts';

const BLANK = [
  '',
  ' \n\t',
  '\u200b',
  '\u2060\u200d',
  '\u200f\u202e',
  '\ufe0f',
  '\u2800',
  '\u3164',
  '\u{e0041}',
  '\u0007',
];
const SEEN = [
  '.',
  '\u2764\ufe0f',
  '\u{1f3f4}\u{e0067}\u{e007f}',
  'a\u200b',
  '\u0645\u200c',
  '\u2801',
  '\u00b7',
];

test('a text without visible characters is blank, and cannot be sent', () => {
  expect(BLANK.filter((text) => !isBlank(text))).toEqual([]);
  expect(BLANK.map((text) => findTextProblem(text)?.code)).toEqual(BLANK.map(() => 'message_empty'));
});

test('a text with any visible character is not blank', () => {
  expect(SEEN.filter(isBlank)).toEqual([]);
  expect(SEEN.map(findTextProblem)).toEqual(SEEN.map(() => null));
});
