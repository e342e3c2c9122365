import fc, { integer, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { isBucket, MAX_PAYLOAD_BYTES, pad, unpad } from '../../../src/protocol/padding.ts';

test.each([
  [0, 256],
  [255, 256],
  [256, 512],
  [511, 512],
  [512, 1024],
  [1023, 1024],
  [1024, 2048],
  [2047, 2048],
  [2048, 4096],
  [4095, 4096],
  [4096, 4352], // Padmé: exponent 12 has 4 significant bits, so steps of 256
  [4351, 4352],
  [8191, 8192],
  [8192, 8704], // exponent 13: steps of 512
  [65_535, 65_536],
])('a payload of %i bytes is padded to %i', (length, padded) => {
  expect(pad(new Uint8Array(length)).length).toBe(padded);
});

test('removes the padding of any payload, at most an eighth above 4096 bytes', () => {
  fc.assert(
    property(integer({ min: 0, max: MAX_PAYLOAD_BYTES }), integer({ min: 0, max: 255 }), (length, fill) => {
      const payload = new Uint8Array(length).fill(fill);
      const padded = pad(payload);
      expect(isBucket(padded.length)).toBe(true);
      expect(Buffer.compare(unpad(padded) ?? Buffer.of(1), payload)).toBe(0);
      if (length > 4096) expect(padded.length).toBeLessThanOrEqual(length * 1.125);
    }),
  );
});

test('refuses every other form of padding', () => {
  const padded = pad(Uint8Array.of(1, 2, 3));
  expect(unpad(padded.with(200, 1))).toBeNull();
  expect(unpad(padded.with(3, 0x81))).toBeNull();
  expect(unpad(padded.with(3, 0))).toBeNull();
  expect(unpad(new Uint8Array(256))).toBeNull();
  expect(unpad(new Uint8Array(0))).toBeNull();
  expect(unpad(padded.subarray(0, 255))).toBeNull();
  const tooLarge = new Uint8Array(512);
  tooLarge.set(padded);
  expect(unpad(tooLarge)).toBeNull();
});

test('recognizes exactly the padded lengths', () => {
  const buckets = new Set<number>();
  for (let length = 0; length <= MAX_PAYLOAD_BYTES; length += 1) {
    if (length % 256 === 0 || length % 256 === 255) buckets.add(pad(new Uint8Array(length)).length);
  }
  fc.assert(
    property(nat(70_000), (length) => {
      expect(isBucket(length)).toBe(buckets.has(length));
    }),
    { numRuns: 2_000, examples: [[0], [1], [255], [256], [257], [65_536], [65_537]] },
  );
});

test('refuses a too long payload', () => {
  expect(() => pad(new Uint8Array(MAX_PAYLOAD_BYTES + 1))).toThrow(RangeError);
});
