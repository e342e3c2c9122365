import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayClient } from '../../../src/client/index.ts';
import { botsWithoutToken } from '../../../src/messaging/groups/bots.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { directBody, forge, targetOf } from '../../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../support/person.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { joinAs } from '../../support/relay-rosters.ts';

// All of these people log in from one address within seconds.
const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

interface TestGroup {
  id: string;
  /** A client with a new token and bot key of the group, calling at a URL. */
  tokenClient(url?: string): Promise<RelayClient>;
}

/** A group of a creator and others, who join it. */
async function newGroup(creator: Bot, others: Bot[] = [], at = relay): Promise<TestGroup> {
  let bots = 0;
  const { id } = await creator.client.createGroup('Builds', { open: true });
  for (const other of others) await join(id, other);
  return {
    id,
    async tokenClient(url = at.url) {
      const { secret, botKey } = await creator.client.createBot(id, `ci ${++bots}`);
      return new RelayClient({ relay: url, secret, ...(botKey !== null && { botKey }) });
    },
  };
}

async function join(id: string, { client }: Bot): Promise<void> {
  await client.joinGroup(id);
}

const newCreator = (at = relay) => newBot(at);

test('a bot posts to every device of every member, which show it by its name', async () => {
  const [ann, ben] = [await newCreator(), await newBot(relay)];
  const tablet = await newBot(relay, { wallet: ben.identity.wallet ?? undefined });
  const group = await newGroup(ann, [ben]);
  const client = await group.tokenClient();
  const { credential, address } = await client.me();
  expect([credential.type, credential.groupId, address]).toEqual([
    'group_token',
    group.id,
    ann.identity.address,
  ]);

  const sent = await client.sendToGroup(group.id, 'the build is green');
  expect([sent.envelopeIds.length, sent.undelivered]).toEqual([3, []]);
  for (const device of [ben, tablet]) {
    expect(await waiting(device)).toMatchObject([
      {
        id: sent.messageId,
        from: ann.identity.address,
        groupId: group.id,
        text: 'the build is green',
        proof: 'bot',
        bot: { name: 'ci 1' },
        automated: true,
        body: { roster: (await ann.client.group(group.id)).roster },
      },
    ]);
  }
});

test('a group token with a pin two lists behind continues: it reads the lists between', async () => {
  const [ann, ben] = [await newCreator(), await newBot(relay)];
  const group = await newGroup(ann, [ben]);
  const client = await group.tokenClient();
  await client.sendToGroup(group.id, 'to one device');
  const wallet = ben.identity.wallet ?? undefined;
  const [tablet, phone] = [await newBot(relay, { wallet }), await newBot(relay, { wallet })];
  expect(phone.identity.deviceList?.sequence).toBe(3);

  const sent = await client.sendToGroup(group.id, 'to all three');
  expect([sent.envelopeIds.length, sent.undelivered]).toEqual([4, []]);
  expect(await waitingTexts(ben)).toEqual(['to one device', 'to all three']);
  for (const device of [tablet, phone]) expect(await waitingTexts(device)).toEqual(['to all three']);
});

test('a post by token alone is shown only while the group allows unsigned messages', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const { id } = await newGroup(ann, [ben]);
  const params = { id };
  const bare = await ann.identity.account().call('createToken', { params, body: { name: 'bare' } });
  const client = new RelayClient({ relay: relay.url, secret: bare.secret });
  await expect(client.sendToGroup(id, 'not allowed yet')).rejects.toMatchObject({ code: 'bot_key_missing' });

  const alone = await ann.client.createBot(id, 'alone', { alone: true });
  expect(alone.botKey).toBeNull();
  await new RelayClient({ relay: relay.url, secret: alone.secret }).sendToGroup(id, 'allowed');
  expect(await waiting(ben)).toMatchObject([
    { text: 'allowed', proof: 'token', bot: { key: null, token: alone.id, name: 'alone' } },
  ]);
  await ann.client.revokeBot(id, alone.id);
  expect(await ann.client.group(id), 'another token still needs it').toMatchObject({ unsignedBots: true });
  await client.sendToGroup(id, 'under way when it was forbidden');
  await ann.client.revokeBot(id, bare.id);
  expect(await ann.client.group(id)).toMatchObject({ unsignedBots: false });
  await ben.client.group(id);
  expect(await waiting(ben)).toEqual([]);
  expect(ben.identity.journal.refused).toMatchObject([{ why: { code: 'token_unsigned' } }]);
});

test('revoking its token ends a bot: its key leaves the group, and later posts are not shown', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const { id } = await newGroup(ann, [ben]);
  const bot = await ann.client.createBot(id, 'builds');
  expect((await ann.client.group(id)).bots).toMatchObject([{ name: 'builds' }]);
  await ann.client.revokeBot(id, bot.id);
  const { bots, botTokens } = await ann.client.group(id);
  expect([bots, botTokens?.map(({ revokedAt }) => revokedAt !== null)]).toEqual([[], [true]]);
  // Nor with another token of the group: the group no longer has the key.
  const other = await ann.client.createBot(id, 'other');
  const { secret } = other;
  const client = new RelayClient({ relay: relay.url, secret, botKey: bot.botKey ?? '' });
  await expect(client.sendToGroup(id, 'after its end')).rejects.toMatchObject({ code: 'bot_not_in_group' });
  const mine = { relay: relay.url, secret, botKey: other.botKey ?? '' };
  await new RelayClient(mine).sendToGroup(id, 'by the other');
  expect(await waiting(ben)).toMatchObject([{ text: 'by the other', bot: { name: 'other' } }]);
});

test('a key whose token was ended by the relay is removed by the owner', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const { id } = await newGroup(ann, [ben]);
  const bot = await ann.client.createBot(id, 'half');
  const params = { id, tokenId: bot.id };
  await ann.identity.account().call('revokeToken', { params });
  const { bots, botTokens = [] } = await ann.client.group(id);
  expect(botsWithoutToken({ bots }, botTokens)).toMatchObject([{ name: 'half' }]);
  await ann.client.revokeBot(id, bots[0]?.key ?? '');
  expect((await ann.client.group(id)).bots).toEqual([]);
  await expect(ben.client.revokeBot(id, 'x')).rejects.toMatchObject({ status: 403 });
});

test('a name belongs to one bot, and an invalid name is refused before there is a token', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const { id } = await newGroup(ann, [ben]);
  const { id: first } = await ann.client.createBot(id, 'builds');
  await expect(ann.client.createBot(id, 'builds')).rejects.toMatchObject({ code: 'bot_name_taken' });
  await expect(ann.client.createBot(id, 'builds', { alone: true })).rejects.toMatchObject({
    code: 'bot_name_taken',
  });
  await expect(ann.client.createBot(id, 'ö'.repeat(81))).rejects.toMatchObject({ code: 'name_long' });
  await expect(ann.client.createBot(id, '')).rejects.toMatchObject({ code: 'name_empty' });
  await expect(ben.client.createBot(id, 'by a member')).rejects.toMatchObject({ status: 403 });
  expect((await ann.client.group(id)).botTokens).toHaveLength(1);
  await ann.client.revokeBot(id, first);
  await ann.client.createBot(id, 'builds');
});

test('a bot key is used with a group token only, and is not sent to a relay', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben]);
  const { secret, botKey } = await ann.client.createBot(group.id, 'builds');
  const key = botKey ?? '';
  expect(key).toMatch(/^wxb_[\w-]{43}$/);
  const options = { relay: relay.url, botKey: key };
  const refused = expect.objectContaining({ code: 'bot_key_without_token' });
  expect(() => new RelayClient({ ...options, secret: ann.identity.apiKey ?? '' })).toThrow(refused);
  expect(() => new RelayClient({ ...options, secret, identity: ann.identity })).toThrow(refused);
  expect(() => new RelayClient({ relay: relay.url, secret, botKey: `${key}A` })).toThrow(
    expect.objectContaining({ code: 'bot_key_malformed' }),
  );
  await using hostile = await HostileRelay.start();
  const [cat, dan] = [await newBot(hostile), await newBot(hostile)];
  const { id } = await cat.client.createGroup('Builds', { open: true });
  await dan.client.joinGroup(id);
  const bot = await cat.client.createBot(id, 'builds');
  const client = new RelayClient({ relay: hostile.url, secret: bot.secret, botKey: bot.botKey ?? '' });
  await client.sendToGroup(id, 'hello');
  expect(await waiting(dan)).toMatchObject([{ text: 'hello', bot: { name: 'builds' } }]);
  const seed = bot.botKey?.slice('wxb_'.length) ?? 'none';
  const calls = JSON.stringify(hostile.requests);
  expect([calls.includes(bot.secret), calls.includes(seed)]).toEqual([true, false]);
});

test('a bot ends with the creator’s rights: a transfer removes its key', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben]);
  const client = await group.tokenClient();
  await client.sendToGroup(group.id, 'before');
  expect(await waiting(ben)).toMatchObject([{ text: 'before', proof: 'bot' }]);
  await ann.client.changeGroup(group.id, { creator: ben.identity.address });
  expect(await ben.client.group(group.id)).toMatchObject({ bots: [], unsignedBots: false });
});

test('a member posts signed, and others answer into the group', async () => {
  const [ann, ben, cid] = [await newBot(relay), await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben, cid]);
  await ben.client.sendToGroup(group.id, 'lunch?');
  const [question] = await waiting(ann);
  expect(question).toMatchObject({ from: ben.identity.address, proof: 'signed', text: 'lunch?' });
  if (question) await ann.client.reply(question, 'yes');
  expect(await waitingTexts(ben)).toEqual(['yes']);
  expect(await waitingTexts(cid)).toEqual(['lunch?', 'yes']);
});

test('groups are found by name, and own groups by mine', async () => {
  const ann = await newBot(relay);
  const group = await newGroup(ann);
  expect(await ann.client.groups({ mine: true })).toMatchObject([{ id: group.id, name: 'Builds' }]);
  expect((await ann.client.groups({ q: 'build', limit: 500 })).map(({ id }) => id)).toContain(group.id);
  expect(await ann.client.groups({ limit: 1 })).toHaveLength(1);
  const client = await group.tokenClient();
  await expect(client.groups({ mine: true })).rejects.toMatchObject({ code: 'group_token_not_allowed' });
  await expect((await newBot(relay)).client.sendToGroup(group.id, 'x')).rejects.toMatchObject({
    code: 'group_left',
  });
});

/** Runs one function before each post into the group, as if it happened while the sender was sealing. */
async function proxyWith(between: (() => Promise<unknown>)[]): Promise<CuttingProxy> {
  const proxy = await new CuttingProxy().start();
  proxy.target = relay.url;
  proxy.cuts = async ({ path, stage }) => {
    if (path.endsWith('/envelopes') && stage === 'before') await between.shift()?.();
    return false;
  };
  return proxy;
}

test('a person or device that joins between reading and posting gets the same message', async () => {
  const [ann, ben] = [await newCreator(), await newBot(relay)];
  const [cid, dan] = [await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben, cid]);
  const tablets: Bot[] = [];
  const between = [
    () => join(group.id, dan),
    async () => tablets.push(await newBot(relay, { wallet: ben.identity.wallet ?? undefined })),
    () => leave(group.id, cid),
  ];
  await using proxy = await proxyWith(between);
  const client = await group.tokenClient(proxy.url);
  const { messageId, envelopeIds, undelivered } = await client.sendToGroup(group.id, 'moving target');
  expect([between.length, envelopeIds.length, undelivered]).toEqual([0, 5, []]);
  for (const member of [ben, dan, ...tablets]) {
    expect((await waiting(member)).map(({ id }) => id)).toEqual([messageId]);
  }
  // Cid has left and no longer knows the creator, for whom alone the token is valid.
  expect(await waiting(cid)).toEqual([]);
});

test('a member that leaves between reading and posting is left out; the others get the message', async () => {
  const [ann, ben, cid] = [await newCreator(), await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben, cid]);
  await using proxy = await proxyWith([() => leave(group.id, cid)]);
  const client = await group.tokenClient(proxy.url);
  const before = (await ann.client.group(group.id)).roster;
  expect((await client.sendToGroup(group.id, 'without Cid')).envelopeIds).toHaveLength(2);
  // Its text stays as first signed, for recipients who may have it already.
  expect(await waiting(ben)).toMatchObject([{ text: 'without Cid', body: { roster: before } }]);
  expect(await waiting(cid)).toEqual([]);
});

test('a key replaced between reading and posting is replaced in the post', async () => {
  const [ann, ben] = [await newCreator(), await newPerson(relay)];
  const group = await newGroup(ann);
  await joinAs(ben, group.id);
  const rotate = async () => {
    ben.device.rotate();
    const sealKey = ben.device.statement(ben.address, Date.now());
    const params = { deviceId: ben.device.id };
    await relay.call('putSealKey', { token: ben.token, params, body: { sealKey } });
  };
  await using proxy = await proxyWith([rotate]);
  const client = await group.tokenClient(proxy.url);
  const { envelopeIds } = await client.sendToGroup(group.id, 'for the new key');
  const [arrived, ...others] = await ben.inbox();
  expect([others.length, envelopeIds.includes(arrived?.id ?? '')]).toEqual([0, true]);
  expect(arrived && ben.open(arrived)).toContain('for the new key');
});

test('a post above the group’s limit is split, with each device served once', async () => {
  await using small = await new TestRelay({ limits: { groupEnvelopes: 2 } }).start();
  const ann = await newCreator(small);
  const others = [await newBot(small), await newBot(small), await newBot(small), await newBot(small)];
  const group = await newGroup(ann, others, small);
  const { envelopeIds } = await (await group.tokenClient()).sendToGroup(group.id, 'in chunks');
  expect(new Set(envelopeIds).size).toBe(5);
  for (const other of others) expect(await waitingTexts(other)).toEqual(['in chunks']);
});

test('a member with a full inbox is reported; the others get the message', async () => {
  await using small = await new TestRelay({ limits: { queueEnvelopes: 1 } }).start();
  const [ann, ben, cid] = [await newCreator(small), await newBot(small), await newBot(small)];
  const group = await newGroup(ann, [ben, cid], small);
  await ann.client.send(ben.identity.address, 'fills the inbox');
  const { undelivered } = await ann.client.sendToGroup(group.id, 'to those who can');
  expect(undelivered.map(({ address }) => address)).toEqual([ben.identity.address]);
  expect(await waitingTexts(cid)).toEqual(['to those who can']);
});

async function leave(id: string, { client }: Bot): Promise<void> {
  await client.leaveGroup(id);
}

test('a false invitation of a stranger keeps no program out of a group that is not listed', async () => {
  await using hostile = await HostileRelay.start();
  const [ann, ben] = [await newBot(hostile), await newBot(hostile)];
  const { address } = ben.identity;
  const { id } = await ann.client.createGroup('Herons', { listed: false });
  const { ticket } = await ann.client.inviteToGroup(id, address);
  expect(await waiting(ben)).toHaveLength(1);
  const mallory = await newPerson(hostile.relay);
  const target = await targetOf(hostile, mallory.token, address);
  const invite = { kind: 'invite', group: id, name: 'Herons', fallback: 'Come' };
  const unsigned = { ...ticket, signature: encodeBase64Url(new Uint8Array(64)) };
  const body = { ...directBody(mallory.address, address, ''), ...invite, ticket: unsigned };
  hostile.invent(
    target.deviceId,
    forge(mallory.address, target, { channel: 'direct', body }, mallory.signer),
  );
  expect(await waiting(ben)).toHaveLength(1);
  expect(ben.client.invitations().map(({ from }) => from)).toEqual([mallory.address, ann.identity.address]);
  expect((await ben.client.joinGroup(id)).memberCount).toBe(2);
  expect(ben.client.invitations()).toEqual([]);
});
