/**
 * Programs on the library, with a relay that shows a removed member as one again.
 */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Identity, RelayClient } from '../../../src/client/index.ts';
import { membersHash } from '../../../src/protocol/members-hash.ts';
import type { GroupView } from '../../../src/protocol/schemas/groups.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';

const folder = temporaryFolder();
let hostile: HostileRelay;
beforeAll(async () => {
  hostile = await HostileRelay.start();
});
afterEach(() => hostile.tellTruth());
afterAll(async () => {
  await hostile[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Three {
  id: string;
  ann: Bot;
  ben: Bot;
  cat: Bot;
}

/** A group of Ann's with Ben and Cat, which Ann and Ben have seen. */
async function newGroup(benFile?: string): Promise<Three> {
  const ann = await newBot(hostile, { allowUnsigned: ['api', 'bots'] });
  const [ben, cat] = [await newBot(hostile, benFile ? { file: benFile } : {}), await newBot(hostile)];
  const { id } = await ann.identity.account().call('createGroup', { body: { name: 'Builds' } });
  for (const { client } of [ben, cat]) await client.joinGroup(id);
  for (const { client } of [ann, ben]) await client.group(id);
  return { id, ann, ben, cat };
}

/** Shows the group without someone, as after a removal. Told the truth, they are a member again. */
function showWithout(id: string, { identity }: Bot): void {
  hostile.lie(({ method, path, status, body }) => {
    if (method !== 'GET' || !path.endsWith(`/groups/${id}`) || status !== 200) return;
    const view = body as GroupView;
    const members = view.members.filter((address) => address !== identity.address);
    return { ...view, members, memberCount: members.length, membersHash: membersHash(members) };
  });
}

/** A client has seen the removal of someone, and then the roster from before it. */
async function letReturn(id: string, gone: Bot, client: RelayClient): Promise<void> {
  showWithout(id, gone);
  await client.group(id);
  hostile.tellTruth();
}

const viewsOf = (id: string) => hostile.requests.filter(({ path }) => path.endsWith(`/groups/${id}`)).length;

test('a removed member whom the relay shows again gets nothing; the others do, also after a restart', async () => {
  const file = join(folder.path, 'ben.json');
  const { id, ann, ben, cat } = await newGroup(file);
  await letReturn(id, cat, ben.client);
  const before = viewsOf(id);
  const { unreached } = await ben.client.sendToGroup(id, 'not for Cat');
  expect(unreached).toMatchObject([{ address: cat.identity.address, code: 'member_unconfirmed' }]);
  // The relay says that Cat's device misses a copy. That makes no rounds.
  expect(viewsOf(id) - before).toBe(1);

  const again = new RelayClient({ identity: Identity.open(file) });
  expect((await again.sendToGroup(id, 'nor is this')).unreached).toHaveLength(1);
  expect((await again.group(id)).unconfirmed).toEqual([cat.identity.address]);
  expect(await waitingTexts(ann)).toEqual(['not for Cat', 'nor is this']);
  expect(await waiting(cat)).toEqual([]);
});

test('rosters in turns bring nobody back; a confirmation does, until the next removal', async () => {
  const { id, ben, cat } = await newGroup();
  for (let turn = 0; turn < 3; turn++) {
    await letReturn(id, cat, ben.client);
    await ben.client.sendToGroup(id, `turn ${turn}`);
  }
  expect(await ben.client.confirmMember(id, cat.identity.address)).toBe(true);
  expect(await ben.client.confirmMember(id, cat.identity.address)).toBe(false);
  expect((await ben.client.sendToGroup(id, 'welcome back')).unreached).toEqual([]);
  await letReturn(id, cat, ben.client);
  await ben.client.sendToGroup(id, 'removed once more');
  expect(await waitingTexts(cat)).toEqual(['welcome back']);
});

test('a removal by the program counts though the relay never carries it out, and one that is refused does not', async () => {
  const { id, ann, ben, cat } = await newGroup();
  const { address } = cat.identity;
  await expect(ben.client.removeMember(id, address)).rejects.toMatchObject({ status: 403 });
  expect((await ben.client.sendToGroup(id, 'Ben removes nobody')).unreached).toEqual([]);

  hostile.babble(
    (path) => path.includes(`/groups/${id}/members/`),
    (_, response) => response.writeHead(204).end(),
  );
  await ann.client.removeMember(id, address);
  await ann.client.sendToGroup(id, 'not for Cat');
  expect(await waitingTexts(cat)).toEqual(['Ben removes nobody']);

  await ben.client.removeMember(id, ben.identity.address);
  await expect(ben.client.sendToGroup(id, 'by mistake')).rejects.toMatchObject({ code: 'group_left' });
  await ben.client.joinGroup(id);
  expect((await ben.client.sendToGroup(id, 'back again')).envelopeIds).not.toEqual([]);
});

test('a bot with a group token remembers removals in the file that it is given', async () => {
  const { id, ann, cat } = await newGroup();
  const { secret } = await ann.identity
    .account()
    .call('createToken', { params: { id }, body: { name: 'ci' } });
  const memory = join(folder.path, 'ci.memory');
  const newClient = () => new RelayClient({ relay: hostile.url, secret, memory });
  await newClient().sendToGroup(id, 'one');
  await letReturn(id, cat, newClient());
  await newClient().sendToGroup(id, 'two');
  expect(await newClient().confirmMember(id, cat.identity.address)).toBe(true);
  await newClient().sendToGroup(id, 'three');
  expect(await waitingTexts(cat)).toEqual(['one', 'three']);
});

test('what a removed member posts is told from a member’s until they are confirmed', async () => {
  const { id, ann, ben, cat } = await newGroup();
  await letReturn(id, cat, ben.client);
  await cat.client.sendToGroup(id, 'still here');
  await ann.client.sendToGroup(id, 'a member’s');
  expect(await waiting(ben)).toMatchObject([
    { text: 'still here', unconfirmed: true },
    { text: 'a member’s', unconfirmed: false },
  ]);
  await ben.client.confirmMember(id, cat.identity.address);
  await cat.client.sendToGroup(id, 'let in again');
  expect(await waiting(ben)).toMatchObject([{ text: 'let in again', unconfirmed: false }]);
});
