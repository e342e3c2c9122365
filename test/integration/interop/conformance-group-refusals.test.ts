/**
 * Refused posts to a group: the specification's §4.9 and §5, the protocol's §6 and §9, and docs/protocol.md §10.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Calls, Group, GroupResults, Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { addTo, groupText, sealForGroup } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import type { Envelope } from '../../interop/seal.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let creator: Account;
let member: Account;
let stranger: Account;
let group: Group;
let token: Calls;

beforeAll(async () => {
  await relay.start();
  [creator, member, stranger] = await Promise.all([
    Account.signUp(relay.url, ['api']),
    Account.signUp(relay.url, ['api']),
    Account.signUp(relay.url),
  ]);
  group = await createGroup(creator, [member]);
  token = (await createToken(creator, group.id)).calls;
});
afterAll(() => relay[Symbol.asyncDispose]());

const post = (calls: Calls, envelopes: unknown, id = group.id) =>
  calls.send<GroupResults & Problem>('POST', `/groups/${id}/envelopes`, { envelopes });
const posted = (calls: Calls, envelopes: Envelope[], id = group.id) =>
  calls.expect<GroupResults>(200, 'POST', `/groups/${id}/envelopes`, { envelopes });

/** One copy of a text for each device in the group, as the creator would write it. */
function copies(view = group, text = 'Hello') {
  return sealForGroup(creator.session, view, groupText(view, creator.address, text));
}

describe('a refused post stores nothing', () => {
  const cases: [string, number, string, (envelope: Envelope) => object][] = [
    [
      '§4.9 rule 1: a toAddress that is no current member',
      422,
      'not_a_member',
      (envelope) => ({ ...envelope, toAddress: stranger.address }),
    ],
    [
      '§4.9 rule 1: the key of someone who is no member',
      422,
      'not_a_member',
      (envelope) => ({
        ...envelope,
        toAddress: stranger.address,
        recipientDeviceKey: stranger.device.sealKeys.publicKey,
      }),
    ],
    [
      'a recipientDeviceKey of another member',
      422,
      'unknown_device',
      (envelope) => ({ ...envelope, recipientDeviceKey: creator.device.sealKeys.publicKey }),
    ],
    [
      'a recipientDeviceKey that nobody has',
      422,
      'unknown_device',
      (envelope) => ({ ...envelope, recipientDeviceKey: envelope.ephemeralPublicKey }),
    ],
    [
      '§2.1: no recipientDeviceKey, which group sends require',
      400,
      'invalid_request',
      ({ recipientDeviceKey: _, ...envelope }) => envelope,
    ],
    ['no nonce', 400, 'invalid_request', ({ nonce: _, ...envelope }) => envelope],
    ['an unknown field', 400, 'invalid_request', (envelope) => ({ ...envelope, subject: 'Hello' })],
    ...['plaintext', 'text', 'message', 'body', 'content'].map(
      (field): [string, number, string, (envelope: Envelope) => object] => [
        `§4.9 rule 2: plaintext in a field named ${field}`,
        422,
        'plaintext_rejected',
        (envelope) => ({ ...envelope, [field]: 'Hello' }),
      ],
    ),
    [
      '§4.9 rule 2: plaintext as the ciphertext',
      422,
      'plaintext_rejected',
      (envelope) => ({ ...envelope, ciphertext: Buffer.from('Hello, group').toString('base64url') }),
    ],
  ];

  it.each(cases)('%s', async (_, status, code, change) => {
    const good = await copies();
    const envelopes = good.map((envelope) =>
      envelope.toAddress === member.address ? change(envelope) : envelope,
    );
    const answer = await post(token, envelopes);
    expectProblem(answer, status, code);
    expect(await creator.receive()).toEqual([]);
    expect(await member.receive()).toEqual([]);
    // Nothing was stored: the valid copies are accepted as new.
    expect((await posted(token, good)).results.map((result) => result.status)).toEqual([
      'accepted',
      'accepted',
    ]);
    await Promise.all([creator.receive(), member.receive()]);
  });

  it.each([
    ['is for someone who is no member', 'not_a_member', () => ({ toAddress: stranger.address })],
    [
      'is for a key that no device of that member ever had',
      'unknown_device',
      () => ({ recipientDeviceKey: stranger.device.sealKeys.publicKey }),
    ],
  ])('docs §11: errors names the copy that %s', async (_, code, change) => {
    const [first, second] = await copies();
    const answer = await post(token, [first, { ...second, ...change() }]);
    expectProblem(answer, 422, code);
    expect(answer.body.errors).toEqual([
      { path: expect.stringMatching(/^envelopes\.1\./), message: expect.any(String) },
    ]);
  });

  it('docs §11: errors names the copy that is not sealed', async () => {
    const [first, second] = await copies();
    const answer = await post(token, [first, { ...second, text: 'Hello' }]);
    expect(answer.body.errors).toEqual([
      { path: expect.stringMatching(/^envelopes\.1/), message: expect.any(String) },
    ]);
  });

  it('§2.2: not because of asRequest, a field of the single-send envelope', async () => {
    const envelopes = (await copies()).map((envelope) => ({ ...envelope, asRequest: false }));
    expect((await post(token, envelopes)).status).toBe(200);
    for (const recipient of [creator, member]) expect(await recipient.receive()).toHaveLength(1);
  });

  it('§5.4: with the key of a stranger', async () => {
    const { calls } = await createApiKey(stranger);
    const envelopes = await sealForGroup(
      stranger.session,
      group,
      groupText(group, stranger.address, 'Let me in'),
    );
    expectProblem(await post(calls, envelopes), 403, 'not_a_member');
    expectProblem(await post(stranger.session, envelopes), 403, 'not_a_member');
    expect(await member.receive()).toEqual([]);
  });

  it('§5.4: with the token of another group, even of the same creator', async () => {
    const other = await createToken(creator, (await createGroup(creator)).id);
    expectProblem(await post(other.calls, await copies()), 403, 'forbidden');
    expect(await member.receive()).toEqual([]);
  });

  it('by a member who has left, and to a member who has been removed', async () => {
    const leaver = await Account.signUp(relay.url);
    const own = await createGroup(creator, [leaver]);
    const before = await sealForGroup(
      creator.session,
      own,
      groupText(own, creator.address, 'Are you there?'),
    );
    await addTo(creator, own.id, 'change', { remove: [leaver.address] });
    expectProblem(await post(creator.session, before, own.id), 422, 'not_a_member');
    const late = await sealForGroup(leaver.session, own, groupText(own, leaver.address, 'I was'));
    expectProblem(await post(leaver.session, late, own.id), 403, 'not_a_member');
    expect(await leaver.receive()).toEqual([]);
    expect(await creator.receive()).toEqual([]);
  });

  it('to an unknown group', async () => {
    expectProblem(await post(member.session, await copies(), 'no_such_group'), 404, 'not_found');
  });

  it('without an array of envelopes', async () => {
    expectProblem(await post(token, 'Hello'), 400, 'invalid_request');
    const path = `/groups/${group.id}/envelopes`;
    expectProblem(
      await token.send<Problem>('POST', path, only((await copies()).slice(1))),
      400,
      'invalid_request',
    );
  });
});
