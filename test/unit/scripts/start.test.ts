import { expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { joinValues } from '../../../scripts/electron.mjs';

test.each([
  [[], []],
  [['--relay', 'https://relay.example'], ['--relay=https://relay.example']],
  [
    ['--relay', 'https://relay.example', '--data', 'D:\\waxwing', '--hidden'],
    ['--relay=https://relay.example', '--data=D:\\waxwing', '--hidden'],
  ],
  [
    ['--data=./here', 'waxwing:x'],
    ['--data=./here', 'waxwing:x'],
  ],
  // The app validates options without a value.
  [
    ['--data', '--relay'],
    ['--data', '--relay'],
  ],
  [
    ['--relay', '--data', './here'],
    ['--relay', '--data=./here'],
  ],
])('npm start passes %j on without text after an address', (args, expected) => {
  expect(joinValues(args)).toEqual(expected);
});
