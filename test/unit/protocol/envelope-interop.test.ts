/**
 * Against an HPKE that others wrote (`@hpke/core`, and its X-Wing), with WebCrypto's AES-GCM for the outer layer.
 */

import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';
import { expect, test } from 'vitest';
import { importX25519, randomBytes } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { openCopy, sealCopy } from '../../../src/protocol/envelope.ts';
import { pad, unpad } from '../../../src/protocol/padding.ts';
import { addressBytes } from '../../../src/protocol/wire-address.ts';
import { hybridPublicKey, importHybrid } from '../../../src/protocol/x-wing.ts';
import { bytes, hex } from '../../support/vectors.ts';

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const route = { from: `0x${'1a'.repeat(20)}`, to: `0x${'2b'.repeat(20)}` };
const info = buffer(
  concatBytes(encodeUtf8('waxwing/seal/v1'), addressBytes(route.from), addressBytes(route.to)),
);
const keyLabel = buffer(encodeUtf8('waxwing/seal/v1/key'));
const payload = encodeUtf8('whatever is inside');

/** The library and WebCrypto each need their own buffer. */
function buffer(data: Uint8Array): ArrayBuffer {
  return Uint8Array.from(data).buffer;
}

function importKey(key: ArrayBuffer) {
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

const header = { asRequest: true, automated: false, senderListSequence: 3, recipientListSequence: 7 };

test('the other library opens our copies', async () => {
  const secret = randomBytes(32);
  const sealKey = importX25519(secret);
  const copy = sealCopy(route, sealKey.publicKey, header, payload);

  const recipientKey = await suite.kem.deserializePrivateKey(buffer(secret));
  const context = await suite.createRecipientContext({
    recipientKey,
    enc: buffer(copy.ephemeralPublicKey),
    info,
  });
  const padded = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: buffer(copy.nonce), additionalData: buffer(copy.ciphertext.subarray(0, 12)) },
    await importKey(await context.export(keyLabel, 32)),
    buffer(copy.ciphertext.subarray(12)),
  );
  expect(hex(copy.ciphertext.subarray(0, 12))).toBe('010101000000000300000007');
  expect(unpad(new Uint8Array(padded))).toEqual(payload);
});

test('opens copies that the other library sealed', async () => {
  const sealKey = importX25519(randomBytes(32));
  const recipientPublicKey = await suite.kem.deserializePublicKey(buffer(sealKey.publicKey));
  const context = await suite.createSenderContext({ recipientPublicKey, info });
  const headerBytes = bytes('010101000000000300000007');
  const nonce = randomBytes(12);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: buffer(nonce), additionalData: buffer(headerBytes) },
    await importKey(await context.export(keyLabel, 32)),
    buffer(pad(payload)),
  );

  const opened = openCopy(
    route,
    sealKey,
    {
      ciphertext: concatBytes(headerBytes, new Uint8Array(sealed)),
      ephemeralPublicKey: new Uint8Array(context.enc),
      nonce,
    },
    true,
  );
  expect(opened.header).toEqual(header);
  expect(hex(opened.payload)).toBe(hex(payload));
});

const hybrid = new CipherSuite({ kem: new XWing(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

test('the other library opens our copies in suite 2', async () => {
  const seed = randomBytes(32);
  const copy = sealCopy(route, hybridPublicKey(importHybrid(seed)), header, payload);

  const context = await hybrid.createRecipientContext({
    recipientKey: await hybrid.kem.deserializePrivateKey(buffer(seed)),
    enc: buffer(concatBytes(copy.ciphertext.subarray(12, 12 + 1088), copy.ephemeralPublicKey)),
    info,
  });
  const padded = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: buffer(copy.nonce), additionalData: buffer(copy.ciphertext.subarray(0, 12)) },
    await importKey(await context.export(keyLabel, 32)),
    buffer(copy.ciphertext.subarray(12 + 1088)),
  );
  expect(hex(copy.ciphertext.subarray(0, 12))).toBe('010201000000000300000007');
  expect(unpad(new Uint8Array(padded))).toEqual(payload);
});

test('opens copies that the other library sealed in suite 2', async () => {
  const key = importHybrid(randomBytes(32));
  const { mlKem, x25519 } = hybridPublicKey(key);
  const recipientPublicKey = await hybrid.kem.deserializePublicKey(buffer(concatBytes(mlKem, x25519)));
  const context = await hybrid.createSenderContext({ recipientPublicKey, info });
  const headerBytes = bytes('010201000000000300000007');
  const nonce = randomBytes(12);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: buffer(nonce), additionalData: buffer(headerBytes) },
    await importKey(await context.export(keyLabel, 32)),
    buffer(pad(payload)),
  );
  const enc = new Uint8Array(context.enc);
  const ciphertext = concatBytes(headerBytes, enc.subarray(0, 1088), new Uint8Array(sealed));
  const copy = { ciphertext, ephemeralPublicKey: enc.subarray(1088), nonce };
  expect(hex(openCopy(route, key, copy, true).payload)).toBe(hex(payload));
});
