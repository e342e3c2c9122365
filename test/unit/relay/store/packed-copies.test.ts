import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packCopies, unpackCopies } from '../../../../src/relay/store/sqlite/packed-copies.ts';

const bytes = fc.uint8Array({ maxLength: 80 }).map((each) => Buffer.from(each));
const copy = fc.record({
  id: fc.string(),
  to: fc.string(),
  recipientDeviceKey: fc.string(),
  asRequest: fc.boolean(),
  isRemembered: fc.boolean(),
  ephemeralPublicKey: bytes,
  nonce: bytes,
  ciphertext: bytes,
});

test('packed copies are the same after they crossed to another thread', () => {
  fc.assert(
    fc.property(fc.array(copy), (copies) => {
      expect(unpackCopies(structuredClone(packCopies(copies)))).toEqual(copies);
    }),
  );
});
