/** A second implementation of our format, on the primitives of the noble libraries instead of Node's. */
import fc, { property, uint8Array } from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { importX25519 } from '../../../src/protocol/crypto.ts';
import * as ours from '../../../src/protocol/envelope.ts';
import { nobleMlKem } from '../../../src/protocol/ml-kem/noble.ts';
import { withFullScrypt } from '../../support/full-scrypt.ts';
import * as noble from '../../support/noble.ts';
import { hex, readVectors } from '../../support/vectors.ts';

vi.resetModules();
vi.doMock('../../../src/protocol/crypto.ts', () => noble);
vi.doMock('../../../src/protocol/ml-kem/chosen.ts', () => ({ mlKem: nobleMlKem }));
const theirs = await import('../../../src/protocol/envelope.ts');
const { makeVectors } = await import('../../support/waxwing-vectors/index.ts');
const vectors = withFullScrypt(makeVectors);

// No other file gets the oracle's modules.
afterAll(() => {
  vi.doUnmock('../../../src/protocol/crypto.ts');
  vi.doUnmock('../../../src/protocol/ml-kem/chosen.ts');
  vi.resetModules();
});

const route = { from: `0x${'1a'.repeat(20)}`, to: `0x${'2b'.repeat(20)}` };
const header = { asRequest: false, automated: true, senderListSequence: 3, recipientListSequence: 7 };
const secret = uint8Array({ minLength: 32, maxLength: 32 });
const data = uint8Array({ maxLength: 5_000 });

test('the second module uses the oracle', () => {
  expect(theirs.newRandomness().ephemeral).toHaveProperty('secret');
  expect(ours.newRandomness().ephemeral).not.toHaveProperty('secret');
});

test.each(Object.keys(vectors))('%s.json equals the oracle’s output', (name) => {
  expect(JSON.parse(JSON.stringify(vectors[name]))).toEqual(readVectors<object>(`waxwing/${name}.json`));
});

test('each opens the other’s copies', () => {
  fc.assert(
    property(secret, data, (key, payload) => {
      const [mine, their] = [importX25519(key), noble.importX25519(key)];
      const copy = ours.sealCopy(route, their.publicKey, header, payload);
      expect(hex(theirs.openCopy(route, their, copy, false).payload)).toBe(hex(payload));
      const back = theirs.sealCopy(route, mine.publicKey, header, payload);
      expect(hex(ours.openCopy(route, mine, back, false).payload)).toBe(hex(payload));
    }),
    { numRuns: 25 },
  );
});

test('both create the same bytes with the same ephemeral key and nonce', () => {
  const recipient = importX25519(new Uint8Array(32).fill(0x77)).publicKey;
  const nonce = Uint8Array.from({ length: 12 }, (_, index) => index);
  fc.assert(
    property(secret, data, (key, payload) => {
      const mine = ours.sealCopy(route, recipient, header, payload, { ephemeral: importX25519(key), nonce });
      const ephemeral = noble.importX25519(key);
      const their = theirs.sealCopy(route, recipient, header, payload, { ephemeral, nonce });
      expect([their.ciphertext, their.ephemeralPublicKey, their.nonce].map(hex)).toEqual(
        [mine.ciphertext, mine.ephemeralPublicKey, mine.nonce].map(hex),
      );
    }),
    { numRuns: 30 },
  );
});
