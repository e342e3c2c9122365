/**
 * Sealed posts to a group: the specification's §4.9 and §5, the protocol's §6 and §9, and docs/protocol.md §10.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Calls, Group, GroupResults } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import {
  addTo,
  endOf,
  groupText,
  proveKeys,
  readChain,
  sealByBot,
  sealForGroup,
} from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { signingKey } from '../../interop/keys.ts';
import { decodePayload } from '../../interop/payload.ts';
import { type Envelope, open } from '../../interop/seal.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const routeOf = ({ from, toAddress }: { from: string; toAddress: string }) => ({ from, to: toAddress });
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
  group = await createGroup(creator, [member], { unsignedBots: true });
  token = (await createToken(creator, group.id)).calls;
});
afterAll(() => relay[Symbol.asyncDispose]());

const posted = (calls: Calls, envelopes: Envelope[], id = group.id) =>
  calls.expect<GroupResults>(200, 'POST', `/groups/${id}/envelopes`, { envelopes });

/** One copy of a text for each device in the group, as the creator would write it. */
function copies(view = group, text = 'Hello') {
  return sealForGroup(creator.session, view, groupText(view, creator.address, text));
}

function copyFor(envelopes: Envelope[], account: Account): Envelope {
  return only(envelopes.filter(({ toAddress }) => toAddress === account.address));
}

describe('a sealed post', () => {
  it('§4.9 rule 3: with a group token the message arrives from the group creator, at every member', async () => {
    const view = await token.expect<Group>(200, 'GET', `/groups/${group.id}`);
    await proveKeys(view);
    const body = groupText(view, String(view.creator), 'From a bot');
    const envelopes = await sealForGroup(token, view, body);
    const answer = await posted(token, envelopes);
    expect(answer).toEqual({
      accepted: 2,
      results: envelopes.map(() => ({ status: 'accepted', id: expect.any(String) })),
      missing: [],
      stale: [],
    });
    for (const reader of [creator, member]) {
      const received = only(await reader.receive());
      const sent = copyFor(envelopes, reader);
      const id = answer.results[envelopes.indexOf(sent)]?.id;
      const { asRequest: _, ...rest } = received;
      expect(rest).toEqual({
        ...sent,
        id,
        from: creator.address,
        groupId: group.id,
        via: 'group_token',
        bot: { id: expect.any(String), name: 'A bot' },
        receivedAt: expect.any(String),
      });
      expect(await reader.read(received)).toMatchObject({ body, signed: false });
    }
  });

  it('§13: a bot signs, and its post is read as a bot of the group’s, unlike that of any other key', async () => {
    const [bot, stray] = [signingKey(), signingKey()];
    const { key } = bot;
    const silent = await createGroup(creator, [member]);
    await addTo(creator, silent.id, 'change', { bots: [{ key, name: 'Builds' }] });
    const { calls } = await createToken(creator, silent.id);
    const view = await calls.expect<Group>(200, 'GET', `/groups/${silent.id}`);
    const text = (words: string) => groupText(view, creator.address, words);
    await posted(calls, await sealByBot(calls, view, text('Signed'), bot), silent.id);
    await posted(calls, await sealByBot(calls, view, text('By another key'), stray), silent.id);
    await posted(calls, await sealForGroup(calls, view, text('Unsigned')), silent.id);
    const [signed, ...others] = await member.receive();
    if (!signed) throw new Error('nothing came');
    expect(await member.read(signed)).toMatchObject({ body: { text: 'Signed' }, proof: 'bot' });
    expect(others).toHaveLength(2);
    for (const other of others) await expect(member.read(other)).rejects.toThrow();
    await creator.receive();
  });

  it("§4.9 rule 3: with a member's key it arrives from that member's address", async () => {
    const { calls } = await createApiKey(member);
    const view = await calls.expect<Group>(200, 'GET', `/groups/${group.id}`);
    const body = groupText(view, member.address, 'From a program of a member');
    await posted(calls, await sealForGroup(calls, view, body));
    const received = only(await creator.receive());
    expect(received).toMatchObject({ from: member.address, via: 'api_key', groupId: group.id });
    expect(await creator.read(received)).toMatchObject({ body, signed: false });
    await member.receive();
  });

  it('§3: the payload is labelled SEALEDGRP, signed by the device that wrote it, and names the last known entry of the chain', async () => {
    const body = groupText(group, member.address, 'From a person', member);
    await posted(member.session, await sealForGroup(member.session, group, body, member.device));
    const received = only(await creator.receive());
    expect(received.via).toBe('session');
    const { payload } = await open(routeOf(received), creator.device.sealKeys.secret, received);
    expect(Buffer.from(payload).subarray(0, 11).toString('latin1')).toBe('SEALEDGRP\x02\x01');
    const end = endOf(await readChain(member, group.id));
    expect(decodePayload(payload).body.roster).toEqual(end);
    expect(await creator.read(received)).toMatchObject({ body, signed: true });
    await member.receive();
  });

  it('§5.3: the wallet of the bot need not be a member: a token is enough', async () => {
    const lonely = await createGroup(stranger);
    const bot = await createToken(stranger, lonely.id);
    const view = await bot.calls.expect<Group>(200, 'GET', `/groups/${lonely.id}`);
    const answer = await posted(
      bot.calls,
      await sealForGroup(bot.calls, view, groupText(view, stranger.address, 'Hi')),
      lonely.id,
    );
    expect(answer.accepted).toBe(1);
    await stranger.receive();
  });

  it('§6: sent again it is reported as a duplicate with the same id and delivered once, also when acknowledged', async () => {
    const envelopes = await copies();
    const first = await posted(token, envelopes);
    const again = await posted(token, envelopes);
    expect(again.results).toEqual(first.results.map(({ id }) => ({ status: 'duplicate', id })));
    expect(again).toMatchObject({ accepted: 2, missing: [], stale: [] });
    expect(await member.receive()).toHaveLength(1);
    expect(await creator.receive()).toHaveLength(1);
    expect((await posted(token, envelopes)).results).toEqual(again.results);
    expect(await member.receive()).toEqual([]);
  });

  it('§6: missing names the device keys of members without a copy', async () => {
    const envelopes = [copyFor(await copies(), creator)];
    const answer = await posted(token, envelopes);
    expect(answer).toMatchObject({ accepted: 1, missing: group.memberDeviceKeys[member.address], stale: [] });
    await creator.receive();
  });

  it('§6: stale names keys that are no longer current, and missing their replacements', async () => {
    const rotating = await Account.signUp(relay.url);
    const own = await createGroup(rotating, [member]);
    const outdated = await sealForGroup(
      rotating.session,
      own,
      groupText(own, rotating.address, 'Late', rotating),
      rotating.device,
    );
    const old = rotating.device.sealKeys.publicKey;
    await rotating.rotateSealKey();
    const answer = await posted(rotating.session, outdated, own.id);
    expect(answer).toMatchObject({
      accepted: 1,
      stale: [old],
      missing: [rotating.device.sealKeys.publicKey],
    });
    const staleAt = outdated.findIndex(({ toAddress }) => toAddress === rotating.address);
    expect(answer.results[staleAt]).toMatchObject({ status: 'rejected', error: { code: 'unknown_device' } });
    expect(await member.receive()).toHaveLength(1);
    expect(await rotating.receive()).toEqual([]);
  });

  it('reaches every device of a member, each with the copy that was sealed to it', async () => {
    const twofold = await Account.signUp(relay.url);
    const second = await createDevice('app');
    await twofold.certify([], [twofold.device, second]);
    const own = await createGroup(twofold);
    expect(own.memberDeviceKeys[twofold.address]).toHaveLength(2);
    await posted(
      twofold.session,
      await sealForGroup(twofold.session, own, groupText(own, twofold.address, 'To both')),
      own.id,
    );
    for (const device of [twofold.device, second]) {
      const path = `/inbox?device=${device.listed.deviceId}`;
      const { envelopes } = await twofold.session.expect<{ envelopes: (Envelope & { from: string })[] }>(
        200,
        'GET',
        path,
      );
      const copy = only(envelopes);
      const { payload } = await open(routeOf(copy), device.sealKeys.secret, copy);
      expect(decodePayload(payload).body.text).toBe('To both');
    }
  });
});
