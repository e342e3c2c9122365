import { describe, expect, test } from 'vitest';
import { decryptAesGcm, encryptAesGcm, importX25519 } from '../../../src/protocol/crypto.ts';
import {
  aeadParameters,
  exportSecret,
  keyScheduleContext,
  setupRecipient,
  setupSender,
  X25519_SUITE,
} from '../../../src/protocol/hpke.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

interface HpkeVector {
  mode: number;
  kem_id: number;
  kdf_id: number;
  aead_id: number;
  info: string;
  skRm: string;
  skEm: string;
  pkRm: string;
  pkEm: string;
  enc: string;
  shared_secret: string;
  key_schedule_context: string;
  secret: string;
  key: string;
  base_nonce: string;
  exporter_secret: string;
  encryptions: { aad: string; ct: string; nonce: string; pt: string }[];
  exports: { exporter_context: string; L: number; exported_value: string }[];
}

// The file's other three entries are modes PSK, Auth and AuthPSK, which we do not have.
const found = readVectors<HpkeVector[]>('hpke/hpke-x25519-sha256-aes256gcm.json').filter(
  (entry) => entry.mode === 0,
);

function baseVector(): HpkeVector {
  const [vector, ...more] = found;
  if (!vector || more.length > 0) throw new Error('the file must hold one entry in mode Base');
  return vector;
}

/** Base nonce xor the sequence number, big-endian (RFC 9180 §5.2). */
function nonceAt(baseNonce: Uint8Array, sequence: number): Uint8Array {
  const nonce = Uint8Array.from(baseNonce);
  const view = new DataView(nonce.buffer);
  view.setUint32(8, view.getUint32(8) ^ sequence);
  return nonce;
}

describe('RFC 9180 vectors', () => {
  const vector = baseVector();
  const scheduleContext = keyScheduleContext(X25519_SUITE, bytes(vector.info));
  const ephemeral = importX25519(bytes(vector.skEm));
  const recipient = importX25519(bytes(vector.skRm));
  const sender = setupSender(bytes(vector.pkRm), scheduleContext, ephemeral);
  const sides = [
    ['sender', sender.context],
    ['recipient', setupRecipient(bytes(vector.enc), recipient, scheduleContext)],
  ] as const;

  test('has the published suite and public keys', () => {
    expect([vector.kem_id, vector.kdf_id, vector.aead_id]).toEqual([0x0020, 0x0001, 0x0002]);
    expect(hex(ephemeral.publicKey)).toBe(vector.pkEm);
    expect(hex(recipient.publicKey)).toBe(vector.pkRm);
    expect(hex(sender.enc)).toBe(vector.enc);
  });

  test.each(sides)('every value of the key schedule agrees for the %s', (_side, context) => {
    const { key, baseNonce } = aeadParameters(context);
    expect({
      shared_secret: hex(context.sharedSecret),
      key_schedule_context: hex(context.keyScheduleContext),
      secret: hex(context.secret),
      exporter_secret: hex(context.exporterSecret),
      key: hex(key),
      base_nonce: hex(baseNonce),
    }).toEqual({
      shared_secret: vector.shared_secret,
      key_schedule_context: vector.key_schedule_context,
      secret: vector.secret,
      exporter_secret: vector.exporter_secret,
      key: vector.key,
      base_nonce: vector.base_nonce,
    });
  });

  test.each(sides)('all 257 encryptions agree for the %s, sealed and opened', (_side, context) => {
    const { key, baseNonce } = aeadParameters(context);
    let agreed = 0;
    for (const [sequence, { aad, ct, nonce, pt }] of vector.encryptions.entries()) {
      const at = nonceAt(baseNonce, sequence);
      expect(hex(at)).toBe(nonce);
      expect(hex(encryptAesGcm(key, at, bytes(aad), bytes(pt)))).toBe(ct);
      expect(hex(decryptAesGcm(key, at, bytes(aad), bytes(ct)))).toBe(pt);
      agreed++;
    }
    expect(agreed).toBe(257);
  });

  test.each(sides)('all three exports agree for the %s', (_side, context) => {
    const exported = vector.exports.map(({ exporter_context, L }) =>
      hex(exportSecret(context, bytes(exporter_context), L)),
    );
    expect(exported).toEqual(vector.exports.map((entry) => entry.exported_value));
    expect(exported).toHaveLength(3);
  });
});
