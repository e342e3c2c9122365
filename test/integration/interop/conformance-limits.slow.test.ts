/**
 * Rate limits and quotas: the protocol's §8 and docs/protocol.md §11. The limits are configured low, to be met.
 */
import { describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import {
  type Accepted,
  type Answer,
  Calls,
  type GroupResults,
  type Me,
  type Problem,
  type Results,
} from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { groupText, sealForGroup } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import type { Envelope } from '../../interop/seal.ts';
import { ROOMY_RATES, WHOLE_QUEUE } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const LOW = { burst: 6, perSecond: 1 };

/** A relay with a low value for one limit, and high values for all others. */
function startRelay(limits: object, steady = new StoppedClock()): Promise<TestRelay> {
  return new TestRelay({ steady, limits: { rates: ROOMY_RATES, ...limits } }).start();
}

/** Calls until the refusal, at most 50 times. Returns the refusal and the earlier answers. */
async function untilRefused(call: () => Promise<Answer<Problem>>) {
  const before: Answer<Problem>[] = [];
  for (let calls = 0; calls < 50; calls += 1) {
    const answer = await call();
    if (answer.status === 429) return { answer, before };
    before.push(answer);
  }
  throw new Error('50 calls were not refused');
}

/** The seconds to wait, which must be whole and short. */
function retryAfter({ headers }: Answer<unknown>): number {
  const seconds = headers.get('retry-after');
  expect(seconds).toMatch(/^\d+$/);
  expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  expect(Number(seconds)).toBeLessThanOrEqual(10);
  return Number(seconds);
}

async function sealedFor(from: Account, to: Account, text = 'Hello'): Promise<Envelope> {
  return only(await from.sealFor(await from.keysOf(to.address), from.text(to.address, text)));
}

/** The same envelope with another nonce: a different envelope for the relay. */
function another(envelope: Envelope, index: number): Envelope {
  const nonce = Buffer.alloc(12, 0xfe);
  nonce.writeUInt16BE(index);
  return { ...envelope, nonce: nonce.toString('base64url') };
}

describe('rates', () => {
  it('§8: of a credential are reported in RateLimit, and beyond them is 429 with Retry-After, then it continues', async () => {
    const clock = new StoppedClock();
    await using relay = await startRelay({ rates: { ...ROOMY_RATES, credential: LOW } }, clock);
    const ada = await Account.bare(relay.url);
    await ada.login();
    const me = () => ada.session.send<Problem>('GET', '/me');
    const { answer, before } = await untilRefused(me);
    const left = before.map(({ headers }) =>
      /^"credential";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? ''),
    );
    expect(left.map((match) => Number(match?.[1]))).toEqual([5, 4, 3, 2, 1, 0]);
    expect(before[0]?.headers.get('ratelimit-policy')).toMatch(/^"credential";q=6;w=\d+$/);
    expectProblem(answer, 429, 'rate_limited');
    clock.pass(retryAfter(answer) * 1000);
    expect((await me()).status).toBe(200);
  });

  it('§8: of one credential are not those of another', async () => {
    await using relay = await startRelay({ rates: { ...ROOMY_RATES, credential: LOW } });
    const ada = await Account.bare(relay.url);
    await ada.login();
    const { calls } = await createApiKey(ada);
    await untilRefused(() => calls.send<Problem>('GET', '/me'));
    await ada.session.expect(200, 'GET', '/me');
  });

  it('§8: of a group token count like those of any credential', async () => {
    await using relay = await startRelay({ rates: { ...ROOMY_RATES, credential: LOW } });
    const ada = await Account.bare(relay.url);
    const { calls } = await createToken(ada, (await createGroup(ada)).id);
    const { answer } = await untilRefused(() => calls.send<Problem>('GET', '/me'));
    expectProblem(answer, 429, 'rate_limited');
  });

  it('§8: of a network address count wrong credentials too', async () => {
    await using relay = await startRelay({ rates: { ...ROOMY_RATES, address: LOW } });
    const nobody = new Calls(relay.url, `sk_live_${'A'.repeat(43)}`);
    const { answer, before } = await untilRefused(() => nobody.send<Problem>('GET', '/me'));
    for (const refusal of before) expectProblem(refusal, 401, 'unauthorized');
    expectProblem(answer, 429, 'rate_limited');
    expect(answer.headers.get('ratelimit')).toMatch(/^"address";r=0;/);
    retryAfter(answer);
  });

  it('§5: of logins are limited', async () => {
    await using relay = await startRelay({ rates: { ...ROOMY_RATES, login: LOW } });
    const anonymous = new Calls(relay.url, null);
    const body = { address: `0x${'ab'.repeat(20)}` };
    const { answer } = await untilRefused(() => anonymous.send<Problem>('POST', '/auth/challenge', body));
    expectProblem(answer, 429, 'rate_limited');
    retryAfter(answer);
  });

  it('of envelopes to one address count all senders together, and not other recipients', async () => {
    const clock = new StoppedClock();
    await using relay = await startRelay({ rates: { ...ROOMY_RATES, recipient: LOW } }, clock);
    const [ada, bob, cy] = await Promise.all([
      Account.bare(relay.url),
      Account.bare(relay.url),
      Account.bare(relay.url),
    ]);
    const envelope = await sealedFor(ada, cy);
    let sent = 0;
    const { answer } = await untilRefused(() => {
      sent += 1;
      const { session } = sent % 2 === 0 ? ada : bob;
      return session.send<Problem>('POST', '/envelopes', another(envelope, sent));
    });
    expectProblem(answer, 429, 'rate_limited');
    const seconds = retryAfter(answer);
    await ada.session.expect(201, 'POST', '/envelopes', await sealedFor(ada, bob));
    clock.pass(seconds * 1000);
    await ada.session.expect(201, 'POST', '/envelopes', another(envelope, 0));
  });
});

describe('a full queue', () => {
  it('§8: refuses new envelopes with 507 and keeps the waiting ones; acknowledging makes room', async () => {
    await using relay = await startRelay({ queueEnvelopes: 2, shares: WHOLE_QUEUE });
    const [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
    const envelope = await sealedFor(ada, bob);
    const send = (index: number) =>
      ada.session.send<Accepted & Problem>('POST', '/envelopes', another(envelope, index));
    const ids = [(await send(0)).body.id, (await send(1)).body.id];
    expectProblem(await send(2), 507, 'inbox_full');
    expect((await send(1)).status).toBe(200);
    const { envelopes } = await bob.poll();
    expect(envelopes.map(({ id }) => id)).toEqual(ids);
    await bob.acknowledge([ids[0] ?? '']);
    expect((await send(2)).status).toBe(201);
  });

  it('§8: is full by bytes too', async () => {
    await using relay = await startRelay({ queueBytes: 1000, shares: WHOLE_QUEUE });
    const [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
    const envelope = await sealedFor(ada, bob);
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push((await ada.session.send('POST', '/envelopes', another(envelope, index))).status);
    }
    expect(statuses[0]).toBe(201);
    expect(statuses.at(-1)).toBe(507);
  });

  it('rejects its own copies in a batch, and no others', async () => {
    await using relay = await startRelay({ queueEnvelopes: 1 });
    const [ada, bob, cy] = await Promise.all([
      Account.bare(relay.url),
      Account.bare(relay.url),
      Account.bare(relay.url),
    ]);
    const toBob = await sealedFor(ada, bob);
    const envelopes = [toBob, another(toBob, 1), await sealedFor(ada, cy)];
    const { results } = await ada.session.expect<Results>(200, 'POST', '/envelopes', { envelopes });
    expect(results).toMatchObject([
      { status: 'accepted' },
      { status: 'rejected', error: { code: 'inbox_full' } },
      { status: 'accepted' },
    ]);
  });

  it('docs §11: rejects its own copy in a group, and no other', async () => {
    await using relay = await startRelay({ queueEnvelopes: 1 });
    const [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
    const group = await createGroup(ada, [bob]);
    const post = async (text: string) => {
      const envelopes = await sealForGroup(
        ada.session,
        group,
        groupText(group, ada.address, text, ada),
        ada.device,
      );
      const path = `/groups/${group.id}/envelopes`;
      const answer = await ada.session.expect<GroupResults>(200, 'POST', path, { envelopes });
      return {
        ...answer,
        ofBob: answer.results[envelopes.findIndex((copy) => copy.toAddress === bob.address)],
      };
    };
    expect((await post('one')).accepted).toBe(2);
    await ada.receive();
    const second = await post('two');
    expect(second).toMatchObject({
      accepted: 1,
      ofBob: { status: 'rejected', error: { code: 'inbox_full' } },
      missing: [],
      stale: [],
    });
    expect(await ada.receive()).toHaveLength(1);
    expect(await bob.receive()).toHaveLength(1);
  });
});

describe('limits of size', () => {
  it('§8: of a batch and of a group post are those of /me', async () => {
    await using relay = await startRelay({ batchEnvelopes: 2, groupEnvelopes: 3 });
    const ada = await Account.bare(relay.url);
    const { limits } = await ada.session.expect<Me>(200, 'GET', '/me');
    expect(limits).toMatchObject({ batchEnvelopes: 2, groupEnvelopes: 3 });
    const group = await createGroup(ada);
    const copy = only(
      await sealForGroup(ada.session, group, groupText(group, ada.address, 'Hello', ada), ada.device),
    );
    const copies = (count: number) => Array.from({ length: count }, (_, index) => another(copy, index));
    const send = (path: string, count: number) =>
      ada.session.send<Problem>('POST', path, { envelopes: copies(count) });
    const path = `/groups/${group.id}/envelopes`;
    expect((await send('/envelopes', 2)).status).toBe(200);
    expectProblem(await send('/envelopes', 3), 413, 'too_large');
    expect((await send(path, 3)).status).toBe(200);
    expectProblem(await send(path, 4), 413, 'too_large');
  });

  // A configured limit applies in place of the usual 64 KiB.
  it('§8: of a payload is that of /me', async () => {
    await using relay = await startRelay({ payloadBytes: 1024 });
    const [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
    const fits = await sealedFor(ada, bob, 'x'.repeat(600));
    const tooLong = await sealedFor(ada, bob, 'x'.repeat(1000));
    await ada.session.expect(201, 'POST', '/envelopes', fits);
    expectProblem(await ada.session.send('POST', '/envelopes', tooLong), 413, 'too_large');
  });

  it('§8: of a payload is 64 KiB, padded, by default', async () => {
    await using relay = await startRelay({});
    const [ada, bob] = await Promise.all([Account.bare(relay.url), Account.bare(relay.url)]);
    const body = (length: number) => sealedFor(ada, bob, 'x'.repeat(length));
    const overhead = 65_535 - 450;
    await ada.session.expect(201, 'POST', '/envelopes', await body(overhead));
    const { envelopes } = await bob.poll();
    expect(Buffer.from(only(envelopes).ciphertext, 'base64url')).toHaveLength(12 + 65_536 + 16);
    expect((await bob.read(only(envelopes))).body.text).toHaveLength(overhead);
  });
});
