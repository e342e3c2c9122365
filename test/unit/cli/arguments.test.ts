import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { parsePort, parsePublicUrl, parseRelay } from '../../../src/cli/arguments.ts';

test.each(['0', '1', '8080', '65535'])('accepts the port %s', (text) => {
  expect(parsePort(text)).toBe(Number(text));
});

test.each(['', ' ', '-1', '65536', '80.5', '0x50', '1e3', '80 ', 'http', '٨٠'])(
  'refuses the port %j',
  (text) => {
    expect(() => parsePort(text)).toThrow(InvalidArgumentError);
  },
);

test.each([
  ['relay.example', 'https://relay.example'],
  ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['https://relay.example/', 'https://relay.example'],
])('%s is the relay at %s', (text, url) => {
  expect(parseRelay(text)).toBe(url);
});

test.each(['', 'http://relay.example', 'ftp://relay.example', 'https://', 'a b'])(
  'refuses the relay %j',
  (text) => {
    expect(() => parseRelay(text)).toThrow(InvalidArgumentError);
  },
);

test.each(['https://relay.example', 'http://10.0.0.1:8787/', 'https://RELAY.example:443'])(
  'accepts the public URL %s',
  (text) => {
    expect(parsePublicUrl(text)).toBe(new URL(text).origin);
  },
);

test.each([
  '',
  'relay.example',
  'ftp://relay.example',
  'https://relay.example/path',
  'https://relay.example/?x',
  'https://user@relay.example',
])('%j cannot', (text) => {
  expect(() => parsePublicUrl(text)).toThrow(InvalidArgumentError);
});
