import fc, { boolean, constantFrom, integer, nat, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importX25519, randomBytes } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { newRandomness, OpenError, openCopy, sealCopy } from '../../../src/protocol/envelope.ts';
import {
  findShapeFault,
  HEADER_BYTES,
  readHeader,
  readSuite,
  type SealedCopy,
} from '../../../src/protocol/envelope-form.ts';
import { isBucket, pad } from '../../../src/protocol/padding.ts';
import { hybridPublicKey, importHybrid } from '../../../src/protocol/x-wing.ts';
import { sealPadded } from '../../support/seal-padded.ts';
import { bytes, hex } from '../../support/vectors.ts';

const route = { from: `0x${'1a'.repeat(20)}`, to: `0x${'2b'.repeat(20)}` };
const header = { asRequest: false, automated: true, senderListSequence: 3, recipientListSequence: 7 };
const payload = encodeUtf8('a payload');
const sealKey = importX25519(bytes('77'.repeat(32)));

/** Error of opening, reduced to observable differences; null if it opens. */
function failure(attempt: () => unknown) {
  try {
    attempt();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(OpenError);
    const { name, message, cause } = error as OpenError;
    return { name, message, cause };
  }
}

const THE_ONE_FAILURE = {
  name: 'OpenError',
  message: 'this envelope cannot be opened',
  cause: undefined,
};

test('round-trips payloads of any size with every header', () => {
  const anyHeader = record({
    asRequest: boolean(),
    automated: boolean(),
    senderListSequence: nat(0xffff_ffff),
    recipientListSequence: nat(0xffff_ffff),
  });
  fc.assert(
    property(integer({ min: 0, max: 65_535 }), anyHeader, (size, given) => {
      const data = randomBytes(size);
      const copy = sealCopy(route, sealKey.publicKey, given, data);
      expect(findShapeFault(copy, given.asRequest)).toBeNull();
      const opened = openCopy(route, sealKey, copy, given.asRequest);
      expect(opened.header).toEqual(given);
      expect(hex(opened.payload) === hex(data)).toBe(true);
    }),
    {
      numRuns: 25,
      examples: [
        [0, header],
        [65_535, header],
      ],
    },
  );
});

describe('opening', () => {
  const sealed = sealCopy(route, sealKey.publicKey, header, payload);
  const open = (copy: SealedCopy, at = route, asRequest = false, key = sealKey) =>
    openCopy(at, key, copy, asRequest);

  test('succeeds for a sealed copy', () => {
    expect(hex(open(sealed).payload)).toBe(hex(payload));
  });

  test('fails with the same error for every changed byte of every field', () => {
    const field = constantFrom('ciphertext', 'ephemeralPublicKey', 'nonce', 'from', 'to');
    fc.assert(
      property(field, nat(), integer({ min: 1, max: 255 }), (name, position, change) => {
        const changed = (data: Uint8Array) =>
          data.map((byte, index) => (index === position % data.length ? byte ^ change : byte));
        const attempt =
          name === 'from' || name === 'to'
            ? () => open(sealed, { ...route, [name]: `0x${hex(changed(bytes(route[name])))}` })
            : () => open({ ...sealed, [name]: changed(sealed[name]) });
        expect(failure(attempt)).toEqual(THE_ONE_FAILURE);
      }),
      { numRuns: 400 },
    );
  });

  test('fails for each byte of the header and of the tag', () => {
    const { length } = sealed.ciphertext;
    const headerAndTag = Array.from({ length }, (_, index) => index).filter(
      (index) => index < HEADER_BYTES || index >= length - 16,
    );
    for (const position of headerAndTag) {
      const ciphertext = Uint8Array.from(sealed.ciphertext);
      ciphertext[position] = (ciphertext[position] ?? 0) ^ 0x01;
      expect(
        failure(() => open({ ...sealed, ciphertext })),
        `byte ${position}`,
      ).toEqual(THE_ONE_FAILURE);
    }
  });

  const other = importX25519(bytes('88'.repeat(32)));
  const lowOrder = bytes('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800');
  test.each<[string, () => unknown]>([
    ['asRequest beside it is another', () => open(sealed, route, true)],
    ['the route is turned round', () => open(sealed, { from: route.to, to: route.from })],
    ['an address is not one', () => open(sealed, { ...route, from: 'nobody' })],
    ['the key is of another device', () => open(sealed, route, false, other)],
    ['nothing is there', () => open({ ...sealed, ciphertext: new Uint8Array(0) })],
    ['the tag is cut', () => open({ ...sealed, ciphertext: sealed.ciphertext.subarray(0, -1) })],
    ['a byte is added', () => open({ ...sealed, ciphertext: concatBytes(sealed.ciphertext, bytes('00')) })],
    ['the nonce is longer', () => open({ ...sealed, nonce: new Uint8Array(16) })],
    ['the ephemeral key is zero', () => open({ ...sealed, ephemeralPublicKey: new Uint8Array(32) })],
    ['the ephemeral key has low order', () => open({ ...sealed, ephemeralPublicKey: lowOrder })],
    [
      'the ephemeral key is not canonical',
      () => open({ ...sealed, ephemeralPublicKey: sealed.ephemeralPublicKey.with(31, 0xff) }),
    ],
  ])('fails in the same way when %s', (_why, attempt) => {
    expect(failure(attempt)).toEqual(THE_ONE_FAILURE);
  });

  test('fails with the same error for non-canonical padding under a right tag', () => {
    // A sender who pads 9 bytes to 512 instead of 256.
    const padded = concatBytes(pad(payload), new Uint8Array(256));
    const head = sealed.ciphertext.subarray(0, HEADER_BYTES);
    const copy = sealPadded(route, sealKey.publicKey, head, padded, newRandomness());
    expect(isBucket(copy.ciphertext.length - 28)).toBe(true);
    expect(failure(() => open(copy))).toEqual(THE_ONE_FAILURE);
  });
});

test('every copy has its own ephemeral key and nonce', () => {
  const made = Array.from({ length: 20 }, () => newRandomness());
  expect(new Set(made.map(({ ephemeral }) => hex(ephemeral.publicKey))).size).toBe(20);
  expect(new Set(made.map(({ nonce }) => hex(nonce))).size).toBe(20);
});

describe('data visible to a relay', () => {
  const copy = sealCopy(route, sealKey.publicKey, header, payload);
  const withHeaderByte = (index: number, value: number) => ({
    ...copy,
    ciphertext: copy.ciphertext.with(index, value),
  });

  test('is the header', () => {
    expect(readHeader(copy.ciphertext)).toEqual(header);
    expect(readHeader(copy.ciphertext.subarray(0, 11))).toBeNull();
  });

  test.each<[string, SealedCopy, boolean, string]>([
    ['a nonce of 11 bytes', { ...copy, nonce: new Uint8Array(11) }, false, 'nonce'],
    ['a key of 31 bytes', { ...copy, ephemeralPublicKey: new Uint8Array(31) }, false, 'ephemeral_key'],
    [
      'a length between buckets',
      { ...copy, ciphertext: copy.ciphertext.subarray(0, -1) },
      false,
      'ciphertext_length',
    ],
    ['an unknown version', withHeaderByte(0, 2), false, 'header'],
    ['an unknown suite', withHeaderByte(1, 3), false, 'header'],
    ['the length of the other suite', withHeaderByte(1, 2), false, 'hybrid_ciphertext_length'],
    ['an unknown flag', withHeaderByte(2, 4), false, 'header'],
    ['a reserved byte that is set', withHeaderByte(3, 1), false, 'header'],
    ['another asRequest', copy, true, 'request_flag'],
    [
      'readable text where the sealed part should be',
      { ...copy, ciphertext: concatBytes(copy.ciphertext.subarray(0, 12), bytes('41'.repeat(272))) },
      false,
      'readable',
    ],
  ])('shows %s', (_what, wrong, asRequest, fault) => {
    expect(findShapeFault(wrong, asRequest)).toBe(fault);
  });
});

test('refuses a recipient key of low order and a too long payload before sealing', () => {
  const zero = new Uint8Array(32);
  expect(() => sealCopy(route, zero, header, payload)).toThrow('not a seal key');
  expect(() => sealCopy(route, sealKey.publicKey, header, new Uint8Array(65_536))).toThrow(RangeError);
});

describe('in suite 2', () => {
  const key = importHybrid(randomBytes(32));
  const copy = sealCopy(route, hybridPublicKey(key), header, payload);

  test('round-trips payloads of any size with every header', () => {
    for (const size of [0, 1, 255, 256, 4_096, 65_535]) {
      const data = randomBytes(size);
      const sealed = sealCopy(route, hybridPublicKey(key), header, data);
      expect(findShapeFault(sealed, false)).toBeNull();
      expect(hex(openCopy(route, key, sealed, false).payload) === hex(data)).toBe(true);
    }
    expect(copy.ciphertext.length).toBe(12 + 1_088 + 256 + 16);
    expect(readSuite(copy.ciphertext)).toBe(2);
    expect(readHeader(copy.ciphertext)).toEqual(header);
  });

  test('opens with a hybrid key a copy sealed for its X25519 half', () => {
    const classic = sealCopy(route, key.x25519.publicKey, header, payload);
    expect(readSuite(classic.ciphertext)).toBe(1);
    expect(hex(openCopy(route, key, classic, false).payload)).toBe(hex(payload));
  });

  test('does not open with only the X25519 half', () => {
    expect(() => openCopy(route, key.x25519, copy, false)).toThrow(OpenError);
  });

  test('does not open with any changed byte', () => {
    for (let position = 4; position < copy.ciphertext.length; position += 7) {
      const byte = (copy.ciphertext[position] ?? 0) ^ 0x10;
      const changed = { ...copy, ciphertext: copy.ciphertext.with(position, byte) };
      expect(() => openCopy(route, key, changed, false), `byte ${position}`).toThrow(OpenError);
    }
  });

  test('detects readable text after the ML-KEM ciphertext', () => {
    const text = bytes('41'.repeat(272));
    const hiding = { ...copy, ciphertext: concatBytes(copy.ciphertext.subarray(0, 12 + 1_088), text) };
    expect(findShapeFault(hiding, false)).toBe('readable');
  });

  test('refuses an invalid key in either half', () => {
    const good = hybridPublicKey(key);
    const classic = { ...good, x25519: new Uint8Array(32) };
    expect(() => sealCopy(route, classic, header, payload)).toThrow('not a seal key');
    const lattice = { ...good, mlKem: Uint8Array.from(good.mlKem).fill(0xff, 0, 3) };
    expect(() => sealCopy(route, lattice, header, payload)).toThrow();
  });
});
