/**
 * The registration policies of a relay. Existing accounts are not affected.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import { DEFAULT_QUOTAS } from '../../../src/protocol/limits.ts';
import { MAX_INVITATION_LIFE } from '../../../src/protocol/schemas/accounts.ts';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import type { RelayOptions } from '../../../src/relay/index.ts';
import { newPerson, Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 24 * 3_600_000;
const WRONG = `inv_${'A'.repeat(43)}`;

function relayWith(options: Partial<RelayOptions>): Promise<TestRelay> {
  return new TestRelay({ admin: true, limits: { rates: ROOMY_RATES }, ...options }).start();
}

/** A code of the operator. */
async function inviteAt(relay: TestRelay, uses = 1, life = DAY): Promise<string> {
  const expires = encodeTime(relay.now() + life);
  return (await runAdminCommand(relay.folder.path, 'invite', { uses, expires })).code;
}

/** Refusal of a login with this code, without the request id. */
async function refusedWith(person: Person, invitation?: string) {
  const body = { ...(await person.signedChallenge()), ...(invitation !== undefined && { invitation }) };
  const { requestId: _, ...problem } = (
    await person.relay.refuse('invitation_required', 'createSession', { body })
  ).body;
  return problem;
}

test('the relay reports its rule for new accounts', async () => {
  for (const registration of ['open', 'code', 'list'] as const) {
    await using relay = await relayWith({ registration });
    expect((await relay.call('getRelay')).body.registration).toBe(registration);
  }
});

describe('with codes', () => {
  test('an account uses one, and a missing, wrong, spent and expired one get the same answer', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const code = await inviteAt(relay);
    const short = await inviteAt(relay, 1, 1_000);
    await new Person(relay).login(code);
    relay.ahead = 2_000;
    const stranger = new Person(relay);
    const answers = [
      await refusedWith(stranger),
      await refusedWith(stranger, WRONG),
      await refusedWith(stranger, 'no code at all'),
      await refusedWith(stranger, code),
      await refusedWith(stranger, short),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await relay.rows('SELECT id FROM account')).toHaveLength(1);
  });

  test('an existing account needs and spends none', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const first = await inviteAt(relay);
    const person = await new Person(relay).login(first);
    await person.publishDevices();
    // The answer may have been lost: the same request again opens the existing account.
    await person.login(first);
    await person.login();
    await person.renew();
    const second = await inviteAt(relay);
    await person.login(second);
    // The code is still good for a new account.
    expect((await new Person(relay).login(second)).token).not.toBe('');
  });

  test('the number of successful simultaneous uses is that of the code', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const code = await inviteAt(relay, 3);
    const people = Array.from({ length: 12 }, () => new Person(relay));
    const bodies = await Promise.all(people.map((person) => person.signedChallenge()));
    const answers = await Promise.all(
      bodies.map((body) => relay.request('createSession', { body: { ...body, invitation: code } })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 201, ...new Array(9).fill(403)]);
    expect(await relay.rows('SELECT id FROM account')).toHaveLength(3);
  });

  test('a code is spent exactly if its account exists, after a kill -9 at any moment', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const uses = 5_000;
    const code = await inviteAt(relay, uses);
    const port = new URL(relay.url).port;
    await relay.stop();
    let opened = 0;
    for (let kill = 0; kill < 2; kill++) {
      const child = await startProcess(relay.folder.path, port);
      const enough = Promise.withResolvers<void>();
      let ofRound = 0;
      const register = async () => {
        for (;;) {
          const body = { ...(await new Person(relay).signedChallenge()), invitation: code };
          if ((await relay.request('createSession', { body })).status !== 201) continue;
          opened++;
          if (++ofRound === 10) enough.resolve();
        }
      };
      const registering = Promise.allSettled([register(), register(), register(), register()]);
      await enough.promise;
      child.kill('SIGKILL');
      await registering;
    }
    await relay.start();
    const [invitation] = await relay.rows<{ uses_left: number }>('SELECT uses_left FROM account_invitation');
    const accounts = (await relay.rows('SELECT id FROM account')).length;
    expect(uses - (invitation?.uses_left ?? 0)).toBe(accounts);
    expect(accounts).toBeGreaterThanOrEqual(opened);
  });

  test('a guessing stranger is limited; other networks and existing accounts are not', async () => {
    await using relay = await relayWith({ registration: 'code', trustedProxies: ['127.0.0.1'] });
    const code = await inviteAt(relay, 3);
    const member = await new Person(relay).login(code);
    const from = async (network: string, person: Person, invitation?: string) => {
      const body = { ...(await person.signedChallenge()), ...(invitation !== undefined && { invitation }) };
      const response = await fetch(`${relay.url}/api/v1/auth/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
        body: JSON.stringify(body),
      });
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    };
    const guesser = new Person(relay);
    for (let guess = 0; guess < 20; guess++) {
      expect((await from('203.0.113.1', guesser, WRONG)).status).toBe(403);
    }
    const slowed = await from('203.0.113.1', guesser, WRONG);
    expect(slowed.status).toBe(429);
    expect(Number(slowed.retryAfter)).toBeGreaterThan(0);
    expect((await from('203.0.113.1', member, code)).status).toBe(201);
    expect((await from('203.0.113.2', new Person(relay), code)).status).toBe(201);
  });

  test('an address on the operator’s list needs none', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const person = new Person(relay);
    await runAdminCommand(relay.folder.path, 'admit', { address: person.address, admitted: true });
    expect((await person.login()).token).not.toBe('');
  });

  test('a revoked one opens nothing', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const code = await inviteAt(relay, 5);
    await new Person(relay).login(code);
    const [listed] = await runAdminCommand(relay.folder.path, 'invitations', { limit: 10 });
    expect(listed).toMatchObject({ uses: 5, usesLeft: 4, maker: null });
    await runAdminCommand(relay.folder.path, 'revokeInvitation', { id: listed?.id ?? '' });
    await refusedWith(new Person(relay), code);
    expect(await runAdminCommand(relay.folder.path, 'invitations', { limit: 10 })).toEqual([]);
  });
});

describe('codes of members', () => {
  async function memberAt(relay: TestRelay): Promise<Person> {
    return new Person(relay).login(await inviteAt(relay));
  }
  const week = (relay: TestRelay) => encodeTime(relay.now() + 7 * DAY);

  test('are created if the operator allows it, and are as good as those of the operator', async () => {
    await using relay = await relayWith({ registration: 'code', memberInvitations: true });
    const { token } = await memberAt(relay);
    const body = { uses: 2, expires: week(relay) };
    const { body: invitation } = await relay.call('createInvitation', { token, body });
    expect(invitation).toEqual({ code: expect.stringMatching(/^inv_/), ...body });
    await new Person(relay).login(invitation.code);
    await new Person(relay).login(invitation.code);
    await refusedWith(new Person(relay), invitation.code);
  });

  test('are refused if the operator does not allow them', async () => {
    await using relay = await relayWith({ registration: 'code' });
    const { token } = await memberAt(relay);
    const { body } = await relay.refuse('forbidden', 'createInvitation', {
      token,
      body: { uses: 1, expires: week(relay) },
    });
    expect(body.reason).toBe('members_invite_nobody');
  });

  test('are for twenty at most, within thirty days, and up to the quota', async () => {
    await using relay = await relayWith({ registration: 'code', memberInvitations: true });
    const { token } = await memberAt(relay);
    const wrong = [
      { uses: 21, expires: week(relay) },
      { uses: 0, expires: week(relay) },
      { uses: 1, expires: encodeTime(relay.now() - 1) },
      { uses: 1, expires: encodeTime(relay.now() + MAX_INVITATION_LIFE + DAY) },
    ];
    for (const body of wrong) await relay.refuse('invalid_request', 'createInvitation', { token, body });
    const body = { uses: 1, expires: week(relay) };
    for (let count = 0; count < DEFAULT_QUOTAS.invitations; count++) {
      await relay.call('createInvitation', { token, body });
    }
    await relay.refuse('quota_reached', 'createInvitation', { token, body });
  });

  test('are invalid while their maker is suspended', async () => {
    await using relay = await relayWith({ registration: 'code', memberInvitations: true });
    const member = await memberAt(relay);
    const body = { uses: 2, expires: week(relay) };
    const { body: invitation } = await relay.call('createInvitation', { token: member.token, body });
    const account = { address: member.address };
    await runAdminCommand(relay.folder.path, 'suspend', { account, suspended: true });
    await refusedWith(new Person(relay), invitation.code);
    await runAdminCommand(relay.folder.path, 'suspend', { account, suspended: false });
    await new Person(relay).login(invitation.code);
  });
});

test('with a list only listed addresses open an account, and keep it when removed from the list', async () => {
  await using relay = await relayWith({ registration: 'list' });
  const [named, stranger] = [new Person(relay), new Person(relay)];
  const { address } = named;
  await runAdminCommand(relay.folder.path, 'admit', { address, admitted: true });
  expect(await runAdminCommand(relay.folder.path, 'admitted', { limit: 10 })).toMatchObject([
    { address, hasAccount: false },
  ]);
  await named.login();
  await named.publishDevices();
  const body = { ...(await stranger.signedChallenge()), invitation: await inviteAt(relay) };
  await relay.refuse('registration_closed', 'createSession', { body });
  await runAdminCommand(relay.folder.path, 'admit', { address, admitted: false });
  await named.login();
  await named.renew();
  expect(await runAdminCommand(relay.folder.path, 'admitted', { limit: 10 })).toEqual([]);
});

test('existing accounts continue under a new policy', async () => {
  await using relay = await new TestRelay({ registration: 'open' }).start();
  const person = await newPerson(relay);
  await relay.stop();
  await using closed = await new TestRelay({
    registration: 'code',
    dataDirectory: relay.folder.path,
  }).start();
  const query = { device: person.device.id, wait: 0 };
  const { body } = await closed.call('getInbox', { token: person.token, query });
  expect(body.envelopes).toEqual([]);
});

/** A relay process that requires invitation codes, on a TestRelay's data and port. */
async function startProcess(folder: string, port: string): Promise<ChildProcess> {
  const entry = new URL('../../support/relay-process.ts', import.meta.url);
  const child = spawn(process.execPath, [entry.pathname, folder, port, 'code'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(createInterface(child.stdout), 'line');
  return child;
}
