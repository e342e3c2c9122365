import { expect, test } from 'vitest';
import { linkParts } from '../../../../src/renderer/chat/link-parts.ts';

test.each([
  ['https://example.org/', 'https://', 'example.org', '/'],
  ['https://example.org:8443/a?b=c#d', 'https://', 'example.org:8443', '/a?b=c#d'],
  [
    'https://bank.example.evil.example/bank.example',
    'https://',
    'bank.example.evil.example',
    '/bank.example',
  ],
  ['https://[::1]/', 'https://', '[::1]', '/'],
  ['mailto:ann@example.org', 'mailto:', 'ann@example.org', ''],
  ['mailto:ann@example.org?subject=a', 'mailto:', 'ann@example.org', '?subject=a'],
])('C8: %s is shown complete, with its host name emphasized', (href, before, name, after) => {
  expect(linkParts(href)).toMatchObject({ before, name, after, isDisguisable: false, namesOthers: false });
});

test('C8: shows a non-ASCII name in ASCII with a warning', () => {
  // The first letter is Cyrillic.
  const { href } = new URL('https://аpple.com/');
  expect(linkParts(href)).toMatchObject({ name: 'xn--pple-43d.com', isDisguisable: true });
  expect(linkParts('https://example.org/xn--pple-43d.com').isDisguisable).toBe(false);
});

test.each(['to', 'cc', 'bcc', 'BCC', '%62cc'])('C8: warns of another mail recipient in "%s"', (header) => {
  expect(linkParts(`mailto:ann@example.org?subject=a&${header}=eve@example.org`).namesOthers).toBe(true);
});
