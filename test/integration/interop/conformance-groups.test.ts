/**
 * Making, finding, joining and leaving groups: the specification's §2.2 and §4.7, the protocol's §6 and §9.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/account.ts';
import type { Calls, Group, GroupPage, Problem } from '../../interop/calls.ts';
import { createApiKey, createGroup, mintToken } from '../../interop/credentials.ts';
import { hashOfMembers } from '../../interop/group.ts';
import { expectProblem } from '../../interop/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let creator: Account;
let member: Account;

beforeAll(async () => {
  await relay.start();
  [creator, member] = await Promise.all([Account.signUp(relay.url), Account.signUp(relay.url)]);
});
afterAll(() => relay[Symbol.asyncDispose]());

const newcomer = () => Account.signUp(relay.url);
const join = (account: Account, id: string, body: object = {}) =>
  account.session.send<Group & Problem>('POST', `/groups/${id}/members`, body);
/** Joins after the wait that wrong guesses from here have brought. */
async function joinInTime(account: Account, id: string, password: string): Promise<Group> {
  const answer = await join(account, id, { password });
  if (answer.status === 200) return answer.body;
  expectProblem(answer, 429, 'rate_limited');
  await setTimeout(Number(answer.headers.get('retry-after')) * 1000 + 50);
  return account.session.expect<Group>(200, 'POST', `/groups/${id}/members`, { password });
}
const leave = (account: Account, id: string, address = account.address) =>
  account.session.send<Problem>('DELETE', `/groups/${id}/members/${address}`);
const change = (account: Account, id: string, body: object) =>
  account.session.send<Group & Problem>('PATCH', `/groups/${id}`, body);
const list = (calls: Calls, query = '') => calls.expect<GroupPage>(200, 'GET', `/groups?${query}`);

describe('a group', () => {
  it('§9: is created with its creator as the first member', async () => {
    const wanted = { name: 'Ringers', description: 'Rings and nets', password: 'a net' };
    const group = await creator.session.expect<Group>(201, 'POST', '/groups', wanted);
    expect(group).toMatchObject({
      id: expect.stringMatching(/^[\w-]+$/),
      name: 'Ringers',
      description: 'Rings and nets',
      verified: false,
      memberCount: 1,
      hasPassword: true,
      creator: creator.address,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      members: [creator.address],
      memberDeviceKeys: { [creator.address]: [creator.device.sealKeys.publicKey] },
      membersHash: hashOfMembers([creator.address]),
    });
    expect(JSON.stringify(group)).not.toContain('a net');
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name of two lines', { name: 'Two\nlines' }],
    ['a name of 81 characters', { name: 'x'.repeat(81) }],
    ['an empty password', { name: 'Group', password: '' }],
    ['a description of 1,001 characters', { name: 'Group', description: 'x'.repeat(1001) }],
    ['an unknown field', { name: 'Group', hidden: true }],
  ])('§1: is not created with %s', async (_, body) => {
    expectProblem(await creator.session.send('POST', '/groups', body), 400, 'invalid_request');
  });

  it('§9: is changed by its creator, field by field', async () => {
    const { id } = await createGroup(creator, [member], { name: 'Before', password: 'first' });
    expect((await change(creator, id, { name: 'After' })).body).toMatchObject({
      name: 'After',
      hasPassword: true,
      description: '',
    });
    expect((await change(creator, id, { description: 'New' })).body).toMatchObject({
      name: 'After',
      description: 'New',
    });
    expect((await change(creator, id, { password: null })).body.hasPassword).toBe(false);
    expect((await join(await newcomer(), id)).status).toBe(200);
    expect((await change(creator, id, { password: 'second' })).body.hasPassword).toBe(true);
    expectProblem(await join(await newcomer(), id, { password: 'first' }), 403, 'wrong_password');
    expect((await joinInTime(await newcomer(), id, 'second')).id).toBe(id);
  });

  it('is changed by nobody else', async () => {
    const { id } = await createGroup(creator, [member]);
    for (const account of [member, await newcomer()]) {
      expectProblem(await change(account, id, { name: 'Mine now' }), 403, 'forbidden');
    }
    expectProblem(await change(creator, 'no_such_group', { name: 'Nowhere' }), 404, 'not_found');
    expectProblem(await change(creator, id, { creator: member.address }), 400, 'invalid_request');
    expect((await change(creator, id, {})).body.name).toBe('A group');
  });
});

describe('the directory of groups', () => {
  const NAMES = ['Terns 1', 'Terns 2', 'Terns 3', 'Arctic terns', 'Terns 5'];
  beforeAll(async () => {
    for (const name of NAMES) await createGroup(creator, [], { name });
    await createGroup(member, [creator], { name: 'Of the member', password: 'secret' });
  });

  it('§2.2: has id, name, verified flag, member count and whether a password is set, and no more', async () => {
    const { groups } = await list((await newcomer()).session, 'q=Of%20the%20member');
    expect(groups).toEqual([
      {
        id: expect.any(String),
        name: 'Of the member',
        verified: false,
        memberCount: 2,
        hasPassword: true,
      },
    ]);
  });

  it.each([1, 2, 5])('§6: gives every match of q once, in pages of %d', async (limit) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: GroupPage = await list(member.session, `q=terns&limit=${limit}${next}`);
      expect(page.groups.length).toBeLessThanOrEqual(limit);
      found.push(...page.groups.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found.toSorted()).toEqual(NAMES.toSorted());
  });

  it('§4.7: is read with sessions, API keys and group tokens alike', async () => {
    const { id } = await createGroup(member);
    const ofSession = await list(creator.session, 'q=terns');
    expect(await list((await createApiKey(member)).calls, 'q=terns')).toEqual(ofSession);
    expect(await list((await mintToken(member, id)).calls, 'q=terns')).toEqual(ofSession);
  });

  it("§4.7: mine=1 lists the key owner's groups instead, with search and pages", async () => {
    const owner = await newcomer();
    for (const name of ['Own 1', 'Own 2', 'Else']) await createGroup(owner, [], { name });
    const joined = await createGroup(creator, [owner], { name: 'Own 3, joined' });
    const { calls } = await createApiKey(owner);
    const all = await list(calls, 'mine=1');
    expect(all.groups.map(({ name }) => name).toSorted()).toEqual([
      'Else',
      'Own 1',
      'Own 2',
      'Own 3, joined',
    ]);
    expect(all.groups).toContainEqual(expect.objectContaining({ id: joined.id, memberCount: 2 }));
    expect(await list(owner.session, 'mine=1')).toEqual(all);
    const first = await list(calls, 'mine=1&q=own&limit=2');
    const rest = await list(calls, `mine=1&q=own&limit=2&cursor=${first.nextCursor}`);
    expect([...first.groups, ...rest.groups].map(({ name }) => name).toSorted()).toEqual([
      'Own 1',
      'Own 2',
      'Own 3, joined',
    ]);
    expect(rest.nextCursor).toBeNull();
  });

  it('§5.5: mine=1 works only with sk_live_ keys: a group token is told group_token_not_allowed', async () => {
    const { calls } = await mintToken(member, (await createGroup(member)).id);
    expectProblem(await calls.send('GET', '/groups?mine=1'), 403, 'group_token_not_allowed');
  });

  it.each(['limit=0', 'limit=51', 'mine=2', 'cursor=!!!', 'order=name', 'q=a&q=b', `q=${'x'.repeat(81)}`])(
    '§1: refuses ?%s',
    async (query) => {
      expectProblem(await creator.session.send('GET', `/groups?${query}`), 400, 'invalid_request');
    },
  );
});

describe('joining', () => {
  it('§6: takes no password where none is set, and answers with the group', async () => {
    const { id } = await createGroup(creator);
    const account = await newcomer();
    const { status, body } = await join(account, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, memberCount: 2 });
    expect(body.members.toSorted()).toEqual([creator.address, account.address].toSorted());
    expect(body.membersHash).toBe(hashOfMembers([creator.address, account.address]));
    expect((await join(account, id)).body.memberCount).toBe(2);
  });

  it('§6: with the right password joins, with another or without one is 403', async () => {
    for (const body of [{}, { password: 'wrong' }, { password: 'Correct horse' }]) {
      const { id } = await createGroup(creator, [], { password: 'correct horse' });
      const account = await newcomer();
      expectProblem(await join(account, id, body), 403, 'wrong_password');
      expectProblem(await account.session.send('GET', `/groups/${id}`), 403, 'not_a_member');
      expect((await joinInTime(account, id, 'correct horse')).members).toContain(account.address);
    }
  });

  it('docs §10: an unknown id is answered like a wrong password', async () => {
    const { id } = await createGroup(creator, [], { password: 'correct horse' });
    const wrong = await join(member, id, { password: 'wrong' });
    const unknown = await join(member, 'no_such_group', { password: 'wrong' });
    for (const answer of [wrong, unknown]) expectProblem(answer, 403, 'wrong_password');
    expect(unknown.body.detail).toBe(wrong.body.detail);
  });

  it('§6: slows down who guesses, tells when to come back, and then lets them in', async () => {
    const { id } = await createGroup(creator, [], { password: 'correct horse' });
    const guesser = await newcomer();
    let answer = await join(guesser, id, { password: 'guess' });
    for (let guesses = 1; answer.status === 403 && guesses < 50; guesses += 1) {
      answer = await join(guesser, id, { password: `guess ${guesses}` });
    }
    expectProblem(answer, 429, 'rate_limited');
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    // The right password has to wait, too, or it could be told from wrong ones.
    expectProblem(await join(guesser, id, { password: 'correct horse' }), 429, 'rate_limited');
    await setTimeout(seconds * 1000 + 50);
    expect((await join(guesser, id, { password: 'correct horse' })).status).toBe(200);
  });
});

describe('leaving', () => {
  it('§6: is done by a member, who then sees the group no more', async () => {
    const account = await newcomer();
    const { id } = await createGroup(creator, [account]);
    expect((await leave(account, id)).status).toBe(204);
    expectProblem(await account.session.send('GET', `/groups/${id}`), 403, 'not_a_member');
    expect((await list(account.session, 'mine=1')).groups).toEqual([]);
    expectProblem(await leave(account, id), 404, 'not_found');
    expect((await creator.session.expect<Group>(200, 'GET', `/groups/${id}`)).members).toEqual([
      creator.address,
    ]);
  });

  it('§6: is done to a member by the creator alone', async () => {
    const account = await newcomer();
    const { id } = await createGroup(creator, [member, account]);
    expectProblem(await leave(member, id, account.address), 403, 'forbidden');
    expectProblem(await leave(await newcomer(), id, account.address), 403, 'forbidden');
    expect((await leave(creator, id, account.address)).status).toBe(204);
    expectProblem(await leave(creator, id, account.address), 404, 'not_found');
  });

  it('of the creator ends the tokens, and of the last member ends the group', async () => {
    const owner = await newcomer();
    const { id } = await createGroup(owner, [member], { name: 'Ends soon' });
    const { calls } = await mintToken(owner, id);
    await calls.expect(200, 'GET', `/groups/${id}`);
    expect((await leave(owner, id)).status).toBe(204);
    expectProblem(await calls.send('GET', `/groups/${id}`), 401, 'unauthorized');
    expectProblem(await change(owner, id, { name: 'Still mine' }), 403, 'forbidden');
    expect((await member.session.expect<Group>(200, 'GET', `/groups/${id}`)).creator).toBe(owner.address);
    expect((await leave(member, id)).status).toBe(204);
    expect((await list(member.session, 'q=Ends%20soon')).groups).toEqual([]);
    expectProblem(await member.session.send('GET', `/groups/${id}`), 404, 'not_found');
  });
});
