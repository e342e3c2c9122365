import { expect, test } from 'vitest';
import { requireSecurePublicUrl } from '../../../../src/relay/settings/public-url.ts';

test.each([
  'https://relay.example',
  'http://localhost:8787',
  'http://relay.localhost',
  'http://127.0.0.1:1',
  'http://127.1.2.3',
  'http://[::1]:8787',
])('clients may know a relay as %s', (url) => {
  expect(() => requireSecurePublicUrl(url)).not.toThrow();
});

test.each([
  'http://relay.example',
  'http://10.0.0.7',
  'http://localhost.example',
  'http://127.0.0.1.example',
])('clients would be unprotected on the way to %s', (url) => {
  expect(() => requireSecurePublicUrl(url)).toThrow('would send their credentials unprotected');
});
