import { isUtf8 as nodeIsUtf8 } from 'node:buffer';
import fc, { constantFrom, integer, nat, oneof, property, string, tuple, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  decodeUtf8,
  EncodingError,
  encodeBase64Url,
  encodeTime,
  encodeU32,
  encodeU64,
  encodeUtf8,
  equalBytes,
  isBase64Url,
  isUtf8,
} from '../../../src/protocol/encoding.ts';
import { anyString } from '../../support/any-string.ts';
import { bytes, hex } from '../../support/vectors.ts';

describe('base64url', () => {
  test('agrees with Node for every content, both ways', () => {
    fc.assert(
      property(uint8Array({ maxLength: 200 }), (data) => {
        const text = encodeBase64Url(data);
        expect(text).toBe(Buffer.from(data).toString('base64url'));
        expect(hex(decodeBase64Url(text))).toBe(hex(data));
      }),
    );
  });

  test('is recognized as by the decoder', () => {
    const decodes = (text: string) => {
      try {
        decodeBase64Url(text);
        return true;
      } catch {
        return false;
      }
    };
    const nearly = fc.stringMatching(/^[A-Za-z0-9_\-=+/\n é]{0,12}$/);
    const inAlphabet = fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/);
    fc.assert(
      property(fc.oneof(nearly, inAlphabet), (text) => {
        expect(isBase64Url(text)).toBe(decodes(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('has one text for each content: decoded text encodes to itself', () => {
    fc.assert(
      property(string({ unit: 'grapheme', maxLength: 12 }), (text) => {
        let decoded: Uint8Array;
        try {
          decoded = decodeBase64Url(text);
        } catch (error) {
          expect(error).toBeInstanceOf(EncodingError);
          return;
        }
        expect(encodeBase64Url(decoded)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of one and two bytes: only canonical texts are accepted', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    let count = 0;
    for (const first of alphabet) {
      for (const second of alphabet) {
        for (const text of [first + second, `A${first}${second}`]) {
          try {
            expect(encodeBase64Url(decodeBase64Url(text))).toBe(text);
            count++;
          } catch (error) {
            expect(error).toBeInstanceOf(EncodingError);
          }
        }
      }
    }
    expect(count).toBe(256 + (64 * 64) / 4);
  });

  test.each(['A', 'AAAAA', 'AA==', 'AA=', 'AA A', 'AA\n', ' AA', 'AB', 'AAB', '+/+/', 'AÄ', 'AA\u0000A'])(
    '%j is refused',
    (text) => {
      expect(() => decodeBase64Url(text)).toThrow(EncodingError);
    },
  );
});

describe('UTF-8', () => {
  test('round-trips, with a byte order mark as an ordinary character', () => {
    const text = '\ufeffünï©ødé 🔐';
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  });

  test('is recognized as by Node', () => {
    fc.assert(
      property(anyString(), nat(), nat(255), (text, position, value) => {
        const data = encodeUtf8(text);
        expect(isUtf8(data)).toBe(true);
        const changed = data.map((byte, index) => (index === position % data.length ? value : byte));
        expect(isUtf8(changed)).toBe(nodeIsUtf8(changed));
        expect(isUtf8(data.subarray(0, -1))).toBe(nodeIsUtf8(data.subarray(0, -1)));
      }),
      { numRuns: 2_000 },
    );
    for (let lead = 0; lead < 256; lead++) {
      for (let second = 0; second < 256; second++) {
        for (const rest of ['', '80', '8080', 'bfbf']) {
          const data = Uint8Array.of(lead, second, ...bytes(rest));
          if (isUtf8(data) !== nodeIsUtf8(data)) throw new Error(`they differ about ${hex(data)}`);
        }
      }
    }
  });

  test.each(['ff', 'c080', 'eda080', 'f4908080', 'e282'])('malformed %s is refused', (digits) => {
    expect(isUtf8(bytes(digits))).toBe(false);
    expect(() => decodeUtf8(bytes(digits))).toThrow(EncodingError);
  });
});

describe('integers', () => {
  test('are big-endian', () => {
    expect(hex(encodeU32(0x0102_0304))).toBe('01020304');
    expect(hex(encodeU32(0xffff_ffff))).toBe('ffffffff');
    expect(hex(encodeU64(0x0102_0304_0506))).toBe('0000010203040506');
    expect(hex(encodeU64(Number.MAX_SAFE_INTEGER))).toBe('001fffffffffffff');
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 32])('refuses %d as u32', (value) => {
    expect(() => encodeU32(value)).toThrow(EncodingError);
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses %d as u64', (value) => {
    expect(() => encodeU64(value)).toThrow(EncodingError);
  });
});

describe('times', () => {
  test('round-trip to the millisecond', () => {
    const text = '2026-11-20T20:00:00.123Z';
    expect(encodeTime(decodeTime(text))).toBe(text);
    expect(decodeTime('1970-01-01T00:00:00.000Z')).toBe(0);
    expect(decodeTime('2028-02-29T00:00:00.000Z')).toBe(Date.UTC(2028, 1, 29));
  });

  test('are those that Date writes in the same form, and no others', () => {
    const number = (digits: number, min: number, max: number) =>
      integer({ min, max }).map((value) => String(value).padStart(digits, '0'));
    // Date.UTC reads 70 as 1970.
    const year = oneof(number(4, 0, 9999), number(4, 1960, 2100), number(4, 60, 99));
    const time = tuple(
      ...([year, number(2, 0, 13), number(2, 0, 32)] as const),
      ...([number(2, 0, 24), number(2, 0, 60), number(2, 0, 60), number(3, 0, 999)] as const),
    ).map(([y, month, day, h, min, s, ms]) => `${y}-${month}-${day}T${h}:${min}:${s}.${ms}Z`);
    const part = oneof(constantFrom('', '-', ':', '.', 'Z', ' ', '3', '٣', '３'), anyString());
    const changed = tuple(time, nat(24), nat(2), part).map(
      ([text, at, count, inserted]) => text.slice(0, at) + inserted + text.slice(at + count),
    );
    fc.assert(
      property(oneof(time, changed), (text) => {
        const date = new Date(text);
        const isTime = date.getTime() >= 0 && date.toISOString() === text;
        if (isTime) expect(decodeTime(text)).toBe(date.getTime());
        else expect(() => decodeTime(text)).toThrow(EncodingError);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '2026-11-20T20:00:00Z',
    '2026-11-20T20:00:00.000000Z',
    '2026-11-20T20:00:00.000+00:00',
    '2026-11-20 20:00:00.000Z',
    '2026-02-31T20:00:00.000Z',
    '2026-02-29T20:00:00.000Z',
    '2026-11-20T24:00:00.000Z',
    '2026-11-20T23:59:60.000Z',
    '2026-11-20t20:00:00.000z',
    '2026-11-20T20:00:00.000Z ',
    '1969-12-31T23:59:59.999Z',
    'now',
    '',
  ])('%j is refused', (text) => {
    expect(() => decodeTime(text)).toThrow(EncodingError);
  });
});

test('concatenates parts, and compares length and every byte', () => {
  expect(hex(concatBytes(bytes('01'), bytes(''), bytes('0203')))).toBe('010203');
  expect(equalBytes(bytes('0102'), bytes('0102'))).toBe(true);
  expect(equalBytes(bytes('0102'), bytes('0103'))).toBe(false);
  expect(equalBytes(bytes('0102'), bytes('010200'))).toBe(false);
});
