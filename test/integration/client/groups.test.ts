import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayClient } from '../../../src/client/index.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
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
  /** A client with a new token of the group, calling at a URL. */
  tokenClient(url?: string): Promise<RelayClient>;
}

/** A group of a creator, who allows bots, and others, who join it. */
async function newGroup(creator: Bot, others: Bot[] = [], at = relay): Promise<TestGroup> {
  const account = creator.identity.account();
  const { id } = await creator.client.createGroup('Builds', { open: true });
  for (const other of others) await join(id, other);
  return {
    id,
    async tokenClient(url = at.url) {
      const { secret } = await account.call('createToken', { params: { id }, body: { name: 'ci' } });
      return new RelayClient({ relay: url, secret });
    },
  };
}

async function join(id: string, { client }: Bot): Promise<void> {
  await client.joinGroup(id);
}

const newCreator = (at = relay) => newBot(at, { allowUnsigned: ['api', 'bots'] });

test('a group token posts to every device of every member, in the name of the creator', async () => {
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
  expect([sent.envelopeIds.length, sent.unreached]).toEqual([3, []]);
  for (const device of [ben, tablet]) {
    expect(await waiting(device)).toMatchObject([
      {
        id: sent.messageId,
        from: ann.identity.address,
        groupId: group.id,
        text: 'the build is green',
        proof: 'bots',
        automated: true,
        body: { roster: (await ann.client.group(group.id)).roster },
      },
    ]);
  }
});

test('a group token whose pin of a member is two lists behind posts on: it reads the lists between', async () => {
  const [ann, ben] = [await newCreator(), await newBot(relay)];
  const group = await newGroup(ann, [ben]);
  const client = await group.tokenClient();
  await client.sendToGroup(group.id, 'to one device');
  const wallet = ben.identity.wallet ?? undefined;
  const [tablet, phone] = [await newBot(relay, { wallet }), await newBot(relay, { wallet })];
  expect(phone.identity.deviceList?.sequence).toBe(3);

  const sent = await client.sendToGroup(group.id, 'to all three');
  expect([sent.envelopeIds.length, sent.unreached]).toEqual([4, []]);
  expect(await waitingTexts(ben)).toEqual(['to one device', 'to all three']);
  for (const device of [tablet, phone]) expect(await waitingTexts(device)).toEqual(['to all three']);
});

test('bots that the creator does not allow are not heard', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben]);
  await (await group.tokenClient()).sendToGroup(group.id, 'unwanted');
  expect(await waiting(ben)).toEqual([]);
  expect(ben.identity.journal.refused).toMatchObject([
    { why: { code: 'unsigned', parameters: { by: 'bots' } } },
  ]);
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

test('groups are found by name, and one’s own by mine', async () => {
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

test('who joins or brings a device between reading and posting is topped up with the same message', async () => {
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
  const { messageId, envelopeIds, unreached } = await client.sendToGroup(group.id, 'moving target');
  expect([between.length, envelopeIds.length, unreached]).toEqual([0, 5, []]);
  for (const member of [ben, dan, ...tablets]) {
    expect((await waiting(member)).map(({ id }) => id)).toEqual([messageId]);
  }
  // Who has left cannot learn any more who made the group, for whom alone the token speaks.
  expect(await waiting(cid)).toEqual([]);
});

test('who leaves between reading and posting is left out; the others have the message', async () => {
  const [ann, ben, cid] = [await newCreator(), await newBot(relay), await newBot(relay)];
  const group = await newGroup(ann, [ben, cid]);
  const before = (await ann.client.group(group.id)).roster;
  await using proxy = await proxyWith([() => leave(group.id, cid)]);
  const client = await group.tokenClient(proxy.url);
  expect((await client.sendToGroup(group.id, 'without Cid')).envelopeIds).toHaveLength(2);
  // Its words stay as they were signed first, for those who may have them already.
  expect(await waiting(ben)).toMatchObject([{ text: 'without Cid', body: { roster: before } }]);
  expect(await waiting(cid)).toEqual([]);
});

test('a key that was replaced between reading and posting is replaced here, too', async () => {
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

test('a post above the group’s limit goes in several, each device served once', async () => {
  await using small = await new TestRelay({ limits: { groupEnvelopes: 2 } }).start();
  const ann = await newCreator(small);
  const others = [await newBot(small), await newBot(small), await newBot(small), await newBot(small)];
  const group = await newGroup(ann, others, small);
  const { envelopeIds } = await (await group.tokenClient()).sendToGroup(group.id, 'in chunks');
  expect(new Set(envelopeIds).size).toBe(5);
  for (const other of others) expect(await waitingTexts(other)).toEqual(['in chunks']);
});

test('a member whose full inbox takes nothing is named; the others have the message', async () => {
  await using small = await new TestRelay({ limits: { queueEnvelopes: 1 } }).start();
  const [ann, ben, cid] = [await newCreator(small), await newBot(small), await newBot(small)];
  const group = await newGroup(ann, [ben, cid], small);
  await ann.client.send(ben.identity.address, 'fills the inbox');
  const { unreached } = await ann.client.sendToGroup(group.id, 'to those who can');
  expect(unreached.map(({ address }) => address)).toEqual([ben.identity.address]);
  expect(await waitingTexts(cid)).toEqual(['to those who can']);
});

async function leave(id: string, { client }: Bot): Promise<void> {
  await client.leaveGroup(id);
}
