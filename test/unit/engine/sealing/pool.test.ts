import { expect, test } from 'vitest';
import { SealingPool } from '../../../../src/engine/sealing/pool.ts';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { hybridPublicKey, importHybrid } from '../../../../src/protocol/x-wing.ts';

const WORKER = new URL('../../../../src/engine/sealing/worker.ts', import.meta.url);
const route = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}` };
const header = { asRequest: false, automated: false, senderListSequence: 1, recipientListSequence: 1 };

test('returns copies for many devices in order, each for its own key', async () => {
  const pool = new SealingPool(WORKER);
  const secrets = Array.from({ length: 100 }, () => randomBytes(32));
  // Every other device has no ML-KEM.
  const recipientKeys = secrets.map((secret, index) => {
    const key = hybridPublicKey(importHybrid(secret));
    return index % 2 === 0 ? key : key.x25519;
  });
  const payload = new TextEncoder().encode('one payload');
  const copies = await pool.seal({ route, header, payload, recipientKeys });
  expect(copies).toHaveLength(100);

  const job = (index: number, secret: Uint8Array) => ({
    route,
    asRequest: false,
    copy: copies[index] ?? { ciphertext: payload, ephemeralPublicKey: payload, nonce: payload },
    secrets: [secret],
    senderDevices: [],
  });
  const opened = await pool.open(secrets.map((secret, index) => job(index, secret)));
  for (const each of opened) expect(new TextDecoder().decode(each?.payload)).toBe('one payload');
  const wrong = await pool.open(secrets.slice(1).map((secret, index) => job(index, secret)));
  expect(wrong.every((each) => each === null)).toBe(true);
  await pool.close();
});

test('a closed pool rejects calls', async () => {
  const pool = new SealingPool(WORKER);
  await pool.close();
  await expect(
    pool.open([{ route, asRequest: false, copy: copyOf(0), secrets: [], senderDevices: [] }]),
  ).rejects.toThrow('closed');
});

function copyOf(byte: number) {
  const bytes = new Uint8Array(32).fill(byte);
  return { ciphertext: bytes, ephemeralPublicKey: bytes, nonce: bytes.subarray(0, 12) };
}
