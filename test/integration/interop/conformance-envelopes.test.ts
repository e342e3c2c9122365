/**
 * Sending to a person, single and batch: the specification's §2.1 and §4.5, the protocol's §6, §7 and §9. Unsealed
 * envelopes are in refusals.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Accepted, Calls, Keys, Problem, Results } from '../../interop/by-hand/calls.ts';
import { createApiKey } from '../../interop/by-hand/credentials.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { toBase64url } from '../../interop/bytes.ts';
import type { Envelope } from '../../interop/seal.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 86_400_000;

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let sender: Account;
let reader: Account;
let keys: Keys;
let key: Calls;

beforeAll(async () => {
  await relay.start();
  [sender, reader] = await Promise.all([Account.signUp(relay.url, ['api']), Account.signUp(relay.url)]);
  keys = await sender.keysOf(reader.address);
  key = (await createApiKey(sender)).calls;
});
afterAll(() => relay[Symbol.asyncDispose]());

async function sealed(text = 'Hello'): Promise<Envelope> {
  return only(await sender.sealFor(keys, sender.text(reader.address, text)));
}

const batch = (envelopes: unknown) => key.send<Results & Problem>('POST', '/envelopes', { envelopes });

describe('a single envelope', () => {
  it('§9: is answered with 201, its id and the time of acceptance', async () => {
    const before = Date.now();
    const { id, acceptedAt, ...rest } = await key.expect<Accepted>(201, 'POST', '/envelopes', await sealed());
    expect(rest).toEqual({});
    expect(id).toMatch(/^[\w-]+$/);
    expect(Date.parse(acceptedAt)).toBeGreaterThanOrEqual(before - 1);
    expect(only(await reader.receive())).toMatchObject({
      id,
      from: sender.address,
      via: 'api_key',
      receivedAt: acceptedAt,
    });
  });

  it('§9: sent again is answered with 200 and the same, also after it was acknowledged, and is delivered once', async () => {
    const envelope = await sealed();
    const first = await key.expect<Accepted>(201, 'POST', '/envelopes', envelope);
    expect(await key.expect<Accepted>(200, 'POST', '/envelopes', envelope)).toEqual(first);
    expect(await reader.receive()).toHaveLength(1);
    expect(await key.expect<Accepted>(200, 'POST', '/envelopes', envelope)).toEqual(first);
    expect(await reader.receive()).toEqual([]);
  });

  it('§6: sent many times at once is accepted once', async () => {
    const envelope = await sealed();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => key.send<Accepted>('POST', '/envelopes', envelope)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await reader.receive()).toHaveLength(1);
  });

  it('§6: is another one from another sender, or with another nonce', async () => {
    const envelope = await sealed();
    const { id } = await key.expect<Accepted>(201, 'POST', '/envelopes', envelope);
    const other = await reader.session.expect<Accepted>(201, 'POST', '/envelopes', envelope);
    const nonce = toBase64url(Buffer.alloc(12, 0xfe));
    const changed = await key.expect<Accepted>(201, 'POST', '/envelopes', { ...envelope, nonce });
    expect(new Set([id, other.id, changed.id]).size).toBe(3);
    await reader.receive();
  });

  it('§2.1: accepts asRequest true, false or absent', async () => {
    for (const asRequest of [true, false]) {
      const [envelope] = await sender.sealFor(keys, sender.text(reader.address, 'Hi'), { asRequest });
      const sent = { ...envelope, asRequest };
      const { id } = await key.expect<Accepted>(201, 'POST', '/envelopes', sent);
      expect(only(await reader.receive())).toMatchObject({ id, asRequest });
    }
    await key.expect(201, 'POST', '/envelopes', await sealed());
    expect(only(await reader.receive()).asRequest ?? false).toBe(false);
    const malformed = { ...(await sealed()), asRequest: 'yes' };
    expectProblem(await key.send('POST', '/envelopes', malformed), 400, 'invalid_request');
  });

  it.each(['toAddress', 'ciphertext', 'ephemeralPublicKey', 'nonce'] as const)(
    '§2.1: needs its %s',
    async (field) => {
      const { [field]: _, ...rest } = await sealed();
      const answer = await key.send<Problem>('POST', '/envelopes', rest);
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.body.errors).toMatchObject([{ path: field }]);
    },
  );

  it('§6: without recipientDeviceKey goes to every device of the address, each acknowledging for itself', async () => {
    const twofold = await Account.signUp(relay.url);
    const second = await createDevice('app');
    await twofold.certify([], [twofold.device, second]);
    const [copy] = await sender.sealFor(
      await sender.keysOf(twofold.address),
      sender.text(twofold.address, 'Hi'),
    );
    const { recipientDeviceKey: _, ...sample } = copy ?? {};
    const { id } = await key.expect<Accepted>(201, 'POST', '/envelopes', sample);
    expect((await twofold.receive()).map((envelope) => envelope.id)).toEqual([id]);
    const path = `/inbox?device=${second.listed.deviceId}`;
    const other = await twofold.session.expect<{ envelopes: { id: string }[] }>(200, 'GET', path);
    expect(other.envelopes.map((envelope) => envelope.id)).toEqual([id]);
  });
});

describe('a batch', () => {
  it('§6: is answered in order, for any mixture', async () => {
    const [one, two] = [await sealed('one'), await sealed('two')];
    const { nonce: _, ...incomplete } = two;
    const { status, body } = await batch([
      one,
      { ...two, text: 'Hello' },
      incomplete,
      { ...two, recipientDeviceKey: sender.device.sealKeys.publicKey },
      two,
      one,
    ]);
    expect(status).toBe(200);
    expect(body.results).toEqual([
      { status: 'accepted', id: expect.any(String) },
      {
        status: 'rejected',
        error: { code: 'plaintext_rejected', reason: expect.any(String), detail: expect.any(String) },
      },
      {
        status: 'rejected',
        error: { code: 'invalid_request', reason: expect.any(String), detail: expect.any(String) },
      },
      {
        status: 'rejected',
        error: { code: 'unknown_device', reason: expect.any(String), detail: expect.any(String) },
      },
      { status: 'accepted', id: expect.any(String) },
      { status: 'duplicate', id: body.results[0]?.id },
    ]);
    expect((await reader.receive()).map(({ id }) => id)).toEqual([body.results[0]?.id, body.results[4]?.id]);
  });

  it('§8: accepts 500 envelopes and not 501', async () => {
    const envelope = await sealed();
    const many = Array.from({ length: 500 }, (_, index) => {
      const nonce = Buffer.alloc(12, 0xfe);
      nonce.writeUInt16BE(index);
      return { ...envelope, nonce: toBase64url(nonce) };
    });
    const { status, body } = await batch(many);
    expect(status).toBe(200);
    expect(body.results.every((result) => result.status === 'accepted')).toBe(true);
    expectProblem(await batch([...many, envelope]), 413, 'too_large');
    while ((await reader.receive()).length > 0);
  });

  it.each([[[]], ['one'], [{}], [null]])('§1: is refused when envelopes is %j', async (envelopes) => {
    expectProblem(await batch(envelopes), 400, 'invalid_request');
  });

  it('§1: is refused with fields of a single envelope beside it', async () => {
    const answer = await key.send<Problem>('POST', '/envelopes', {
      ...(await sealed()),
      envelopes: [await sealed()],
    });
    expectProblem(answer, 400, 'invalid_request');
    expect(await reader.receive()).toEqual([]);
  });
});

describe('the relay’s memory', () => {
  it('§6: an envelope waits for 30 days, then it is deleted with the memory of it', async () => {
    await using clocked = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
    const [from, to] = [await Account.signUp(clocked.url), await Account.signUp(clocked.url)];
    const { recipientDeviceKey: _, ...envelope } = only(
      await from.sealFor(await from.keysOf(to.address), from.text(to.address, 'Old')),
    );
    await from.session.expect(201, 'POST', '/envelopes', envelope);
    await to.receive();
    const unread = { ...envelope, nonce: toBase64url(Buffer.alloc(12, 0xfe)) };
    await from.session.expect(201, 'POST', '/envelopes', unread);

    clocked.ahead = 29 * DAY;
    await Promise.all([from.login(), to.login()]);
    expect((await to.poll()).envelopes).toHaveLength(1);
    await from.session.expect(200, 'POST', '/envelopes', envelope);

    clocked.ahead = 31 * DAY;
    // Retention is a job that runs now and then, also at the start.
    await clocked.stop();
    await clocked.start();
    await Promise.all([from.login(), to.login()]);
    await expect.poll(async () => (await to.poll()).envelopes).toEqual([]);
    await from.session.expect(201, 'POST', '/envelopes', envelope);
    expect(await to.receive()).toHaveLength(1);
  });
});
