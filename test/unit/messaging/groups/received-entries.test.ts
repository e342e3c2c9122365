/**
 * Entries from other members, and false answers: their effects, and the number of their calls.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { RelayRefusal } from '../../../../src/messaging/relay.ts';
import { importEd25519 } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { signEntry } from '../../../../src/protocol/roster/entry.ts';
import type { RosterEntry } from '../../../../src/protocol/roster/forms.ts';
import { nextEntry } from '../../../../src/protocol/roster/making.ts';
import { isMember, membersOf } from '../../../../src/protocol/roster/state.ts';
import type { ChainRelay } from '../../../support/chain-relay.ts';
import { Follower, GroupWorld } from '../../../support/followers.ts';
import { fixedBytes } from '../../../support/identities.ts';
import { joinByLink } from '../../../support/roster-making.ts';
import {
  type Action,
  DAY,
  MINUTE,
  type RosterFixture,
  rosterFixture,
  signerOf,
} from '../../../support/rosters.ts';

const ann = rosterFixture('ann', 0x10);
const ben = rosterFixture('ben', 0x20);
const cat = rosterFixture('cat', 0x30);
const eve = rosterFixture('eve', 0x40);

let world: GroupWorld;
let relay: ChainRelay;
beforeEach(() => {
  world = new GroupWorld([ann, ben, cat, eve]);
  relay = world.relay;
});

const newGroup = { name: 'Walkers', description: '', join: { mode: 'open' }, listed: true } as const;

/** Ann's group, with those who joined. */
async function openGroup(...others: Follower[]) {
  const anns = new Follower(world, ann);
  const { group } = await anns.groups.create(newGroup);
  for (const other of others) await other.groups.join(group.groupId, {});
  return { anns, id: group.groupId };
}

function unposted(person: RosterFixture, action: Action): RosterEntry {
  return nextEntry(relay.state(), signerOf(person), action, world.now);
}

const handedOver = (groupId: string, ...entries: RosterEntry[]) => ({ groupId, roster: null, entries });

test('reports a join by a received entry like other joins', async () => {
  const bens = new Follower(world, ben);
  const { id } = await openGroup(bens);
  bens.noted.length = 0;
  await bens.groups.receiveHello(eve.address, handedOver(id, unposted(eve, { kind: 'join' })));
  expect(isMember(bens.known(id).state, eve.address)).toBe(true);
  expect(bens.changes).toContain(`+${eve.address}`);
  expect(bens.noted.length).toBeGreaterThan(0);
});

test('a join passed on by an owner admits no one by an expired link', async () => {
  const anns = new Follower(world, ann);
  const { group } = await anns.groups.create({ ...newGroup, join: { mode: 'invite' } });
  const id = group.groupId;
  const link = importEd25519(fixedBytes(0x66));
  const links = [{ key: encodeBase64Url(link.publicKey), expires: encodeTime(world.now + DAY) }];
  await anns.groups.change(id, () => ({ kind: 'change', links }));
  const late = unposted(eve, joinByLink(relay.state(), eve.address, link));
  world.pass(2 * DAY);
  await anns.groups.receiveHello(eve.address, handedOver(id, late));
  expect(membersOf(relay.state())).toEqual([ann.address]);
});

test('a join passed on by an owner admits no one by an expired ticket', async () => {
  const anns = new Follower(world, ann);
  const { group } = await anns.groups.create({ ...newGroup, join: { mode: 'invite' } });
  const id = group.groupId;
  const ticket = await anns.groups.ticketFor(id, eve.address);
  const late = unposted(eve, { kind: 'join', ticket });
  world.pass(31 * DAY);
  await anns.groups.receiveHello(eve.address, handedOver(id, late));
  expect(membersOf(relay.state())).toEqual([ann.address]);
});

/** A change in Ann's name that only the relay could invent: its list does not exist. */
function madeUp(number: number): RosterEntry {
  return signEntry(eve.devices[0].key, relay.state().groupId, {
    epoch: 100 + number,
    previous: relay.state().hash,
    issued: encodeTime(world.now),
    by: ann.address,
    list: 100 + number,
    kind: 'change',
  });
}

test('useless entries of a stranger cause only a few calls', async () => {
  const bens = new Follower(world, ben);
  const { id } = await openGroup(bens);
  const before = bens.listCalls + relay.calls;
  for (let hello = 0; hello < 10; hello++) {
    const entries = Array.from({ length: 8 }, (_, index) => madeUp(8 * hello + index));
    await bens.groups.receiveHello(eve.address, handedOver(id, ...entries));
  }
  expect(bens.listCalls + relay.calls - before).toBeLessThanOrEqual(40);

  const missing = unposted(ann, { kind: 'change', name: 'Runners' });
  await bens.groups.receiveHello(cat.address, handedOver(id, missing));
  expect(bens.known(id).state.name, 'others are heard meanwhile').toBe('Runners');
  world.pass(60 * MINUTE);
  const again = unposted(ann, { kind: 'change', name: 'Swimmers' });
  await bens.groups.receiveHello(eve.address, handedOver(id, again));
  expect(bens.known(id).state.name).toBe('Swimmers');
});

/** The relay shows nothing to those who are no members. @returns the number of refused calls */
function denyAccess(code: 'not_a_member' | 'not_found' = 'not_a_member'): () => number {
  let calls = 0;
  const deny = async () => {
    calls++;
    throw new RelayRefusal(403, code, '');
  };
  relay.roster = deny;
  relay.group = deny;
  return () => calls;
}

test.each(['not_a_member', 'not_found'] as const)(
  'a removed member learns from the signed entry who removed them (%s)',
  async (code) => {
    const bens = new Follower(world, ben);
    const { anns, id } = await openGroup(bens);
    await anns.groups.change(id, () => ({ kind: 'change', name: 'Runners' }));
    await anns.groups.remove(id, [ben.address]);
    expect(anns.sent.informed).toEqual([relay.entries.at(-1)]);
    denyAccess(code);
    // The relay's claim alone proves no signer.
    await expect(bens.groups.known(id, 0)).rejects.toMatchObject({ code });
    expect(bens.causes.size).toBe(0);
    // Without the entry before it, nothing proves the removal.
    await bens.groups.receiveHello(eve.address, handedOver(id, ...relay.entries.slice(-1)));
    expect(bens.causes.size).toBe(0);
    await bens.groups.receiveHello(eve.address, handedOver(id, ...relay.entries.slice(-3)));
    expect([...bens.causes]).toEqual([[ben.address, ann.address]]);
    expect(bens.groups.isJoined(bens.known(id))).toBe(false);
    expect(bens.known(id).state).toEqual(relay.state());
  },
);

test('an unposted removal ends no membership while the relay shows the group', async () => {
  const bens = new Follower(world, ben);
  const { id } = await openGroup(bens);
  relay.appendEntry = async () => {
    throw new RelayRefusal(500, 'internal', '');
  };
  const removal = unposted(ann, { kind: 'change', remove: [ben.address] });
  await bens.groups.receiveHello(ann.address, handedOver(id, removal));
  expect(bens.groups.isJoined(bens.known(id))).toBe(true);
  expect(bens.causes.size).toBe(0);
});

test('a removal by a member without that right ends no membership, also if the relay agrees', async () => {
  const bens = new Follower(world, ben);
  const { id } = await openGroup(bens, new Follower(world, cat));
  await bens.groups.known(id, 0);
  const removal = unposted(cat, { kind: 'change', remove: [ben.address] });
  const refusedCalls = denyAccess();
  for (let hello = 0; hello < 20; hello++)
    await bens.groups.receiveHello(cat.address, handedOver(id, removal)).catch(() => undefined);
  expect(bens.causes.size).toBe(0);
  expect(refusedCalls()).toBeLessThanOrEqual(8);
});

test.each(['shows less than it did', 'takes no change'])(
  'delays a page’s messages that name unknown entries, with few calls, if the relay %s',
  async (what) => {
    const bens = new Follower(world, ben);
    const { id } = await openGroup(bens);
    let posts = 0;
    relay.appendEntry = async () => {
      posts++;
      throw new RelayRefusal(500, 'internal', '');
    };
    if (what === 'takes no change') {
      await bens.groups.receiveHello(ann.address, handedOver(id, unposted(ann, { kind: 'change' })));
    } else relay.shownUpTo = 2;
    expect(await bens.problem(id)).not.toBeNull();
    world.pass(MINUTE);
    const calls = relay.calls + posts;
    const [now, roster] = [world.now, { epoch: 99, hash: encodeBase64Url(fixedBytes(9)) }];
    for (let message = 0; message < 100; message++) {
      const authorship = { by: 'member' } as const;
      const received = { groupId: id, sender: ann.address, authorship, roster, sentAt: now, receivedAt: now };
      const became = await bens.groups.judgeMessage({
        ...received,
        isRequested: false,
        isSigned: true,
        freshFor: 1_000,
      });
      expect(became.is).toBe('pending');
    }
    expect(relay.calls + posts - calls).toBeLessThanOrEqual(6);
  },
);

describe.each([
  [409, 'roster_conflict'],
  [409, 'quota_reached'],
  [429, 'rate_limited'],
  [403, 'not_a_member'],
  [404, 'not_found'],
  [500, 'internal'],
])('a relay that answers a received change with %i %s', (status, code) => {
  const refuse = () => {
    throw new RelayRefusal(status, code, '');
  };

  test('cannot keep a removed member: nothing is sent until it accepts the change', async () => {
    const bens = new Follower(world, ben);
    const { id } = await openGroup(bens, new Follower(world, cat));
    const { appendEntry } = relay;
    world.pass(MINUTE);
    relay.appendEntry = async () => refuse();
    const hello = handedOver(id, unposted(ann, { kind: 'change', remove: [cat.address] }));
    await bens.groups.receiveHello(ann.address, hello);
    for (let look = 0; look < 3; look++) expect(await bens.problem(id)).not.toBeNull();
    relay.appendEntry = appendEntry;
    world.pass(10 * MINUTE);
    expect(await bens.problem(id)).toBeNull();
    expect(membersOf(bens.known(id).state)).not.toContain(cat.address);
    expect(bens.changes).toContain(`-${cat.address}`);
  });

  test('proves a split where it shows another entry in its place', async () => {
    const bens = new Follower(world, ben);
    const { id } = await openGroup(bens, new Follower(world, cat));
    world.pass(MINUTE);
    const hidden = unposted(ann, { kind: 'change', remove: [cat.address] });
    relay.beforePost = refuse;
    await bens.groups.receiveHello(ann.address, handedOver(id, hidden));
    relay.entries.push(unposted(eve, { kind: 'join' }));
    expect(await bens.problem(id)).toBe('roster_split');
    await bens.groups.goOn(id);
    expect(await bens.problem(id)).toBeNull();
  });
});

test('a removed device silences no group, even if the chain does not name the newer list yet', async () => {
  const bens = new Follower(world, ben);
  const { id } = await openGroup(bens);
  relay.published.set(ann.address, 2);
  await bens.keys.refresh(ann.address);
  // The second device is not in Ann's second list.
  const { epoch, hash } = relay.state();
  const entry = signEntry(ann.devices[1].key, id, {
    epoch: epoch + 5,
    previous: hash,
    issued: encodeTime(world.now),
    by: ann.address,
    list: 1,
    kind: 'change',
  });
  await bens.groups.receiveHello(eve.address, handedOver(id, entry));
  expect(await bens.problem(id)).toBeNull();
});

test('a received change that lost its race stops nothing', async () => {
  const bens = new Follower(world, ben);
  const { anns, id } = await openGroup(bens);
  world.pass(MINUTE);
  const lost = unposted(ann, { kind: 'change', name: 'Lost' });
  relay.beforePost = () => {
    throw new RelayRefusal(429, 'rate_limited', '');
  };
  await bens.groups.receiveHello(ann.address, handedOver(id, lost));
  await anns.groups.change(id, () => ({ kind: 'change', name: 'Won' }));
  expect(await bens.problem(id)).toBeNull();
  expect(bens.known(id).state.name).toBe('Won');
});

test('does not repeat an entry that the relay accepted in spite of its refusal', async () => {
  const { anns, id } = await openGroup(new Follower(world, ben), new Follower(world, cat));
  const append = relay.appendEntry.bind(relay);
  let lies = 1;
  relay.appendEntry = async (group, entry, poster) => {
    await append(group, entry, poster);
    if (lies-- > 0) throw new RelayRefusal(409, 'roster_conflict', '');
  };
  const before = relay.entries.length;
  await anns.groups.remove(id, [ben.address]);
  expect(relay.entries.length - before).toBe(1);
  expect(anns.sent.spread).toEqual([relay.entries.at(-1)]);
  lies = 1;
  await anns.groups.change(id, () => ({ kind: 'change', name: 'Runners' }));
  expect(relay.entries.length - before).toBe(2);
});
