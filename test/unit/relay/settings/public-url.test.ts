import { expect, test } from 'vitest';
import { requireSecurePublicUrl } from '../../../../src/relay/settings/public-url.ts';

test.each([
  'https://relay.example',
  'http://localhost:8787',
  'http://relay.localhost',
  'http://127.0.0.1:1',
  'http://127.1.2.3',
  'http://[::1]:8787',
])('%s is accepted as the address of a relay', (url) => {
  expect(() => requireSecurePublicUrl(url)).not.toThrow();
});

test.each([
  'http://relay.example',
  'http://10.0.0.7',
  'http://localhost.example',
  'http://127.0.0.1.example',
])('%s is refused, because calls to it are unprotected', (url) => {
  expect(() => requireSecurePublicUrl(url)).toThrow('would send their credentials unprotected');
});
