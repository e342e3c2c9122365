/**
 * Sealing in suite 0x02, the post-quantum hybrid, with all intermediate values, and copies that must not
 * open.
 */

import { importX25519, x25519 } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { type SealRandomness, sealCopy } from '../../../src/protocol/envelope.ts';
import type { EnvelopeHeader, SealedCopy } from '../../../src/protocol/envelope-form.ts';
import {
  exportSecret,
  HYBRID_SUITE,
  keyScheduleContext,
  setupHybridSender,
} from '../../../src/protocol/hpke.ts';
import { nobleMlKem } from '../../../src/protocol/ml-kem/noble.ts';
import { pad } from '../../../src/protocol/padding.ts';
import { addressBytes } from '../../../src/protocol/wire-address.ts';
import { expandSeed, hybridPublicKey, importHybrid } from '../../../src/protocol/x-wing.ts';
import { fixedBytes, fixedWallet } from '../identities.ts';
import { bytes, hex } from '../vectors.ts';

const route = { from: fixedWallet(0x11).address, to: fixedWallet(0x12).address };
const SEED = fixedBytes(0x51);
const PLAIN: EnvelopeHeader = {
  asRequest: false,
  automated: false,
  senderListSequence: 0,
  recipientListSequence: 0,
};
const LATTICE_END = 12 + 1088;

/** Fixed values in place of all random ones. */
function randomness(): SealRandomness {
  return {
    ephemeral: importX25519(fixedBytes(0x41)),
    nonce: bytes('000102030405060708090a0b'),
    encapsulate: (publicKey) => nobleMlKem.encapsulate(publicKey, fixedBytes(0x61)),
  };
}

function steps(why: string, given: EnvelopeHeader, payload: Uint8Array) {
  const seeds = expandSeed(SEED);
  const recipient = hybridPublicKey(importHybrid(SEED));
  const fixed = randomness();
  const lattice = nobleMlKem.encapsulate(recipient.mlKem, fixedBytes(0x61));
  const info = concatBytes(encodeUtf8('waxwing/seal/v1'), addressBytes(route.from), addressBytes(route.to));
  const scheduleContext = keyScheduleContext(HYBRID_SUITE, info);
  const { context } = setupHybridSender(recipient, scheduleContext, fixed.ephemeral, fixed.encapsulate);
  const copy = sealCopy(route, recipient, given, payload, fixed);
  return {
    why,
    ...route,
    ...given,
    payload: hex(payload),
    seed: hex(SEED),
    d: hex(seeds.mlKem.subarray(0, 32)),
    z: hex(seeds.mlKem.subarray(32)),
    sk_X: hex(seeds.x25519),
    pk_M: hex(recipient.mlKem),
    pk_X: hex(recipient.x25519),
    m: hex(fixedBytes(0x61)),
    skE: hex(fixedBytes(0x41)),
    ct_M: hex(lattice.ciphertext),
    ct_X: hex(fixed.ephemeral.publicKey),
    ss_M: hex(lattice.sharedSecret),
    ss_X: hex(x25519(fixed.ephemeral, recipient.x25519)),
    shared_secret: hex(context.sharedSecret),
    info: hex(info),
    key_schedule_context: hex(context.keyScheduleContext),
    secret: hex(context.secret),
    exporter_secret: hex(context.exporterSecret),
    key: hex(exportSecret(context, encodeUtf8('waxwing/seal/v1/key'), 32)),
    nonce: hex(fixed.nonce),
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
  const key = importHybrid(SEED);
  const payload = encodeUtf8('hello');
  const copy = sealCopy(route, hybridPublicKey(key), PLAIN, payload, randomness());
  const classic = sealCopy(route, key.x25519.publicKey, PLAIN, payload, randomness());
  const other = sealCopy(route, hybridPublicKey(key), PLAIN, payload, {
    ...randomness(),
    encapsulate: (publicKey) => nobleMlKem.encapsulate(publicKey, fixedBytes(0x62)),
  });
  const flipped = (data: Uint8Array, position: number) => data.with(position, (data[position] ?? 0) ^ 0x01);
  const entry = (why: string, changed: Partial<SealedCopy>, seed = SEED) => {
    const whole = { ...copy, ...changed };
    return {
      why,
      ...route,
      seed: hex(seed),
      asRequest: false,
      ciphertext: hex(whole.ciphertext),
      ephemeralPublicKey: hex(whole.ephemeralPublicKey),
      nonce: hex(whole.nonce),
    };
  };
  const { ciphertext } = copy;
  return [
    entry('one bit of the ML-KEM ciphertext is changed: its secret is another, and the tag does not fit', {
      ciphertext: flipped(ciphertext, 100),
    }),
    entry('the ML-KEM ciphertext is of another copy', {
      ciphertext: concatBytes(
        ciphertext.subarray(0, 12),
        other.ciphertext.subarray(12, LATTICE_END),
        ciphertext.subarray(LATTICE_END),
      ),
    }),
    entry('one bit of the sealed payload is changed', { ciphertext: flipped(ciphertext, LATTICE_END) }),
    entry('one bit of the tag is changed', { ciphertext: flipped(ciphertext, ciphertext.length - 1) }),
    entry('the ML-KEM ciphertext is a byte short', {
      ciphertext: concatBytes(ciphertext.subarray(0, LATTICE_END - 1), ciphertext.subarray(LATTICE_END)),
    }),
    entry('there is no ML-KEM ciphertext', {
      ciphertext: concatBytes(ciphertext.subarray(0, 12), ciphertext.subarray(LATTICE_END)),
    }),
    entry('the suite is 1, and the length of suite 2', { ciphertext: ciphertext.with(1, 0x01) }),
    entry('sealed in suite 1, and the header says suite 2', {
      ciphertext: classic.ciphertext.with(1, 0x02),
    }),
    entry('the suite is 3', { ciphertext: ciphertext.with(1, 0x03) }),
    entry('the ephemeral key is another', { ephemeralPublicKey: importX25519(fixedBytes(0x42)).publicKey }),
    entry('the ephemeral key is all zero', { ephemeralPublicKey: new Uint8Array(32) }),
    entry('the key of the recipient is another', {}, fixedBytes(0x52)),
  ];
}

export function suite2Vectors() {
  const flags = {
    asRequest: true,
    automated: true,
    senderListSequence: 3,
    recipientListSequence: 0xffff_ffff,
  };
  return {
    positive: [
      steps('a short payload, nothing set', PLAIN, encodeUtf8('hello')),
      steps('a first contact, written by a program, both list sequences known', flags, encodeUtf8('hello')),
      steps('the shortest payload of the second bucket', PLAIN, new Uint8Array(256).fill(0x61)),
    ],
    negative: negatives(),
  };
}
