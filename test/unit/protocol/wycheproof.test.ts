/**
 * Project Wycheproof: cases that implementations often fail. Every case of every file is run, or counted as skipped
 * with the reason, so that a shorter file fails the test.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, test } from 'vitest';
import { decryptAesGcm, encryptAesGcm, hmacSha256 } from '../../../src/protocol/crypto.ts';
import { concatBytes } from '../../../src/protocol/encoding.ts';
import { bytes, hex, readWycheproof } from '../../support/vectors.ts';

/** HKDF (RFC 5869) over our HMAC; the protocol itself never expands more than one block. */
function hkdf(salt: Uint8Array, ikm: Uint8Array, info: Uint8Array, length: number): Uint8Array {
  if (length > 255 * 32) throw new RangeError('HKDF yields at most 255 blocks');
  const key = hmacSha256(salt, ikm);
  let block: Uint8Array = new Uint8Array(0);
  let output: Uint8Array = new Uint8Array(0);
  for (let counter = 1; output.length < length; counter++) {
    block = hmacSha256(key, block, info, Uint8Array.of(counter));
    output = concatBytes(output, block);
  }
  return output.subarray(0, length);
}

describe('Wycheproof', () => {
  test('AES-GCM: the 66 cases of our sizes', () => {
    interface Case {
      key: string;
      iv: string;
      aad: string;
      msg: string;
      ct: string;
      tag: string;
    }
    const cases = readWycheproof<{ keySize: number; ivSize: number; tagSize: number }, Case>('aes_gcm_test');
    const counted = { valid: 0, invalid: 0, skipped: 0 };
    for (const entry of cases) {
      // The protocol knows one key length and one nonce length; both are checked before the cipher sees them.
      if (entry.keySize !== 256 || entry.ivSize !== 96 || entry.tagSize !== 128) {
        counted.skipped++;
        continue;
      }
      const [key, iv, aad] = [bytes(entry.key), bytes(entry.iv), bytes(entry.aad)];
      const sealed = bytes(entry.ct + entry.tag);
      if (entry.result === 'valid') {
        expect(hex(encryptAesGcm(key, iv, aad, bytes(entry.msg)))).toBe(hex(sealed));
        expect(hex(decryptAesGcm(key, iv, aad, sealed))).toBe(entry.msg);
        counted.valid++;
      } else {
        expect(() => decryptAesGcm(key, iv, aad, sealed), `case ${entry.tcId}`).toThrow();
        counted.invalid++;
      }
    }
    expect(counted).toEqual({ valid: 39, invalid: 27, skipped: 250 });
  });

  test('HMAC-SHA256: 174 cases', () => {
    const cases = readWycheproof<{ tagSize: number }, { key: string; msg: string; tag: string }>(
      'hmac_sha256_test',
    );
    const counted = { valid: 0, invalid: 0 };
    for (const { key, msg, tag, tagSize, result, tcId } of cases) {
      const mac = hex(hmacSha256(bytes(key), bytes(msg))).slice(0, tagSize / 4);
      expect(mac === tag, `case ${tcId}`).toBe(result === 'valid');
      counted[result === 'valid' ? 'valid' : 'invalid']++;
    }
    expect(counted).toEqual({ valid: 66, invalid: 108 });
  });

  test('HKDF-SHA256 over our HMAC: 86 cases', () => {
    interface Case {
      ikm: string;
      salt: string;
      info: string;
      size: number;
      okm: string;
    }
    const counted = { valid: 0, invalid: 0 };
    for (const entry of readWycheproof<object, Case>('hkdf_sha256_test')) {
      const expand = () => hex(hkdf(bytes(entry.salt), bytes(entry.ikm), bytes(entry.info), entry.size));
      if (entry.result === 'valid') {
        expect(expand(), `case ${entry.tcId}`).toBe(entry.okm);
        counted.valid++;
      } else {
        expect(expand, `case ${entry.tcId}`).toThrow(RangeError);
        counted.invalid++;
      }
    }
    expect(counted).toEqual({ valid: 83, invalid: 3 });
  });
});

/** The curve under wallet.ts. Its signatures there are recovered, not verified: here both must agree. */
test('secp256k1 with SHA-256 and low s: 463 cases, verified and recovered', () => {
  const cases = readWycheproof<{ publicKey: { uncompressed: string } }, { msg: string; sig: string }>(
    'ecdsa_secp256k1_sha256_bitcoin_test',
  );
  const counted = { valid: 0, invalid: 0 };
  for (const { publicKey, msg, sig, result, tcId } of cases) {
    const accepted = verifies(bytes(sig), bytes(msg), bytes(publicKey.uncompressed));
    expect(accepted, `case ${tcId}`).toBe(result === 'valid');
    if (result === 'valid') {
      expect(recovers(bytes(sig), bytes(msg)), `case ${tcId}`).toContain(publicKey.uncompressed);
    }
    counted[result === 'valid' ? 'valid' : 'invalid']++;
  }
  expect(counted).toEqual({ valid: 162, invalid: 301 });
});

function verifies(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, message, publicKey, { format: 'der', prehash: true, lowS: true });
  } catch {
    return false;
  }
}

/** The uncompressed public keys that each recovery bit gives. */
function recovers(der: Uint8Array, message: Uint8Array): string[] {
  const signature = secp256k1.Signature.fromBytes(der, 'der');
  return [0, 1, 2, 3].flatMap((bit) => {
    try {
      const recovered = signature.addRecoveryBit(bit).toBytes('recovered');
      const point = secp256k1.recoverPublicKey(recovered, message, { prehash: true });
      return [secp256k1.Point.fromBytes(point).toHex(false)];
    } catch {
      return [];
    }
  });
}
