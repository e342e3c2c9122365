/**
 * One-time codes, what is derived from them, and the link that one opens.
 */
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { deriveLink, formatLinkCode, LINK_PREFIX, sealLink } from '../../../src/protocol/link.ts';
import { bytes, hex } from '../vectors.ts';

const COUNTING = '000102030405060708090a0b0c0d0e0f';
const SECRETS = ['00'.repeat(16), COUNTING, 'ff'.repeat(16)];
const NONCE = '101112131415161718191a1b';
const CONTENT = { relay: 'https://relay.example', secret: '11'.repeat(32) };

export function linkVectors() {
  const secret = bytes(COUNTING);
  const sealed = sealLink(secret, CONTENT, bytes(NONCE));
  const code = formatLinkCode(secret);
  const flipped = (place: number) => hex(sealed.with(place, (sealed[place] ?? 0) ^ 1));
  return {
    codes: SECRETS.map((text) => {
      const { id, key } = deriveLink(bytes(text));
      return { secret: text, code: formatLinkCode(bytes(text)), id, key: hex(key) };
    }),
    alsoRead: [
      code.toLowerCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')} `,
      LINK_PREFIX + code,
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
      code.replaceAll('1', 'I'),
    ],
    badCodes: [
      { why: 'nothing', code: '' },
      { why: 'one character is missing', code: code.slice(0, -1) },
      { why: 'one character too many', code: `${code}0` },
      { why: 'a U', code: `U${code.slice(1)}` },
      { why: 'one character is another', code: `${code.startsWith('0') ? '1' : '0'}${code.slice(1)}` },
      { why: 'the last character is another', code: code.slice(0, -1) + (code.endsWith('0') ? '1' : '0') },
    ],
    link: {
      code,
      content: CONTENT,
      nonce: NONCE,
      sealed: hex(sealed),
      request: { sealed: encodeBase64Url(sealed) },
    },
    badLinks: [
      { why: 'a bit of the nonce is another', sealed: flipped(0) },
      { why: 'a bit of the ciphertext is another', sealed: flipped(12) },
      { why: 'a bit of the tag is another', sealed: flipped(sealed.length - 1) },
      { why: 'the last byte is missing', sealed: hex(sealed.slice(0, -1)) },
      {
        why: 'sealed under another code',
        sealed: hex(sealLink(bytes('ff'.repeat(16)), CONTENT, bytes(NONCE))),
      },
    ],
  };
}
