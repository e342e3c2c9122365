/**
 * The primitives on a Node without SHA-3 and ML-KEM, as Electron's with BoringSSL may be: JavaScript gives the same.
 */
import { afterAll, expect, test, vi } from 'vitest';
import * as here from '../../../src/protocol/crypto.ts';
import * as xWing from '../../../src/protocol/x-wing.ts';
import { hex } from '../../support/vectors.ts';

/** Functions that were refused. */
const refused = new Set<string>();
vi.resetModules();
vi.doMock('node:crypto', async (original) => {
  const node = await original<typeof import('node:crypto')>();
  const hash = (algorithm: string, ...rest: unknown[]): unknown => {
    if (algorithm !== 'sha3-256') return Reflect.apply(node.hash, node, [algorithm, ...rest]);
    refused.add('sha3-256');
    throw new Error('Invalid digest method');
  };
  const { encapsulate: _, decapsulate: __, ...others } = { ...node, hash };
  return { ...others, default: others };
});
const there = await import('../../../src/protocol/crypto.ts');
const slowXWing = await import('../../../src/protocol/x-wing.ts');
const { mlKem } = await import('../../../src/protocol/ml-kem/chosen.ts');

// No other file gets these modules.
afterAll(() => {
  vi.doUnmock('node:crypto');
  vi.resetModules();
});

test('X-Wing by JavaScript returns the secrets of Node', () => {
  expect([here.sha3 === null, there.sha3 === null]).toEqual([false, true]);
  expect(refused).toContain('sha3-256');
  const [fast, slow] = [xWing, slowXWing].map(({ importHybrid }) => importHybrid(new Uint8Array(32).fill(7)));
  if (!fast || !slow) throw new Error('a key is missing');
  const { ciphertext, sharedSecret } = xWing.encapsulateHybrid(
    xWing.hybridPublicKey(fast),
    here.generateX25519(),
  );
  expect(hex(slowXWing.decapsulateHybrid(slow, ciphertext))).toBe(hex(sharedSecret));
  expect(hex(xWing.decapsulateHybrid(fast, ciphertext))).toBe(hex(sharedSecret));
});

test('ML-KEM is the one in JavaScript', () => {
  expect(mlKem.name).toBe('noble');
});
