/**
 * The vectors of Waxwing's own format, computed by the client that was written from the protocol's page alone.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, test } from 'vitest';
import { type Bytes, base64url, utf8 } from '../../interop/bytes.ts';
import { type Channel, judgeContents, maySend, type Proof } from '../../interop/contents.ts';
import {
  type DeviceList,
  deviceListText,
  hashOfList,
  isSealKeyGood,
  type SealKey,
  sealKeyBytes,
  signDeviceList,
  verifyDeviceList,
} from '../../interop/device.ts';
import { decodePayload, encodeBody, encodeByBot, isOfBot, verifyPayload } from '../../interop/payload.ts';
import { Taken, timesCount } from '../../interop/replay.ts';
import { generateSealKeyPair, open, privateKeysOf } from '../../interop/sealing.ts';
import { isText } from '../../interop/text.ts';
import { Remembered } from '../../interop/trust.ts';

function read<T>(name: string): T {
  return JSON.parse(
    readFileSync(new URL(`../../vectors/waxwing/${name}.json`, import.meta.url), 'utf8'),
  ) as T;
}

const bytes = (hex: string): Bytes => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (data: Uint8Array) => Buffer.from(data).toString('hex');

/** An Ed25519 private key of RFC 8032's 32 bytes. */
function signingKeyOf(seed: string) {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), bytes(seed)]);
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

describe('kinds.json', () => {
  const vectors = read<{
    text: { piece: string; times: number; isText: boolean }[];
    contents: { why: string; channel: Channel; as: string; body: Record<string, unknown> }[];
  }>('kinds');

  it('has what is a text and what is none', () => {
    for (const { piece, times, isText: expected } of vectors.text) {
      expect(isText(piece.repeat(times), 16_384), JSON.stringify({ piece, times })).toBe(expected);
    }
  });

  it.each(vectors.contents)('$why ($channel)', ({ channel, as, body }) => {
    expect(judgeContents(channel, body)).toBe(as);
  });
});

describe('suite2.json', () => {
  interface Copy {
    why: string;
    from: string;
    to: string;
    seed: string;
    asRequest: boolean;
    ciphertext: string;
    ephemeralPublicKey: string;
    nonce: string;
  }
  type Sealed = Omit<Copy, 'ciphertext' | 'ephemeralPublicKey'> & {
    payload: string;
    wire: Pick<Copy, 'ciphertext' | 'ephemeralPublicKey' | 'nonce'>;
  };
  const vectors = read<{ positive: Sealed[]; negative: Copy[] }>('suite2');

  it.each(vectors.positive)('$why', async ({ from, to, seed, asRequest, payload, wire }) => {
    const route = { from, toAddress: to, asRequest };
    const opened = await open({ ...wire, ...route }, await privateKeysOf(bytes(seed)));
    expect(hexOf(opened.payload)).toBe(payload);
  });

  it.each(vectors.negative)('$why', async ({ from, to, seed, asRequest, ...sealed }) => {
    const wire = {
      ciphertext: base64url(bytes(sealed.ciphertext)),
      ephemeralPublicKey: base64url(bytes(sealed.ephemeralPublicKey)),
      nonce: base64url(bytes(sealed.nonce)),
    };
    const route = { from, toAddress: to, asRequest };
    const opening = open({ ...wire, ...route }, await privateKeysOf(bytes(seed)));
    await expect(opening).rejects.toThrow('cannot be opened');
  });
});

describe('rights.json', () => {
  const { cases } = read<{
    cases: {
      why: string;
      proof: Proof;
      channel: Channel;
      kind: string;
      mayBeSent: boolean;
    }[];
  }>('rights');

  it.each(cases)('$why: $kind', ({ proof, kind, mayBeSent, channel }) => {
    expect(maySend(proof, kind, channel)).toBe(mayBeSent);
  });
});

describe('replay.json', () => {
  const vectors = read<{
    rememberSeconds: number;
    times: {
      why: string;
      now: string;
      receivedAt: string;
      sentAt: string;
      retentionSeconds: number | null;
      counts: boolean;
    }[];
    repeats: { why: string; signed: boolean; unsigned: boolean; isSigned: boolean; wasTaken: boolean }[];
  }>('replay');

  it.each(vectors.times)('$why', ({ now, receivedAt, sentAt, retentionSeconds, counts }) => {
    const times = {
      now: Date.parse(now),
      receivedAt: Date.parse(receivedAt),
      sentAt: Date.parse(sentAt),
      retention: retentionSeconds === null ? null : retentionSeconds * 1000,
    };
    expect(timesCount(times)).toBe(counts);
  });

  it.each(vectors.repeats)('$why', ({ signed, unsigned, isSigned, wasTaken }) => {
    const taken = new Taken();
    if (signed) taken.note('a', 'b', true, 0);
    if (unsigned) taken.note('a', 'b', false, 0);
    expect(taken.has('a', 'b', isSigned)).toBe(wasTaken);
    expect(taken.has('a', 'c', isSigned)).toBe(false);
  });

  it('has how long is remembered', () => {
    expect(Taken.rememberedFor).toBe(vectors.rememberSeconds * 1000);
  });
});

describe('payloads.json', () => {
  interface Signed {
    body: string;
    deviceSeed: string;
    deviceKey: string;
    deviceId: string;
    signature: string;
    payload: string;
  }
  interface Bad {
    why: string;
    payload: string;
  }
  const vectors = read<{
    signedDirect: Signed;
    signedGroup: Signed;
    unsignedDirect: { body: string; payload: string };
    unsignedGroup: { body: string; payload: string };
    notSignedBy: Bad[];
    malformed: Bad[];
  }>('payloads');
  const AT = '2026-11-20T20:00:00.000Z';

  async function deviceOf({ deviceSeed, deviceKey, deviceId }: Signed) {
    const listed = {
      deviceId: base64url(bytes(deviceId)),
      key: base64url(bytes(deviceKey)),
      type: 'app' as const,
      validUntil: '2027-11-20T20:00:00.000Z',
    };
    const sealKeys = await generateSealKeyPair();
    return { listed, signingKey: signingKeyOf(deviceSeed), sealKeys, postQuantum: true, earlierSealKeys: [] };
  }
  const listOf = (device: Awaited<ReturnType<typeof deviceOf>>) =>
    ({ devices: [device.listed] }) as unknown as DeviceList;

  it.each([
    ['signedDirect', 'SEALEDMSG'],
    ['signedGroup', 'SEALEDGRP'],
  ] as const)('%s is what we write, and holds', async (name, label) => {
    const signed = vectors[name];
    const device = await deviceOf(signed);
    const payload = encodeBody(utf8(signed.body), label, device);
    expect(hexOf(payload)).toBe(signed.payload);
    const parts = decodePayload(payload);
    expect(parts.body).toEqual(JSON.parse(signed.body));
    verifyPayload(parts, listOf(device), AT);
  });

  it.each([
    ['unsignedDirect', 'SEALEDMSG'],
    ['unsignedGroup', 'SEALEDGRP'],
  ] as const)('%s is what we write, and says that nobody signed it', (name, label) => {
    const payload = encodeBody(utf8(vectors[name].body), label, null);
    expect(hexOf(payload)).toBe(vectors[name].payload);
    expect(decodePayload(payload).signed).toBeNull();
  });

  it.each(vectors.notSignedBy)('its signature does not hold: $why', async ({ payload }) => {
    const device = await deviceOf(vectors.signedDirect);
    const parts = decodePayload(bytes(payload));
    expect(() => verifyPayload(parts, listOf(device), AT)).toThrow('the signature is wrong');
  });

  it.each(vectors.malformed)('is refused: $why', ({ payload }) => {
    expect(() => decodePayload(bytes(payload))).toThrow();
  });
});

describe('bots.json', () => {
  const vectors = read<{
    seed: string;
    publicKey: string;
    payload: { body: string; payload: string };
    notSigned: { why: string; payload: string }[];
  }>('bots');
  const key = signingKeyOf(vectors.seed);

  it('what a bot signs is what we write, and holds', () => {
    const { body, payload } = vectors.payload;
    expect(hexOf(encodeByBot(JSON.parse(body), key))).toBe(payload);
    expect(isOfBot(decodePayload(bytes(payload)), vectors.publicKey)).toBe(true);
  });

  it.each(vectors.notSigned)('is not signed by it: $why', ({ payload }) => {
    const isSigned = () => isOfBot(decodePayload(bytes(payload)), vectors.publicKey);
    let found = false;
    try {
      found = isSigned();
    } catch {
      // It is no payload at all.
    }
    expect(found).toBe(false);
  });
});

describe('devices.json', () => {
  const vectors = read<{
    now: string;
    address: string;
    walletKey: string;
    deviceSeeds: string[];
    chain: { text: string; hash: string; deviceList: DeviceList }[];
    badLists: { why: string; deviceList: DeviceList }[];
    sealKeys: {
      signedBytes: string;
      sealKey: SealKey;
      negative: { why: string; sealKey: SealKey }[];
    };
  }>('devices');
  const now = Date.parse(vectors.now);
  const { address } = vectors;

  test('each list of the chain has this text, hash and signature, and follows the one before', async () => {
    const wallet = privateKeyToAccount(`0x${vectors.walletKey}`);
    const remembered = new Remembered(address);
    let previous: DeviceList | null = null;
    for (const { text, hash, deviceList } of vectors.chain) {
      expect(deviceListText(address, deviceList)).toBe(text);
      expect(hashOfList(address, deviceList)).toBe(hash);
      await verifyDeviceList(address, deviceList, now);
      expect(await signDeviceList(wallet, previous, deviceList)).toEqual(deviceList);
      expect(await remembered.show(deviceList, async () => [])).toBe(previous ? 'follows' : 'first');
      previous = deviceList;
    }
    expect(vectors.chain).toHaveLength(2);
  });

  it.each(vectors.badLists)('a list is refused: $why', async ({ deviceList }) => {
    await expect(verifyDeviceList(address, deviceList, now)).rejects.toThrow();
  });

  test('the statement of a seal key has these bytes and this signature', () => {
    const { sealKey, signedBytes } = vectors.sealKeys;
    expect(hexOf(sealKeyBytes(address, sealKey))).toBe(signedBytes);
    const [seed = ''] = vectors.deviceSeeds;
    expect(base64url(sign(null, bytes(signedBytes), signingKeyOf(seed)))).toBe(sealKey.signature);
    const listed = createPublicKey(signingKeyOf(seed)).export({ format: 'jwk' }).x;
    expect(vectors.chain[0]?.deviceList.devices[0]?.key).toBe(listed);
    expect(vectors.chain.map(({ deviceList }) => isSealKeyGood(address, deviceList, sealKey, now))).toEqual([
      true,
      true,
    ]);
  });

  it.each(vectors.sealKeys.negative)('a statement is refused: $why', ({ sealKey }) => {
    const list = vectors.chain[0]?.deviceList;
    expect(list && isSealKeyGood(address, list, sealKey, now)).toBe(false);
  });
});

describe('history.json', () => {
  const vectors = read<{
    now: string;
    address: string;
    lists: Record<string, DeviceList>;
    cases: { why: string; seen: string[]; shown: string; between: string[]; becomes: string }[];
    sealKeys: {
      keys: Record<string, SealKey>;
      cases: { why: string; seen: string[]; shown: string; counts: boolean }[];
    };
  }>('history');
  const now = Date.parse(vectors.now);
  const listOf = (name: string): DeviceList => {
    const list = vectors.lists[name];
    if (!list) throw new Error(`no list ${name}`);
    return list;
  };
  const keyOf = (name: string): SealKey => {
    const key = vectors.sealKeys.keys[name];
    if (!key) throw new Error(`no key ${name}`);
    return key;
  };
  const becomes = { first: 'pin', follows: 'pin', pin: 'pin', fork: 'fork', older: 'behind' } as const;

  it.each(vectors.cases)('$why', async ({ seen, shown, between, becomes: expected }) => {
    const remembered = new Remembered(vectors.address);
    for (const name of seen) await remembered.show(listOf(name), async () => [], now);
    const pin = remembered.pin;
    const verdict = await remembered
      .show(listOf(shown), async () => between.map(listOf), now)
      .catch(() => 'nothing' as const);
    expect(verdict === 'nothing' || verdict === 'rejected' ? 'nothing' : becomes[verdict]).toBe(expected);
    expect(remembered.pin).toEqual(expected === 'pin' ? listOf(shown) : pin);
    expect(remembered.fork).toEqual(expected === 'fork' ? listOf(shown) : null);
    if (expected === 'fork') expect(remembered.waitingFor).toBe('fork');
    if (expected === 'behind') expect(remembered.waitingFor).toBe('hidden');
    if (expected === 'pin') expect(remembered.waitingFor).toBeNull();
  });

  it.each(vectors.sealKeys.cases)('a seal key: $why', async ({ seen, shown, counts }) => {
    const remembered = new Remembered(vectors.address);
    await remembered.show(listOf('first'), async () => [], now);
    for (const name of seen) remembered.judgeSealKeys([keyOf(name)], now);
    expect(remembered.judgeSealKeys([keyOf(shown)], now)).toEqual(counts ? [keyOf(shown)] : []);
    expect(remembered.waitingFor).toBe(counts ? null : 'old keys');
  });

  test('a decision between two lists is remembered, and what follows the other one is a fork again', async () => {
    for (const chosen of ['pin', 'other'] as const) {
      const remembered = new Remembered(vectors.address);
      for (const name of ['first', 'second', 'otherSecond']) {
        await remembered.show(listOf(name), async () => [], now);
      }
      remembered.decide(chosen);
      const [kept, other] = chosen === 'pin' ? ['second', 'otherSecond'] : ['otherSecond', 'second'];
      expect(remembered.pin).toEqual(listOf(kept));
      expect(await remembered.show(listOf(other), async () => [], now)).toBe('rejected');
      expect(remembered.waitingFor).toBe('hidden');
      expect(await remembered.show(listOf(kept), async () => [], now)).toBe('pin');
      expect(remembered.waitingFor).toBeNull();
      const following = chosen === 'pin' ? 'otherThird' : 'third';
      expect(await remembered.show(listOf(following), async () => [listOf(other)], now)).toBe('fork');
    }
  });
});
