/**
 * The group view and the tokens of a group: the specification's §2.2, §2.3, §4.8 and §5, the protocol's §5, §6 and §9.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { type BotToken, Calls, type Group, type Problem } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import { compareWithChain, proveKeys, readChain } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let creator: Account;
let member: Account;
let stranger: Account;
let group: Group;

beforeAll(async () => {
  await relay.start();
  [creator, member, stranger] = await Promise.all([
    Account.signUp(relay.url),
    Account.signUp(relay.url),
    Account.signUp(relay.url),
  ]);
  group = await createGroup(creator, [member]);
});
afterAll(() => relay[Symbol.asyncDispose]());

const view = (calls: Calls, id = group.id) => calls.expect<Group>(200, 'GET', `/groups/${id}`);
const refused = (calls: Calls, id = group.id) => calls.send<Problem>('GET', `/groups/${id}`);

describe('the group view', () => {
  it("§2.2: maps each member's address to the member's device keys, which the members' wallets prove", async () => {
    const twofold = await Account.signUp(relay.url);
    const second = await createDevice('app');
    await twofold.certify([], [twofold.device, second]);
    const own = await createGroup(twofold, [member]);
    expect(Object.keys(own.memberDeviceKeys).toSorted()).toEqual(own.members.toSorted());
    expect(own.memberDeviceKeys[twofold.address]?.toSorted()).toEqual(
      [twofold.device.sealKeys.publicKey, second.sealKeys.publicKey].toSorted(),
    );
    expect(own.memberDevices[member.address]).toMatchObject({
      deviceList: member.list,
      sealKeys: [{ key: member.device.sealKeys.publicKey }],
    });
    await proveKeys(own);
  });

  it('§10: has the members after the last entry of the chain and names that entry, for members and tokens', async () => {
    const { calls } = await createToken(creator, group.id);
    for (const reader of [creator.session, member.session, calls]) {
      const shown = await view(reader);
      expect(shown.members.toSorted()).toEqual([member.address, creator.address].toSorted());
      compareWithChain(shown, await readChain(creator, group.id, reader));
    }
  });

  it('shows a seal key that was replaced at once', async () => {
    const rotating = await Account.signUp(relay.url);
    const own = await createGroup(rotating);
    await rotating.rotateSealKey();
    const after = await view(rotating.session, own.id);
    expect(after.memberDeviceKeys[rotating.address]).toEqual([rotating.device.sealKeys.publicKey]);
    expect(after.memberDeviceKeys).not.toEqual(own.memberDeviceKeys);
    await proveKeys(after);
  });

  it("§4.8: is returned to a group token of that group and to a member's API key, the same", async () => {
    const { calls: token } = await createToken(creator, group.id);
    const { calls: key } = await createApiKey(member);
    const { botTokens: _, ...seenByToken } = await view(token);
    expect(seenByToken).toEqual(await view(key));
    expect(await view(member.session)).toEqual(seenByToken);
  });

  it('§5.4: is refused to the key of a stranger', async () => {
    expectProblem(await refused((await createApiKey(stranger)).calls), 403, 'not_a_member');
    expectProblem(await refused(stranger.session), 403, 'not_a_member');
  });

  it('§5.4: is refused to a token of another group', async () => {
    const other = await createToken(stranger, (await createGroup(stranger, [creator, member])).id);
    expectProblem(await refused(other.calls), 403, 'forbidden');
  });

  it('is 404 for an unknown group', async () => {
    expectProblem(await refused(member.session, 'no_such_group'), 404, 'not_found');
  });
});

describe('botTokens', () => {
  it('§5.6: is shown to the creator and to tokens of the group', async () => {
    const { calls, id } = await createToken(creator, group.id, 'Shown');
    for (const reader of [calls, creator.session, (await createApiKey(creator)).calls]) {
      expect((await view(reader)).botTokens).toContainEqual(expect.objectContaining({ id, name: 'Shown' }));
    }
  });

  it("§5.6: is not shown to other members' keys or sessions", async () => {
    await createToken(creator, group.id);
    expect(await view(member.session)).not.toHaveProperty('botTokens');
    expect(await view((await createApiKey(member)).calls)).not.toHaveProperty('botTokens');
  });

  it('§2.2: has name, prefix, and the times of creation, last use and revocation, and never the secret', async () => {
    const own = await createGroup(creator);
    const created = await createToken(creator, own.id, 'Nightly build');
    const tokens = async () => (await view(creator.session, own.id)).botTokens ?? [];
    expect(await tokens()).toEqual([
      {
        id: created.id,
        name: 'Nightly build',
        prefix: created.secret.slice(0, 12),
        createdAt: created.createdAt,
        lastUsedAt: null,
        revokedAt: null,
      },
    ]);
    const before = Date.now();
    const seen = await view(created.calls, own.id);
    expect(JSON.stringify(seen)).not.toContain(created.secret.slice(12));
    // The relay may answer before it stores this.
    const lastUsedAt = async () => Date.parse(String(only(await tokens()).lastUsedAt));
    await expect.poll(lastUsedAt).toBeGreaterThan(before - 60_000);
  });

  it('§2.2: has every created token, revoked ones too', async () => {
    const own = await createGroup(creator);
    const [kept, revoked] = [
      await createToken(creator, own.id, 'Kept'),
      await createToken(creator, own.id, 'Gone'),
    ];
    const before = Date.now();
    await creator.session.expect(204, 'DELETE', `/groups/${own.id}/tokens/${revoked.id}`);
    const after = Date.now();
    const tokens = (await view(kept.calls, own.id)).botTokens ?? [];
    const byName = (name: string): BotToken => only(tokens.filter((token) => token.name === name));
    expect(byName('Kept').revokedAt).toBeNull();
    const revokedAt = Date.parse(String(byName('Gone').revokedAt));
    expect(revokedAt).toBeGreaterThanOrEqual(before);
    expect(revokedAt).toBeLessThanOrEqual(after);
  });
});

describe('a group token', () => {
  it('§9: is answered once with its secret, gtk_live_ and 43 characters', async () => {
    const { calls: _, ...created } = await createToken(creator, group.id, 'Release bot');
    expect(created).toEqual({
      id: expect.stringMatching(/^[\w-]+$/),
      name: 'Release bot',
      prefix: created.secret.slice(0, 12),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      secret: expect.stringMatching(/^gtk_live_[\w-]{43}$/),
    });
  });

  it("§5.3: is created and revoked by the group's creator alone, with a session", async () => {
    const { id } = await createToken(creator, group.id);
    const create = (calls: Calls) =>
      calls.send<Problem>('POST', `/groups/${group.id}/tokens`, { name: 'Mine' });
    const revoke = (calls: Calls) => calls.send<Problem>('DELETE', `/groups/${group.id}/tokens/${id}`);
    for (const account of [member, stranger]) {
      expectProblem(await create(account.session), 403, 'forbidden');
      expectProblem(await revoke(account.session), 403, 'forbidden');
    }
    const { calls } = await createApiKey(creator);
    expectProblem(await create(calls), 403, 'missing_entitlement');
    expectProblem(await revoke(calls), 403, 'missing_entitlement');
    expect((await revoke(creator.session)).status).toBe(204);
  });

  it.each([{}, { name: '' }, { name: 'Two\nlines' }, { name: 'Bot', expiresAt: null }])(
    '§1: is not created with %j',
    async (body) => {
      const answer = await creator.session.send<Problem>('POST', `/groups/${group.id}/tokens`, body);
      expectProblem(answer, 400, 'invalid_request');
    },
  );

  it('§5: that was revoked gets the same 401 as an unknown one', async () => {
    const { id, calls } = await createToken(creator, group.id);
    await view(calls);
    await creator.session.expect(204, 'DELETE', `/groups/${group.id}/tokens/${id}`);
    const never = new Calls(relay.url, `gtk_live_${'A'.repeat(43)}`);
    const answers = [await refused(calls), await refused(never), await calls.send<Problem>('GET', '/me')];
    for (const answer of answers) expectProblem(answer, 401, 'unauthorized');
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
    expectProblem(
      await creator.session.send('DELETE', `/groups/${group.id}/tokens/no_such_token`),
      404,
      'not_found',
    );
  });

  it('works while Developer API access is locked: it is not an API key', async () => {
    const locked = await Account.signUp(relay.url);
    const { calls } = await createToken(locked, (await createGroup(locked)).id);
    await locked.session.expect(200, 'PUT', '/me/developer-access', { enabled: false });
    await calls.expect(200, 'GET', '/me');
  });
});
