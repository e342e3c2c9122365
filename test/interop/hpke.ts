import { createHmac } from 'node:crypto';
import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';
import { type Bytes, concat, textBytes } from './bytes.ts';
import { x25519, x25519Public } from './keys.ts';

/**
 * RFC 9180 in Base mode, up to the export of a key. Suite 0x01 uses the primitives of node:crypto; for suite
 * 0x02 @hpke/core has the key schedule and the KEM.
 */

const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Bytes =>
  new Uint8Array(
    createHmac('sha256', key)
      .update(concat(...parts))
      .digest(),
  );

const u16 = (value: number) => Uint8Array.of(value >> 8, value & 0xff);
const VERSION = textBytes('HPKE-v1');
const NOTHING = new Uint8Array(0);

const extract = (suite: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array): Bytes =>
  hmac(salt.length === 0 ? new Uint8Array(32) : salt, VERSION, suite, textBytes(label), ikm);

/** LabeledExpand for 32 bytes, the only length needed here: one block of HKDF. */
const expand = (suite: Uint8Array, prk: Uint8Array, label: string, info: Uint8Array): Bytes =>
  hmac(prk, u16(32), VERSION, suite, textBytes(label), info, Uint8Array.of(1));

const KEM_1 = concat(textBytes('KEM'), u16(0x0020));
const SUITE_1 = concat(textBytes('HPKE'), u16(0x0020), u16(0x0001), u16(0x0002));

/** All intermediate values of suite 0x01, by RFC 9180's names. */
export interface Schedule {
  dh: Bytes;
  shared_secret: Bytes;
  key_schedule_context: Bytes;
  secret: Bytes;
  exporter_secret: Bytes;
}

/** Suite 0x01 of either side: `dh` is X25519 of the own private and the other's public key. */
export function schedule1(dh: Bytes, enc: Uint8Array, pkR: Uint8Array, info: Uint8Array): Schedule {
  const eae = extract(KEM_1, NOTHING, 'eae_prk', dh);
  const shared_secret = expand(KEM_1, eae, 'shared_secret', concat(enc, pkR));
  const key_schedule_context = concat(
    Uint8Array.of(0),
    extract(SUITE_1, NOTHING, 'psk_id_hash', NOTHING),
    extract(SUITE_1, NOTHING, 'info_hash', info),
  );
  const secret = extract(SUITE_1, shared_secret, 'secret', NOTHING);
  const exporter_secret = expand(SUITE_1, secret, 'exp', key_schedule_context);
  return { dh, shared_secret, key_schedule_context, secret, exporter_secret };
}

const EXPORT = textBytes('waxwing/seal/v1/key');
export const exportedKey = ({ exporter_secret }: Schedule): Bytes =>
  expand(SUITE_1, exporter_secret, 'sec', EXPORT);

/** The AES key of a sender in suite 0x01, with the ephemeral private key `skE`. */
export function senderKey1(pkR: Uint8Array, info: Uint8Array, skE: Uint8Array): { enc: Bytes; key: Bytes } {
  const enc = x25519Public(skE);
  return { enc, key: exportedKey(schedule1(x25519(skE, pkR), enc, pkR, info)) };
}

/** The AES key of a recipient in suite 0x01. */
export const recipientKey1 = (skR: Uint8Array, info: Uint8Array, enc: Uint8Array): Bytes =>
  exportedKey(schedule1(x25519(skR, enc), enc, x25519Public(skR), info));

const xWing = new XWing();
const suite2 = new CipherSuite({ kem: xWing, kdf: new HkdfSha256(), aead: new Aes256Gcm() });

const buffer = (bytes: Uint8Array): ArrayBuffer => concat(bytes).buffer;

/**
 * The AES key of a sender in suite 0x02. `enc` is ct_M and ct_X.
 * @param random 64 bytes, for known answers: ML-KEM's randomness and the ephemeral X25519 key
 */
export async function senderKey2(pkM: Uint8Array, pkX: Uint8Array, info: Uint8Array, random?: Uint8Array) {
  const recipientPublicKey = await xWing.deserializePublicKey(buffer(concat(pkM, pkX)));
  const sender = await suite2.createSenderContext({
    recipientPublicKey,
    info: buffer(info),
    ...(random === undefined ? {} : { ekm: buffer(random) }),
  });
  return {
    enc: new Uint8Array(sender.enc),
    key: new Uint8Array(await sender.export(buffer(EXPORT), 32)),
  };
}

/** The AES key of a recipient in suite 0x02, from the seed of 32 bytes. */
export async function recipientKey2(seed: Uint8Array, info: Uint8Array, enc: Uint8Array): Promise<Bytes> {
  const recipientKey = await xWing.deserializePrivateKey(buffer(seed));
  const recipient = await suite2.createRecipientContext({
    recipientKey,
    info: buffer(info),
    enc: buffer(enc),
  });
  return new Uint8Array(await recipient.export(buffer(EXPORT), 32));
}

/** The public halves derived from a seed: ML-KEM's 1,184 bytes and X25519's 32. */
export async function publicHalves2(seed: Uint8Array): Promise<{ pkM: Bytes; pkX: Bytes }> {
  const { publicKey } = await xWing.generateKeyPairDerand(concat(seed));
  const whole = new Uint8Array(await xWing.serializePublicKey(publicKey));
  return { pkM: whole.slice(0, 1184), pkX: whole.slice(1184) };
}
