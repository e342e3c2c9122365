/**
 * Making, finding, joining and leaving groups: the specification's §2.2 and §4.7, the protocol's §6 and §9.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Calls, Group, GroupPage } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import {
  addTo,
  admission,
  beginning,
  compareWithChain,
  endOf,
  entryBy,
  joinGroup,
  post,
  readChain,
  tryTo,
} from '../../interop/by-hand/group.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { toBase64url } from '../../interop/bytes.ts';
import { passwordKeys } from '../../interop/password.ts';
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
/** A new name, description or way to join, with any answer. */
const change = (account: Account, id: string, fields: object, reader = account) =>
  tryTo(account, id, 'change', fields, reader);
const view = (account: Account, id: string) => account.session.expect<Group>(200, 'GET', `/groups/${id}`);
const list = (calls: Calls, query = '') => calls.expect<GroupPage>(200, 'GET', `/groups?${query}`);

describe('a group', () => {
  it('§9: is created with its creator as the first member', async () => {
    const wanted = { name: 'Ringers', description: 'Rings and nets', password: 'a net' };
    const group = await createGroup(creator, [], wanted);
    expect(group).toMatchObject({
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Ringers',
      description: 'Rings and nets',
      verified: false,
      memberCount: 1,
      hasPassword: true,
      join: 'password',
      creator: creator.address,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      members: [creator.address],
      memberDeviceKeys: { [creator.address]: [creator.device.sealKeys.publicKey] },
    });
    expect(JSON.stringify(group)).not.toContain('a net');
    compareWithChain(group, await readChain(creator, group.id));
  });

  it.each([
    ['no name', undefined],
    ['an empty name', ''],
    ['a name of two lines', 'Two\nlines'],
    ['a name of 81 characters', 'x'.repeat(81)],
  ])('§10: is not created with %s', async (_, name) => {
    const { entries } = beginning(creator, name as string);
    expectProblem(await creator.session.send('POST', '/groups', { entries }), 422, 'roster_refused');
  });

  it('§10: is changed by its creator, field by field, and by no other member', async () => {
    const { id } = await createGroup(creator, [member], { name: 'Before' });
    await addTo(creator, id, 'change', { name: 'After' });
    await addTo(creator, id, 'change', { description: 'New' });
    const group = await view(member, id);
    expect(group).toMatchObject({ name: 'After', description: 'New', join: 'open' });
    compareWithChain(group, await readChain(member, id));
    expectProblem(await change(member, id, { name: 'Mine now' }), 422, 'roster_refused');
    expectProblem(await change(await newcomer(), id, { name: 'Mine' }, creator), 403, 'not_a_member');
    await addTo(creator, id, 'change', { creator: member.address });
    expect((await view(creator, id)).creator).toBe(member.address);
    expectProblem(await change(creator, id, { name: 'Still mine' }), 422, 'roster_refused');
  });

  it('docs §11: another entry in the place of one is a conflict, the same one again is not', async () => {
    const { id } = await createGroup(creator);
    const chain = await readChain(creator, id);
    const { epoch: before } = endOf(chain);
    const entry = entryBy(creator, chain, 'change', { name: 'One' });
    expect((await post(creator, id, entry)).status).toBe(200);
    expect((await post(creator, id, entry)).body.epoch).toBe(before + 1);
    const other = entryBy(creator, chain, 'change', { name: 'Two' });
    expectProblem(await post(creator, id, other), 409, 'roster_conflict');
  });
});

describe('the directory of groups', () => {
  const NAMES = ['Terns 1', 'Terns 2', 'Terns 3', 'Arctic terns', 'Terns 5'];
  beforeAll(async () => {
    for (const name of NAMES) await createGroup(creator, [], { name });
    await createGroup(member, [creator], { name: 'Of the member', password: 'secret' });
  });

  it('§2.2: has id, name, verified flag, member count, join mode and creator, and no more', async () => {
    const { groups } = await list((await newcomer()).session, 'q=Of%20the%20member');
    expect(groups).toEqual([
      {
        id: expect.any(String),
        name: 'Of the member',
        verified: false,
        memberCount: 2,
        hasPassword: true,
        join: 'password',
        creator: member.address,
      },
    ]);
  });

  it.each([1, 2, 5])('§6: returns every match of q once, in pages of %d', async (limit) => {
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
    expect(await list((await createToken(member, id)).calls, 'q=terns')).toEqual(ofSession);
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

  it('§5.5: mine=1 works only with sk_live_ keys: a group token gets group_token_not_allowed', async () => {
    const { calls } = await createToken(member, (await createGroup(member)).id);
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
  it('§10: an open group accepts a join without proof', async () => {
    const { id } = await createGroup(creator);
    const account = await newcomer();
    const group = await joinGroup(account, id);
    expect(group).toMatchObject({ id, memberCount: 2 });
    expect(group.members.toSorted()).toEqual([creator.address, account.address].toSorted());
    compareWithChain(group, await readChain(account, id));
  });

  it('§10: with the right password joins, with another is 403', async () => {
    const { id } = await createGroup(creator, [], { password: 'correct horse' });
    const { passwordProof } = await passwordKeys(id, 'Correct horse');
    const guesser = await newcomer();
    expectProblem(await admission(guesser, id, { password: passwordProof }), 403, 'wrong_password');
    expectProblem(await guesser.session.send('GET', `/groups/${id}`), 403, 'not_a_member');
    const account = await newcomer();
    expect((await joinGroup(account, id, { password: 'correct horse' })).members).toContain(account.address);
  });

  it('docs §11: an unknown id gets the same answer as a wrong password', async () => {
    const { id } = await createGroup(creator, [], { password: 'correct horse' });
    const password = toBase64url(new Uint8Array(32));
    const [one, other] = [await newcomer(), await newcomer()];
    const wrong = await admission(one, id, { password });
    const unknown = await admission(other, toBase64url(new Uint8Array(16)), { password });
    for (const answer of [wrong, unknown]) expectProblem(answer, 403, 'wrong_password');
    expect(unknown.body.detail).toBe(wrong.body.detail);
  });
});

describe('leaving', () => {
  it('§6: removes the member, who no longer sees the group', async () => {
    const account = await newcomer();
    const { id } = await createGroup(creator, [account]);
    await addTo(account, id, 'leave');
    expectProblem(await account.session.send('GET', `/groups/${id}`), 403, 'not_a_member');
    expect((await list(account.session, 'mine=1')).groups).toEqual([]);
    expect((await view(creator, id)).members).toEqual([creator.address]);
  });

  it('§10: of another member is allowed to the creator only, and a removed member cannot join again', async () => {
    const account = await newcomer();
    const { id } = await createGroup(creator, [member, account]);
    const remove = [account.address];
    expectProblem(await change(member, id, { remove }), 422, 'roster_refused');
    await addTo(creator, id, 'change', { remove });
    expect((await view(member, id)).members).not.toContain(account.address);
    await expect(joinGroup(account, id)).rejects.toThrow(/403|422/);
  });

  it('of the creator ends the tokens, and of the last member ends the group', async () => {
    const owner = await newcomer();
    const { id } = await createGroup(owner, [member], { name: 'Ends soon' });
    const { calls } = await createToken(owner, id);
    await calls.expect(200, 'GET', `/groups/${id}`);
    await addTo(owner, id, 'leave');
    expectProblem(await calls.send('GET', `/groups/${id}`), 401, 'unauthorized');
    expect((await view(member, id)).creator).toBeNull();
    await addTo(member, id, 'leave');
    expect((await list(member.session, 'q=Ends%20soon')).groups).toEqual([]);
    expectProblem(await member.session.send('GET', `/groups/${id}`), 404, 'not_found');
  });
});
