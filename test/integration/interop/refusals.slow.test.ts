/**
 * Requests of an independent client that the relay refuses, with the statuses and codes of the protocol's page.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { Calls, type Challenge, type Problem, type Results } from '../../interop/by-hand/calls.ts';
import { createDevice, statementOf } from '../../interop/by-hand/device.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { fromBase64url, toBase64url } from '../../interop/bytes.ts';
import { type DeviceList, type ListContent, signList } from '../../interop/device-list.ts';
import type { Envelope } from '../../interop/seal.ts';
import type { Wallet } from '../../interop/wallet.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const NOBODY = `0x${'ab'.repeat(20)}`;

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ada: Account;
let bob: Account;

beforeAll(async () => {
  await relay.start();
  [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** A list that is dated now. */
const signNow = (wallet: Wallet, before: DeviceList | null, content: Omit<ListContent, 'issued'>) =>
  signList(wallet, before, { issued: new Date().toISOString(), ...content });

async function sealed(): Promise<Envelope> {
  return only(await ada.sealFor(await ada.keysOf(bob.address), ada.text(bob.address, 'Hello')));
}

/** The envelope with bytes of its ciphertext replaced. */
function withCiphertext(envelope: Envelope, change: (bytes: Buffer) => Uint8Array): Envelope {
  return { ...envelope, ciphertext: toBase64url(change(Buffer.from(envelope.ciphertext, 'base64url'))) };
}

function withByte(envelope: Envelope, at: number, value: number): Envelope {
  return withCiphertext(envelope, (bytes) => {
    bytes[at] = value;
    return bytes;
  });
}

function withEphemeralKey(envelope: Envelope, hex: string): Envelope {
  return { ...envelope, ephemeralPublicKey: toBase64url(Buffer.from(hex, 'hex')) };
}

/** The same bytes in base64url whose unused bits are not zero. */
function notCanonical(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
}

describe('an envelope that is not sealed correctly', () => {
  const cases: [string, (envelope: Envelope) => object][] = [
    ...['plaintext', 'text', 'message', 'body', 'content'].map(
      (field): [string, (envelope: Envelope) => object] => [
        `a field named ${field}`,
        (envelope) => ({ ...envelope, [field]: 'Hello' }),
      ],
    ),
    ['a nonce of 11 bytes', (envelope) => ({ ...envelope, nonce: toBase64url(new Uint8Array(11)) })],
    ['a nonce of 16 bytes', (envelope) => ({ ...envelope, nonce: toBase64url(new Uint8Array(16)) })],
    ['a key of 31 bytes', (envelope) => withEphemeralKey(envelope, '09'.repeat(31))],
    ['one byte too many', (envelope) => withCiphertext(envelope, (b) => Buffer.concat([b, Buffer.of(7)]))],
    ['one byte too few', (envelope) => withCiphertext(envelope, (bytes) => bytes.subarray(0, -1))],
    ['nothing but the header', (envelope) => withCiphertext(envelope, (bytes) => bytes.subarray(0, 12))],
    ['base64 with padding', (envelope) => ({ ...envelope, ciphertext: `${envelope.ciphertext}==` })],
    ['the + of another base64', (envelope) => ({ ...envelope, nonce: `+${envelope.nonce.slice(1)}` })],
    [
      'base64url with unused bits set',
      (envelope) => ({ ...envelope, ephemeralPublicKey: notCanonical(envelope.ephemeralPublicKey) }),
    ],
    ['the key of low order 0', (envelope) => withEphemeralKey(envelope, '00'.repeat(32))],
    ['the key of low order 1', (envelope) => withEphemeralKey(envelope, `01${'00'.repeat(31)}`)],
    [
      'a key of order 8',
      (envelope) =>
        withEphemeralKey(envelope, 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'),
    ],
    ['a key beyond the prime', (envelope) => withEphemeralKey(envelope, `f0${'ff'.repeat(30)}7f`)],
    ['a key with its highest bit set', (envelope) => withEphemeralKey(envelope, `${'05'.repeat(31)}85`)],
    ['an unknown version', (envelope) => withByte(envelope, 0, 2)],
    ['an unknown suite', (envelope) => withByte(envelope, 1, 2)],
    ['an unknown flag', (envelope) => withByte(envelope, 2, 4)],
    ['a reserved byte that is not zero', (envelope) => withByte(envelope, 3, 1)],
    ['an asRequest that the header does not have', (envelope) => ({ ...envelope, asRequest: true })],
    [
      'a sealed part that is readable text',
      (envelope) =>
        withCiphertext(envelope, (b) => Buffer.concat([b.subarray(0, 12), Buffer.alloc(272, 'Grüße')])),
    ],
  ];

  it.each(cases)('is refused as plaintext for %s, and nothing arrives', async (_, change) => {
    const answer = await ada.session.send<Problem>('POST', '/envelopes', change(await sealed()));
    expectProblem(answer, 422, 'plaintext_rejected');
    expect((await bob.poll()).envelopes).toEqual([]);
  });

  it('is refused within a batch, whose other envelopes arrive', async () => {
    const good = await sealed();
    const batch = { envelopes: [{ ...good, text: 'Hello' }, good] };
    const { results } = await ada.session.expect<Results>(200, 'POST', '/envelopes', batch);
    expect(results).toMatchObject([
      { status: 'rejected', error: { code: 'plaintext_rejected' } },
      { status: 'accepted' },
    ]);
    const received = only((await bob.poll()).envelopes);
    await bob.acknowledge([received.id]);
  });
});

describe('an envelope that cannot be delivered', () => {
  const send = (envelope: object) => ada.session.send<Problem>('POST', '/envelopes', envelope);

  it('is refused as unknown for a device key that was replaced', async () => {
    const dee = await Account.bare(relay.url);
    const stale = only(await ada.sealFor(await ada.keysOf(dee.address), ada.text(dee.address, 'late')));
    await dee.rotateSealKey();
    expectProblem(await send(stale), 422, 'unknown_device');
  });

  it('is refused as unknown for the device key of someone else', async () => {
    const recipientDeviceKey = ada.device.sealKeys.publicKey;
    expectProblem(await send({ ...(await sealed()), recipientDeviceKey }), 422, 'unknown_device');
  });

  it('is refused as not found for an address without devices', async () => {
    const { recipientDeviceKey: _, ...envelope } = await sealed();
    expectProblem(await send({ ...envelope, toAddress: NOBODY }), 404, 'not_found');
  });

  it('is refused as malformed for other fields, none, or an address in capitals', async () => {
    const { nonce: _, ...withoutNonce } = await sealed();
    expectProblem(await send({ ...(await sealed()), subject: 'Hello' }), 400, 'invalid_request');
    expectProblem(await send(withoutNonce), 400, 'invalid_request');
    const toAddress = bob.shownAddress;
    expectProblem(await send({ ...(await sealed()), toAddress }), 400, 'invalid_request');
  });

  it('is refused as too large beyond 65,536 bytes, and a batch beyond 500 envelopes', async () => {
    const envelope = await sealed();
    const long = withCiphertext(envelope, (bytes) => Buffer.concat([bytes, Buffer.alloc(70_000, 0xff)]));
    expectProblem(await send(long), 413, 'too_large');
    expectProblem(await send({ envelopes: Array(501).fill(envelope) }), 413, 'too_large');
  });
});

describe('an unknown path', () => {
  it.each([`/keys/${NOBODY}`, '/handles/nobody_has_this', '/nowhere'])(
    '%s is answered with 404',
    async (path) => {
      expectProblem(await ada.session.send('GET', path), 404, 'not_found');
    },
  );

  it("another's inbox is answered with unknown_device", async () => {
    const device = bob.device.listed.deviceId;
    expectProblem(await ada.session.send('GET', `/inbox?device=${device}`), 422, 'unknown_device');
    const acknowledge = { device, ids: ['anything'] };
    expectProblem(await ada.session.send('POST', '/inbox/ack', acknowledge), 422, 'unknown_device');
  });
});

describe('a credential', () => {
  it('gets the same 401 whether it is missing, malformed, unknown, revoked, locked or expired', async () => {
    await using clocked = await new TestRelay().start();
    const eve = await Account.bare(clocked.url);
    const enable = (enabled: boolean) => eve.session.expect(200, 'PUT', '/me/developer-access', { enabled });
    const newKey = () =>
      eve.session.expect<{ id: string; secret: string }>(201, 'POST', '/me/api-keys', { name: 'Key' });
    await enable(true);
    const [revoked, locked] = [await newKey(), await newKey()];
    await new Calls(clocked.url, revoked.secret).expect(200, 'GET', '/me');
    await eve.session.expect(204, 'DELETE', `/me/api-keys/${revoked.id}`);
    await enable(false);
    clocked.ahead = 16 * 60_000;

    const unknown = `${'0'.repeat(42)}A`;
    const session = eve.session.token ?? '';
    const tokens = [null, '', 'x', 'ses_x', session.slice(0, -1), `${session}A`, session.toUpperCase()];
    tokens.push(`ses_${unknown}`, `sk_live_${unknown}`, `gtk_live_${unknown}`);
    tokens.push(revoked.secret, locked.secret, session);
    const problems = await Promise.all(
      tokens.map(async (token) => {
        const answer = await new Calls(clocked.url, token).send<Problem>('GET', '/me');
        expectProblem(answer, 401, 'unauthorized');
        const { requestId: _, ...problem } = answer.body;
        return problem;
      }),
    );
    for (const problem of problems) expect(problem).toEqual(problems[0]);
  });

  it('without an entitlement gets its name', async () => {
    const eve = await Account.bare(relay.url);
    await eve.session.expect(200, 'PUT', '/me/developer-access', { enabled: true });
    const wanted = { name: 'Reader', entitlements: ['directory:read'] };
    const { secret } = await eve.session.expect<{ secret: string }>(201, 'POST', '/me/api-keys', wanted);
    const answer = await new Calls(relay.url, secret).send<Problem>('POST', '/envelopes', await sealed());
    expectProblem(answer, 403, 'missing_entitlement');
    expect(answer.body.detail).toContain('envelopes:send');
  });

  it('is not issued for a login that another wallet signed', async () => {
    const anonymous = new Calls(relay.url, null);
    const { address } = ada;
    const challenge = await anonymous.expect<Challenge>(200, 'POST', '/auth/challenge', {
      address,
    });
    const signature = await bob.wallet.sign(ada.loginText(challenge));
    const body = { address, nonce: challenge.nonce, signature };
    expectProblem(await anonymous.send('POST', '/auth/session', body), 401, 'unauthorized');
    const right = await ada.wallet.sign(ada.loginText(challenge));
    const burnt = { ...body, signature: right };
    expectProblem(await anonymous.send('POST', '/auth/session', burnt), 401, 'unauthorized');
  });
});

describe('a device list', () => {
  const publish = (deviceList: DeviceList) =>
    ada.session.send<Problem>('PUT', '/me/devices', { deviceList, sealKeys: [] });
  const next = () => signNow(ada.wallet, ada.list, { unsigned: ['api'], devices: [ada.device.listed] });

  /** The other signature of the same text: n - s, with v inverted (EIP-2). */
  function highS({ signature }: DeviceList): DeviceList['signature'] {
    const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
    return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`;
  }

  const cases: [string, (list: DeviceList) => DeviceList | Promise<DeviceList>][] = [
    [
      'one digit of the signature changed',
      (list) => ({
        ...list,
        signature: `0x${list.signature[2] === '1' ? '2' : '1'}${list.signature.slice(3)}`,
      }),
    ],
    ['the high-s form of its signature', (list) => ({ ...list, signature: highS(list) })],
    ['a signature that is too short', (list) => ({ ...list, signature: `0x${list.signature.slice(4)}` })],
    ['a field changed after signing', (list) => ({ ...list, unsigned: [] })],
    [
      'the signature of another wallet',
      () => signNow(bob.wallet, ada.list, { unsigned: ['api'], devices: [ada.device.listed] }),
    ],
    [
      "a device whose id is not its key's",
      () =>
        signNow(ada.wallet, ada.list, {
          unsigned: [],
          devices: [{ ...ada.device.listed, deviceId: bob.device.listed.deviceId }],
        }),
    ],
  ];
  it.each(cases)('is refused with %s', async (_, change) => {
    expectProblem(await publish(await change(await next())), 400, 'invalid_request');
    expect((await bob.keysOf(ada.address)).deviceList).toEqual(ada.list);
  });

  it('is refused when it skips one, names another list as the previous, or replaces the published one', async () => {
    const content = { unsigned: [] as 'api'[], devices: [ada.device.listed] };
    const skipping = await signNow(ada.wallet, await next(), content);
    expectProblem(await publish(skipping), 409, 'device_list_conflict');

    const never = await signNow(ada.wallet, null, { ...content, unsigned: ['api'] });
    const beside = await signNow(ada.wallet, never, content);
    expectProblem(await publish(beside), 409, 'device_list_conflict');
    expectProblem(await publish(never), 409, 'device_list_conflict');
    expect((await bob.keysOf(ada.address)).deviceList).toEqual(ada.list);
  });

  it('is accepted without the seal key of a new device, which cannot be sealed to until it has one', async () => {
    const dee = await Account.bare(relay.url);
    const added = await createDevice('app', false);
    const devices = [dee.device.listed, added.listed];
    const deviceList = await signNow(dee.wallet, dee.list, { unsigned: [], devices });
    await dee.session.expect(200, 'PUT', '/me/devices', { deviceList, sealKeys: [] });
    expect((await ada.keysOf(dee.address)).deviceKeys).toEqual([dee.device.sealKeys.publicKey]);
    const sealKey = statementOf(dee.address, added, 1, deviceList.sequence);
    await dee.session.expect(200, 'PUT', `/me/devices/${added.listed.deviceId}/seal-key`, { sealKey });
    expect((await ada.keysOf(dee.address)).deviceKeys).toContain(added.sealKeys.publicKey);
  });
});

describe('a seal key', () => {
  const path = () => `/me/devices/${ada.device.listed.deviceId}/seal-key`;

  it('is refused when another device signed it, or when a byte of it changed', async () => {
    const foreign = { ...statementOf(ada.address, bob.device, 2, 1), deviceId: ada.device.listed.deviceId };
    expectProblem(await ada.session.send('PUT', path(), { sealKey: foreign }), 400, 'invalid_request');
    const good = statementOf(
      ada.address,
      { ...ada.device, sealKeys: (await createDevice('app', false)).sealKeys },
      2,
      1,
    );
    const bytes = fromBase64url(good.signature);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    const changed = { ...good, signature: toBase64url(bytes) };
    expectProblem(await ada.session.send('PUT', path(), { sealKey: changed }), 400, 'invalid_request');
  });

  it('is refused when another device has it already', async () => {
    const statement = statementOf(ada.address, { ...ada.device, sealKeys: bob.device.sealKeys }, 2, 1);
    expectProblem(await ada.session.send('PUT', path(), { sealKey: statement }), 409, 'seal_key_conflict');
  });

  it('is refused when its sequence does not rise', async () => {
    const { sealKeys } = await createDevice('app', false);
    const sealKey = statementOf(ada.address, { ...ada.device, sealKeys }, 1, 1);
    expectProblem(await ada.session.send('PUT', path(), { sealKey }), 409, 'seal_key_conflict');
  });
});
