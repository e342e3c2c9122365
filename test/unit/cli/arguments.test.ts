import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { parsePort } from '../../../src/cli/arguments.ts';

test.each(['0', '1', '8080', '65535'])('%s is a port', (text) => {
  expect(parsePort(text)).toBe(Number(text));
});

test.each(['', ' ', '-1', '65536', '80.5', '0x50', '1e3', '80 ', 'http', '٨٠'])('%j is none', (text) => {
  expect(() => parsePort(text)).toThrow(InvalidArgumentError);
});
