import { describe, expect, test } from 'vitest';
import { fromBase64url, fromHex, toBase64url, toHex } from '../../interop/bytes.ts';
import { exportedKey, publicHalves2, schedule1 } from '../../interop/hpke.ts';
import { x25519, x25519Public } from '../../interop/keys.ts';
import { bucketFor, pad, unpad } from '../../interop/padding.ts';
import { headerBytes, newSealSecret, open, seal, sealInfo } from '../../interop/seal.ts';
import { all, readVectors } from './read-vectors.ts';

/** Known answers of sealing, reproduced by the client of test/interop. */

describe('padding.json', () => {
  const { lengths, example, tooLong } = readVectors('padding');
  test('every length has its bucket', () => {
    for (const { payload, padded } of lengths) expect(bucketFor(payload), String(payload)).toBe(padded);
    const payload = fromHex(example.payload);
    expect(toHex(pad(payload))).toBe(example.padded);
    expect(toHex(unpad(fromHex(example.padded)))).toBe(example.payload);
    expect(() => pad(new Uint8Array(tooLong))).toThrow('too long');
  });
});

describe('sealing.json', () => {
  const { positive, negative } = readVectors('sealing');
  test.each(all<Copy>(positive))('$why', async (v) => {
    const [skR, skE, pkR] = [fromHex(v.skR), fromHex(v.skE), fromHex(v.pkR)];
    expect(toHex(x25519Public(skE))).toBe(v.pkE);
    expect(toHex(sealInfo(v.from, v.to))).toBe(v.info);
    const schedule = schedule1(x25519(skE, pkR), fromHex(v.pkE), pkR, fromHex(v.info));
    const { dh, shared_secret, key_schedule_context, secret, exporter_secret } = schedule;
    for (const [name, value] of Object.entries({
      dh,
      shared_secret,
      key_schedule_context,
      secret,
      exporter_secret,
    })) {
      expect(toHex(value), name).toBe(v[name]);
    }
    expect(toHex(exportedKey(schedule))).toBe(v.key);
    expect(toHex(headerBytes({ ...v, suite: 1 }))).toBe(v.header);
    expect(toHex(pad(fromHex(v.payload)))).toBe(v.padded_payload);
    const random = { ephemeral: skE, nonce: fromHex(v.nonce) };
    const sealed = await seal(v, { key: pkR, pqKey: null }, v, fromHex(v.payload), random);
    expect({ ...sealed, asRequest: undefined }).toEqual({ ...v.wire, asRequest: undefined });
    expect(toHex(fromBase64url(sealed.ciphertext))).toBe(v.ciphertext);
    const opened = await open(v, await newSealSecret(1, skR), sealed);
    expect(toHex(opened.payload)).toBe(v.payload);
  });
  test.each(all<Copy>(negative))('does not open: $why', async (v) => {
    const sealed = wireOf(v);
    await expect(open(v, await newSealSecret(1, fromHex(v.skR)), sealed)).rejects.toThrow('cannot_open');
  });
});

/** One sealed copy; each test declares the further fields that it reads. */
// biome-ignore lint/suspicious/noExplicitAny: as in read-vectors.ts
interface Copy extends Record<string, any> {
  from: string;
  to: string;
  ciphertext: string;
  ephemeralPublicKey: string;
  nonce: string;
  asRequest: boolean;
  automated: boolean;
  senderListSequence: number;
  recipientListSequence: number;
}

const wireOf = (v: Copy) => ({
  ciphertext: toBase64url(fromHex(v.ciphertext)),
  ephemeralPublicKey: toBase64url(fromHex(v.ephemeralPublicKey)),
  nonce: toBase64url(fromHex(v.nonce)),
  asRequest: v.asRequest,
});

describe('suite2.json', () => {
  const { positive, negative } = readVectors('suite2');
  test.each(all<Copy>(positive))('$why', async (v) => {
    const { pkM, pkX } = await publicHalves2(fromHex(v.seed));
    expect(toHex(pkM)).toBe(v.pk_M);
    expect(toHex(pkX)).toBe(v.pk_X);
    const random = { ephemeral: fromHex(v.m + v.skE), nonce: fromHex(v.nonce) };
    const sealed = await seal(v, { key: pkX, pqKey: pkM }, v, fromHex(v.payload), random);
    expect({ ...sealed, asRequest: undefined }).toEqual({ ...v.wire, asRequest: undefined });
    expect(toHex(fromBase64url(sealed.ciphertext))).toBe(v.ciphertext);
    const opened = await open(v, await newSealSecret(2, fromHex(v.seed)), sealed);
    expect(toHex(opened.payload)).toBe(v.payload);
  });
  test('a device with a seed also opens suite 0x01', async () => {
    const route = { from: positive[0].from, to: positive[0].to };
    const secret = await newSealSecret();
    const header = { asRequest: false, automated: true, senderListSequence: 1, recipientListSequence: 2 };
    const sealed = await seal(route, { key: secret.key, pqKey: null }, header, fromHex('00ff'));
    expect(await open(route, secret, sealed)).toMatchObject({ header: { ...header, suite: 1 } });
  });
  test.each(all<Copy>(negative))('does not open: $why', async (v) => {
    await expect(open(v, await newSealSecret(2, fromHex(v.seed)), wireOf(v))).rejects.toThrow('cannot_open');
  });
});
