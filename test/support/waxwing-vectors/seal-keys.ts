/**
 * Statements about hybrid seal keys, the post-quantum keys beside them, and which of two statements counts.
 */
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { RecipientKey } from '../../../src/protocol/envelope.ts';
import {
  MAX_SEAL_KEY_LIFE,
  pqDigest,
  type SealKey,
  sealKeyBytes,
  sealKeyHash,
  signSealKey,
} from '../../../src/protocol/seal-key.ts';
import { hybridPublicKey, importHybrid } from '../../../src/protocol/x-wing.ts';
import { fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';
import { hex } from '../vectors.ts';

const { address } = fixedWallet(0x11);
const device = fixedDevice(0x21);
const NOW = Date.parse('2026-11-20T20:00:00.000Z');

/** A statement of the device, signed. */
function sign(key: RecipientKey, sequence = 1): SealKey {
  const times = { notBefore: NOW, notAfter: NOW + MAX_SEAL_KEY_LIFE };
  return signSealKey(address, device.key, key, { sequence, listSequence: 1 }, times);
}

export function sealKeyVectors() {
  const key = hybridPublicKey(importHybrid(fixedBytes(0x51)));
  const other = hybridPublicKey(importHybrid(fixedBytes(0x52)));
  const statement = sign(key);
  // The first coefficient becomes 4,095, which is above q.
  const overflowing = key.mlKem.with(0, 0xff).with(1, (key.mlKem[1] ?? 0) | 0x0f);
  const zeros = encodeBase64Url(new Uint8Array(32));
  const named = (sealKey: SealKey) => ({ sealKey, hash: sealKeyHash(address, sealKey) });
  return {
    now: encodeTime(NOW),
    address,
    device: device.entry,
    deviceSeed: hex(fixedBytes(0x21)),
    seed: hex(fixedBytes(0x51)),
    signedBytes: hex(sealKeyBytes(address, statement)),
    hash: sealKeyHash(address, statement),
    request: { sealKey: statement, pqKey: encodeBase64Url(key.mlKem) },
    negative: [
      { why: 'the digest is not the signed one', sealKey: { ...statement, pq: pqDigest(other.mlKem) } },
      { why: 'the digest is taken away', sealKey: { ...statement, pq: null } },
      {
        why: 'the digest is all zero, which is signed where there is none',
        sealKey: { ...sign(key.x25519), pq: zeros },
      },
    ],
    pqKeys: [
      { why: 'the key of the statement', digest: pqDigest(key.mlKem), key: hex(key.mlKem), fits: true },
      { why: 'another key', digest: pqDigest(key.mlKem), key: hex(other.mlKem), fits: false },
      {
        why: 'a byte is missing',
        digest: pqDigest(key.mlKem.slice(1)),
        key: hex(key.mlKem.slice(1)),
        fits: false,
      },
      {
        why: 'a coefficient is not below q, and the digest is right',
        digest: pqDigest(overflowing),
        key: hex(overflowing),
        fits: false,
      },
    ],
    history: {
      seen: named(sign(key, 2)),
      shown: [
        { why: 'the same again', ...named(sign(key, 2)), is: 'same' },
        { why: 'the number before, with an older key', ...named(sign(other, 1)), is: 'older' },
        { why: 'the next number', ...named(sign(other, 3)), is: 'newer' },
        { why: 'a number is left out', ...named(sign(other, 9)), is: 'newer' },
        { why: 'the same number and another key', ...named(sign(other, 2)), is: 'fork' },
        {
          why: 'the same number and key, without the post-quantum half',
          ...named(sign(key.x25519, 2)),
          is: 'fork',
        },
      ],
    },
  };
}
