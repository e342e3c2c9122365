/** Sealing with all intermediate values, and copies that must not open. */

import { importX25519, x25519 } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { sealCopy } from '../../../src/protocol/envelope.ts';
import type { EnvelopeHeader, SealedCopy } from '../../../src/protocol/envelope-form.ts';
import { exportSecret, keyScheduleContext, setupSender, X25519_SUITE } from '../../../src/protocol/hpke.ts';
import { pad } from '../../../src/protocol/padding.ts';
import { addressBytes } from '../../../src/protocol/wire-address.ts';
import { fixedBytes, fixedWallet } from '../identities.ts';
import { sealPadded } from '../seal-padded.ts';
import { bytes, hex } from '../vectors.ts';

const route = { from: fixedWallet(0x11).address, to: fixedWallet(0x12).address };
const NONCE = bytes('000102030405060708090a0b');
const PLAIN: EnvelopeHeader = {
  asRequest: false,
  automated: false,
  senderListSequence: 0,
  recipientListSequence: 0,
};

function steps(why: string, given: EnvelopeHeader, payload: Uint8Array) {
  const recipient = importX25519(fixedBytes(0x31));
  const ephemeral = importX25519(fixedBytes(0x41));
  const info = concatBytes(encodeUtf8('waxwing/seal/v1'), addressBytes(route.from), addressBytes(route.to));
  const scheduleContext = keyScheduleContext(X25519_SUITE, info);
  const { context } = setupSender(recipient.publicKey, scheduleContext, ephemeral);
  const copy = sealCopy(route, recipient.publicKey, given, payload, { ephemeral, nonce: NONCE });
  return {
    why,
    ...route,
    ...given,
    payload: hex(payload),
    skR: hex(fixedBytes(0x31)),
    pkR: hex(recipient.publicKey),
    skE: hex(fixedBytes(0x41)),
    pkE: hex(ephemeral.publicKey),
    dh: hex(x25519(ephemeral, recipient.publicKey)),
    shared_secret: hex(context.sharedSecret),
    info: hex(info),
    key_schedule_context: hex(context.keyScheduleContext),
    secret: hex(context.secret),
    exporter_secret: hex(context.exporterSecret),
    key: hex(exportSecret(context, encodeUtf8('waxwing/seal/v1/key'), 32)),
    nonce: hex(NONCE),
    header: hex(copy.ciphertext.subarray(0, 12)),
    padded_payload: hex(pad(payload)),
    ciphertext: hex(copy.ciphertext),
    wire: {
      ciphertext: encodeBase64Url(copy.ciphertext),
      ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
      nonce: encodeBase64Url(copy.nonce),
    },
  };
}

function negatives() {
  const recipient = importX25519(fixedBytes(0x31));
  const ephemeral = importX25519(fixedBytes(0x41));
  const payload = encodeUtf8('hello');
  const randomness = { ephemeral, nonce: NONCE };
  const copy = sealCopy(route, recipient.publicKey, PLAIN, payload, randomness);
  const { length } = copy.ciphertext;
  const flipped = (data: Uint8Array, position: number) => data.with(position, (data[position] ?? 0) ^ 0x01);
  const withPadded = (change: (padded: Uint8Array) => Uint8Array) =>
    sealPadded(route, recipient.publicKey, copy.ciphertext.subarray(0, 12), change(pad(payload)), randomness);
  const entry = (why: string, changed: Partial<SealedCopy>, asRequest = false, at = route) => {
    const whole = { ...copy, ...changed };
    return {
      why,
      from: at.from,
      to: at.to,
      skR: hex(fixedBytes(0x31)),
      asRequest,
      ciphertext: hex(whole.ciphertext),
      ephemeralPublicKey: hex(whole.ephemeralPublicKey),
      nonce: hex(whole.nonce),
    };
  };
  const { ciphertext } = copy;
  return [
    entry('one bit of the sealed part is changed', { ciphertext: flipped(ciphertext, 100) }),
    entry('one bit of the tag is changed', { ciphertext: flipped(ciphertext, length - 1) }),
    entry('a sequence in the header is changed', { ciphertext: flipped(ciphertext, 7) }),
    entry('the header says automated, the tag does not', { ciphertext: ciphertext.with(2, 0x02) }),
    entry('an unknown flag is set', { ciphertext: ciphertext.with(2, 0x04) }),
    entry('the version is 2', { ciphertext: ciphertext.with(0, 0x02) }),
    entry('the suite is 3', { ciphertext: ciphertext.with(1, 0x03) }),
    entry('the reserved byte is not 0', { ciphertext: ciphertext.with(3, 0x01) }),
    entry('the tag is cut to 15 bytes', { ciphertext: ciphertext.subarray(0, length - 1) }),
    entry('the nonce is changed', { nonce: flipped(copy.nonce, 0) }),
    entry('the nonce has 16 bytes', { nonce: concatBytes(copy.nonce, new Uint8Array(4)) }),
    entry('the ephemeral key is another', {
      ephemeralPublicKey: importX25519(fixedBytes(0x42)).publicKey,
    }),
    entry('the ephemeral key is all zero', { ephemeralPublicKey: new Uint8Array(32) }),
    entry('the ephemeral key has order 8', {
      ephemeralPublicKey: bytes('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'),
    }),
    entry('the ephemeral key has its highest bit set', {
      ephemeralPublicKey: copy.ephemeralPublicKey.with(31, (copy.ephemeralPublicKey[31] ?? 0) | 0x80),
    }),
    entry('asRequest beside the ciphertext is not the flag in the header', {}, true),
    entry('from and to are exchanged', {}, false, { from: route.to, to: route.from }),
    entry(
      'the padding goes to 512 bytes where 256 is the bucket, under a right tag',
      withPadded((padded) => concatBytes(padded, new Uint8Array(256))),
    ),
    entry(
      'a byte after the marker is not zero, under a right tag',
      withPadded((padded) => padded.with(255, 0x01)),
    ),
    entry(
      'there is no marker, under a right tag',
      withPadded((padded) => padded.with(5, 0x00).fill(0)),
    ),
  ];
}

export function sealingVectors() {
  const positive = [
    steps('a short payload, nothing set', PLAIN, encodeUtf8('hello')),
    steps(
      'a first contact, written by a program, both list sequences known',
      { asRequest: true, automated: true, senderListSequence: 3, recipientListSequence: 0xffff_ffff },
      encodeUtf8('hello'),
    ),
    steps('no payload at all', PLAIN, new Uint8Array(0)),
    steps('the longest payload of the first bucket', PLAIN, new Uint8Array(255).fill(0x61)),
    steps('the shortest payload of the second bucket', PLAIN, new Uint8Array(256).fill(0x61)),
  ];
  return { positive, negative: negatives() };
}
