/**
 * A relay that lies about groups: their members, the keys of members, and the group of a message.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { GroupView } from '../../../../src/protocol/schemas/groups.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import type { RosterPage } from '../../../../src/protocol/schemas/rosters.ts';
import { eventually } from '../../../support/engine.ts';
import {
  directBody,
  forge,
  groupBody,
  type Target,
  targetOf,
} from '../../../support/hostile-relay/forgery.ts';
import {
  newPair,
  PARTIES,
  type Party,
  shownOf,
  waitForText,
} from '../../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';
import { beginAs, joinAs, leaveAs, placeAt } from '../../../support/relay-rosters.ts';

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  /** A person controlled by the relay. */
  let mallory: Person;
  /** Ben's device. */
  let target: Target;
  /** Ann's, which Ben has joined. */
  let group: string;
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ({ ann, ben } = await newPair(hostile, newParty));
    mallory = await newPerson(hostile.relay);
    target = await targetOf(hostile, mallory.token, ben.address);
    group = await newGroup('Bird watchers');
  });
  afterEach(() => hostile.answerTruthfully());
  afterAll(() => hostile[Symbol.asyncDispose]());

  /** A group that Ann has created and Ben has joined. Both know it. */
  async function newGroup(name: string): Promise<string> {
    const id = await ann.makeGroup(name);
    await ben.joinGroup(id);
    await ann.look(id);
    return id;
  }

  const join = (id: string, person: Person) => joinAs(person, id);

  /** Delivers envelopes to Ben, and makes Ann write after he has judged all of them: only hers arrives. */
  async function expectRefused(...lies: InboxEnvelope[]): Promise<void> {
    expect(await shownOf(hostile, { ann, ben }, target, lies, { group })).toEqual([]);
  }

  /** Shows a group that does not exist in this form. */
  function lieAboutGroup(change: (view: GroupView) => Partial<GroupView>, id = group): void {
    hostile.lie(({ method, path, status, body }) =>
      method === 'GET' && path.endsWith(`/groups/${id}`) && status === 200
        ? { ...(body as GroupView), ...change(body as GroupView) }
        : undefined,
    );
  }

  const viewsOf = (id: string) =>
    hostile.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(`/groups/${id}`)).length;

  test('invented keys of a member are not sealed to, and the sender sees the members without a copy', async () => {
    lieAboutGroup(({ memberDevices, memberDeviceKeys }) => {
      const keys = mallory.device.statement(mallory.address, Date.now());
      return {
        memberDevices: {
          ...memberDevices,
          [ben.address]: { deviceList: mallory.list, sealKeys: [keys] },
        } as never,
        memberDeviceKeys: { ...memberDeviceKeys, [ben.address]: [mallory.device.sealKeyText] },
      };
    });
    await ann.look(group);
    const before = hostile.sent.length;
    const written = await ann.write({ group }, 'not for the relay');
    expect((await ann.undelivered(written)).map(({ address }) => address)).toEqual([ben.address]);
    expect(hostile.sent.slice(before).join()).not.toContain(mallory.device.sealKeyText);
    hostile.answerTruthfully();
    await ann.look(group);
    await ann.retry(written);
    await waitForText(ben, 'not for the relay');
  });

  test('members whose newest devices are hidden get nothing, and the sender is informed', async () => {
    const id = await newGroup('Readers');
    const eve = await newPerson(hostile.relay);
    await join(id, eve);
    const older = eve.list;
    await ann.look(id);
    expect(await ann.write({ group: id }, 'to all')).toMatchObject({ state: 'sent' });
    await eve.publishDevices([eve.device]);
    await ann.look(id);
    const seen = await ann.write({ group: id }, 'to all, by the newer list');
    expect(await ann.undelivered(seen)).toEqual([]);
    lieAboutGroup(({ memberDevices }) => {
      const shown = memberDevices[eve.address];
      return shown && older
        ? { memberDevices: { ...memberDevices, [eve.address]: { ...shown, deviceList: older } } }
        : {};
    }, id);
    await ann.look(id);
    const before = hostile.sent.length;
    const written = await ann.write({ group: id }, 'to those who can be proven');
    const [undelivered, ...others] = await ann.undelivered(written);
    expect([undelivered?.address, others]).toEqual([eve.address, []]);
    expect(undelivered?.code).toBe('keys_withheld');
    await waitForText(ben, 'to those who can be proven');
    expect(hostile.sent.slice(before).join()).not.toContain(eve.device.sealKeyText);
  });

  test('additional or missing members stop sending and are reported', async () => {
    const id = await newGroup('Miscounted');
    for (const members of [[ann.address, ben.address, mallory.address], [ann.address]]) {
      lieAboutGroup(
        () => ({
          members,
          memberCount: members.length,
          memberProfiles: {},
        }),
        id,
      );
      await ann.look(id).catch(() => undefined);
      const before = hostile.sent.length;
      const written = await ann.write({ group: id }, 'not for the relay');
      expect(written).toMatchObject({ state: 'failed', problem: expect.stringMatching(/signed changes/) });
      expect(hostile.sent.slice(before)).toEqual([]);
      hostile.answerTruthfully();
      await ann.look(id);
    }
    await ann.write({ group: id }, 'for all who are in it');
    await waitForText(ben, 'for all who are in it');
  });

  test('a hidden removal reaches a member from its author, and stops their messages', async () => {
    const id = await newGroup('Hidden removal');
    await join(id, mallory);
    const before = hostile.requests.length;
    await ben.look(id);
    const asBen = new Set(hostile.requests.slice(before).map(({ credential }) => credential));
    const old = (await placeAt(mallory, id)).epoch;
    const view = await hostile.relay.call('getGroup', { token: mallory.token, params: { id } });
    await ann.removeFrom(id, mallory.address);
    hostile.lie(({ method, path, status, credential, body }) => {
      if (method !== 'GET' || status !== 200 || !asBen.has(credential)) return undefined;
      if (path.endsWith(`/groups/${id}`)) return view.body;
      if (!path.includes(`/groups/${id}/roster`)) return undefined;
      const after = Number(new URL(path, 'http://relay').searchParams.get('after') ?? 0);
      return { entries: (body as RosterPage).entries.slice(0, Math.max(0, old - after)), more: false };
    });
    await eventually(
      async () => {
        await ben.texts();
        return ben.write({ group: id }, 'is Mallory here?');
      },
      ({ state }) => state === 'failed',
    );
    hostile.answerTruthfully();
    await ben.look(id);
    const written = await ben.write({ group: id }, 'without Mallory');
    expect(written.state).toBe('sent');
    expect((await ben.look(id)).members).not.toContain(mallory.address);
  });

  test('a message of another group, a direct one in a group, and a group’s as a direct one are refused', async () => {
    const elsewhere = await newGroup('Elsewhere');
    let moved = 0;
    hostile.lie(({ path, status, body }) => {
      if (!path.includes(`/inbox?device=${target.deviceId}`) || status !== 200) return undefined;
      const page = body as { envelopes: InboxEnvelope[] };
      moved += page.envelopes.length;
      // No honest envelope passes here: otherwise a moved one would be a duplicate.
      return { ...page, envelopes: page.envelopes.map((each) => ({ ...each, groupId: group })) };
    });
    const acknowledged = () =>
      hostile.requests.filter(
        ({ path, body }) => path.endsWith('/inbox/ack') && body.includes(target.deviceId),
      ).length;
    const before = acknowledged();
    await ann.write({ group: elsewhere }, 'for elsewhere');
    // Before that, an honest relay would deliver it again.
    await eventually(
      async () => {
        await ben.texts();
        return moved > 0 && acknowledged() > before;
      },
      (isJudged) => isJudged,
    );
    expect(await ben.texts()).not.toContain('for elsewhere');
    hostile.answerTruthfully();

    const { address, signer } = mallory;
    const place = await placeAt(mallory, elsewhere);
    const direct = { channel: 'direct' as const, body: directBody(address, ben.address, 'moved') };
    const grouped = { channel: 'group' as const, body: groupBody(address, elsewhere, place, 'moved') };
    const { groupId: _groupId, ...asDirect } = forge(address, target, grouped, signer);
    await expectRefused(
      forge(address, target, direct, signer, { groupId: group }),
      asDirect,
      forge(address, target, grouped, signer, { groupId: group }),
    );
    expect(await ben.texts()).not.toContain('for elsewhere');
  });

  test('strangers are not shown in a group, nor unsigned messages of a member who allows none', async () => {
    const outsider = await newPerson(hostile.relay);
    const place = await placeAt(mallory, group);
    const from = (address: string, text: string) => ({
      channel: 'group' as const,
      body: groupBody(address, group, place, text),
    });
    await expectRefused(
      forge(outsider.address, target, from(outsider.address, 'let me in'), outsider.signer),
      forge(ann.address, target, from(ann.address, 'a bot of Ann’s'), null, { via: 'group_token' }),
      forge(ann.address, target, from(ann.address, 'a bot of Ann’s'), null, { via: 'api_key' }),
    );
  });

  test('a message written before leaving is shown after it', async () => {
    const id = await newGroup('Leavers');
    const fay = await newPerson(hostile.relay);
    await join(id, fay);
    await ben.look(id);
    const body = groupBody(fay.address, id, await placeAt(fay, id), 'farewell');
    await leaveAs(fay, id);
    await ben.look(id);
    hostile.invent(target.deviceId, forge(fay.address, target, { channel: 'group', body }, fay.signer));
    await waitForText(ben, 'farewell');
  });

  test('a page of messages with invented entries causes at most one call, and shows none', async () => {
    const id = await newGroup('Rumours');
    await join(id, mallory);
    await ben.look(id);
    const before = viewsOf(id);
    for (let index = 0; index < 20; index++) {
      const place = { epoch: 99, hash: encodeBase64Url(randomBytes(32)) };
      const body = groupBody(mallory.address, id, place, `number ${index}`);
      const message = { channel: 'group' as const, body };
      hostile.invent(target.deviceId, forge(mallory.address, target, message, mallory.signer));
    }
    await ann.write({ group: id }, 'what everybody knows');
    const texts = await waitForText(ben, 'what everybody knows');
    expect(texts.filter((text) => text.startsWith('number '))).toEqual([]);
    expect(viewsOf(id) - before).toBeLessThanOrEqual(4);
  });

  test('endless changes of members and devices come to an end', async () => {
    const isPost = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.endsWith(`${group}/envelopes`);
    hostile.lie((passing) =>
      isPost(passing) && passing.status === 200
        ? { ...(passing.body as object), missing: [mallory.device.sealKeyText], stale: [target.sealKey] }
        : undefined,
    );
    const before = hostile.requests.filter(isPost).length;
    const posts = async () => hostile.requests.filter(isPost).length - before;
    const writing = ann.write({ group }, 'again and again');
    // The limit of rounds in one attempt. The next attempt is not made at once, even if there is time.
    await eventually(posts, (count) => count >= 5);
    for (let call = 0; call < 20; call++) await ben.look(group);
    expect(await posts()).toBeLessThan(25);
    hostile.answerTruthfully();
    await ann.texts();
    const texts = await waitForText(ben, 'again and again');
    expect(texts.filter((text) => text === 'again and again')).toHaveLength(1);
    expect(await writing).toMatchObject({ state: 'sent' });
  });

  test('a valid answer about another group sends its members no message', async () => {
    const ours = await newGroup('Ours');
    const { token, address, signer } = mallory;
    const theirs = await beginAs(mallory, { name: 'Theirs' });
    for (const party of [ann, ben]) await party.joinGroup(theirs);
    const { body: view } = await hostile.relay.call('getGroup', { token, params: { id: theirs } });
    lieAboutGroup(() => view, ours);
    await expect(ann.look(ours)).rejects.toThrow('does not match the request');
    const before = hostile.sent.length;
    await ann.restart();
    const written = await ann.write({ group: ours }, 'for us alone');
    const body = groupBody(address, ours, await placeAt(mallory, ours), 'I am one of you');
    hostile.invent(target.deviceId, forge(address, target, { channel: 'group', body }, signer));
    hostile.answerTruthfully();
    hostile.invent(target.deviceId, forge(address, target, { channel: 'group', body }, signer));
    await ann.retry(written);
    await waitForText(ben, 'for us alone');
    expect(hostile.sent.slice(before).join()).not.toContain(address);
    expect(await ben.texts()).not.toContain('I am one of you');
  });
});
