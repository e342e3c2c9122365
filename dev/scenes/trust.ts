import type { ContactDetails, DeviceListSide } from '../../src/bridge/shapes/contact.ts';
import type { Person } from '../../src/bridge/shapes/person.ts';
import { addDirect, addGroup, type Line, member } from '../fake/conversations.ts';
import { ann, ben, chen, DAY, dana, echo, HOUR, NOW, person, stranger } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const INVITE = { groupId: 'elsewhere', name: 'Chess on Sundays' };

/** A message in each state, of each sender. */
export function states(): World {
  const world = newWorld({
    updates: { phase: 'idle', version: null, problem: null, newestFrom: null, installs: true },
  });
  const { id } = addGroup(
    world,
    'All states',
    [ann, ben, chen, dana, echo],
    [
      [
        ann,
        '',
        { kind: 'event', event: { type: 'joined', who: ann, by: null, seconds: null, before: null } },
      ],
      [ann, 'Proven by a wallet.'],
      [ann, 'And once more, in the same group.'],
      [ben, 'Sent with an API key.', { trust: 'api' }],
      [chen, 'Posted with a bot token.', { trust: 'token' }],
      [
        chen,
        'Posted by the token of a build.',
        { trust: 'token', bot: { key: 'token:build', name: 'Deploys' } },
      ],
      [
        chen,
        'Posted by another token of that name.',
        { trust: 'token', bot: { key: 'token:other', name: 'Deploys' } },
      ],
      [chen, 'Posted by it again.', { trust: 'token', bot: { key: 'token:other', name: 'Deploys' } }],
      [chen, 'Signed by a bot.', { trust: 'bot', bot: { key: 'builds', name: 'Builds' } }],
      [chen, 'By another bot.', { trust: 'bot', bot: { key: 'weather', name: 'Weather' } }],
      [dana, 'Ben was removed before this.', { roster: { unaware: [ben], isBeyond: false } }],
      [dana, 'The server hides a change.', { roster: { unaware: [], isBeyond: true } }],
      [ann, '', { kind: 'invite', fields: INVITE }],
      [ben, 'A poll: tea or coffee?', { kind: 'newer' }],
      [ben, '', { kind: 'event', event: { type: 'left', who: ben, by: null, seconds: null, before: null } }],
      [ben, '', { kind: 'event', event: { type: 'left', who: ben, by: ben, seconds: null, before: null } }],
      [ben, '', { kind: 'event', event: { type: 'left', who: ben, by: dana, seconds: null, before: null } }],
      [
        chen,
        '',
        { kind: 'event', event: { type: 'missing', who: chen, by: null, seconds: null, before: null } },
      ],
      [null, '', { kind: 'invite', fields: INVITE }],
      [null, 'Sent.'],
      [null, 'Waiting.', { state: 'queued' }],
      [
        null,
        'Waiting for Ben.',
        { state: 'queued', problem: { code: 'keys_withheld', parameters: { who: '@ben' } } },
      ],
      [
        null,
        'Failed.',
        { state: 'failed', problem: { code: 'forbidden', parameters: { detail: '', reason: '' } } },
      ],
    ],
    { unread: 2 },
  );
  return { ...world, open: id };
}

/**
 * A group that the server shows differently to others, with all states of members and the creator's private parts;
 * one with an invalid chain; and one that a removed device has changed.
 */
export function strangeGroup(): World {
  const world = newWorld({ people: [ann, ben, chen, dana] });
  const me = member(world.me).person;
  const roles: Line[] = [
    [ann, '', { kind: 'event', event: { type: 'admin', who: me, by: ann, seconds: null, before: null } }],
    [ann, '', { kind: 'event', event: { type: 'admin', who: ben, by: ann, seconds: null, before: null } }],
    [ann, '', { kind: 'event', event: { type: 'owner', who: me, by: ann, seconds: null, before: null } }],
    [ann, '', { kind: 'event', event: { type: 'admin', who: ann, by: ann, seconds: null, before: null } }],
    [ann, '', { kind: 'event', event: { type: 'owner', who: chen, by: me, seconds: null, before: null } }],
    [ann, '', { kind: 'event', event: { type: 'noAdmin', who: ben, by: ann, seconds: null, before: null } }],
  ];
  const { id, group } = addGroup(world, 'Strange things', [ann], [...roles, [ann, 'Hello?']], {
    group: {
      join: 'password',
      verified: true,
      problem: { code: 'roster_split', parameters: {} },
      canGoOn: true,
    },
  });
  const token = {
    id: 'token-1',
    name: 'Build',
    prefix: 'gtk_live_abc',
    signs: true,
    createdAt: NOW - DAY,
    lastUsedAt: null,
  };
  world.groups.set(id, {
    description: 'Birds, and what is strange about them. '.repeat(6),
    createdAt: NOW - 90 * DAY,
    members: [
      member(world.me, { isMe: true, isCreator: true }),
      member(ann),
      member(ben, { isAdmin: true }),
      member(chen, { devices: 0, problem: { code: 'no_device', parameters: {} } }),
    ],
    invited: [dana],
    botTokens: [
      { ...token, revokedAt: null },
      { ...token, id: 'token-3', name: 'Old script', signs: false, revokedAt: null },
      { ...token, id: 'token-2', name: 'Gone', revokedAt: NOW },
    ],
    lostBots: [{ key: 'lost', name: 'Half a bot' }],
    unsignedBots: true,
  });
  group.memberCount = 4;
  addGroup(world, 'Broken', [ann], [[ann, 'Hello?']], {
    group: {
      isCreator: false,
      problem: { code: 'roster_broken', parameters: { reason: 'wrong_previous', epoch: 7 } },
    },
  });
  addGroup(world, 'Changed by a lost device', [ann], [[ann, 'Hello?']], {
    group: {
      isCreator: false,
      problem: { code: 'roster_device_dropped', parameters: { who: '@ann', epoch: 7 } },
      canGoOn: true,
    },
  });
  return { ...world, open: id };
}

/** A group of people with the same display name, or with a word of the app as theirs. */
export function namesakes(): World {
  const world = newWorld();
  const [first, other] = [ben, person('ben_2', 'ben okafor')].map((each) => ({ ...each, hasNamesake: true }));
  const you = person('mallory', 'You');
  if (!first || !other) throw new Error('two people have the same name');
  const event = (type: 'joined' | 'left', who: Person, by: Person | null = null): Line => [
    who,
    '',
    { kind: 'event', event: { type, who, by, seconds: null, before: null } },
  ];
  const reactions = [{ emoji: '👍', count: 2, isMine: false, people: [first, other] }];
  const replyTo = {
    ...{ is: 'here' as const, id: '1', author: first, bot: null },
    summary: { kind: 'text', fields: {}, text: 'The first Ben.' },
  };
  const mentions = [{ from: 4, to: 15, person: other }];
  const lines: Line[] = [
    event('joined', first),
    event('joined', other),
    event('joined', you),
    [you, 'I wrote this.'],
    event('left', other, you),
    [ann, 'Ask @Ben Okafor.', { mentions, reactions }],
    [first, 'The first Ben.', { pinned: true }],
    [other, 'The second Ben.', { replyTo, trust: 'api' }],
  ];
  const { id } = addGroup(world, 'Namesakes', [ann, ben, other, you], lines);
  addDirect(world, ben, [[ben, 'Directly, from the first Ben.']]);
  addDirect(world, person('ben_2', 'ben okafor'), [[null, 'To the second Ben.']]);
  addDirect(world, person('long', `Maximilian${'n'.repeat(54)}`), [[null, 'Hello']]);
  addDirect(world, person('long_2', `Maximilian${'n'.repeat(54)}`), [[null, 'Hello']]);
  return { ...world, open: id };
}

/** A group that the person was removed from, which the app learns by a call. */
export function removed(by: 'groups.look' | 'groups.details'): World {
  const world = newWorld();
  const group = { isCreator: false };
  const { id } = addGroup(world, 'Bird watchers', [ann, ben], [[ann, 'A waxwing!']], { group });
  return { ...world, open: id, removedFrom: new Map([[id, by]]) };
}

/** A stranger has written first, and a program wrote to someone. */
export function request(): World {
  const world = newWorld();
  addDirect(world, stranger, [[stranger, 'We met yesterday.']], { state: 'request', unread: 1 });
  const byProgram = { state: 'request' as const, peerHasWritten: false };
  addDirect(world, ann, [[null, 'Sent with an API key.', { trust: 'api' }]], byProgram);
  return { ...world, open: '1' };
}

/** The person has written to someone who has not answered, without a sign of delivery. */
export function firstContact(): World {
  const world = newWorld();
  const unanswered = { peerHasWritten: false, peerHasAccepted: false };
  const { id } = addDirect(world, ann, [[null, 'Hello Ann, we met at the pond.']], unanswered);
  return { ...world, open: id };
}

/** The person has followed an invite link, and has not written yet. @param texts sent since, without a sign of delivery */
export function followedInvite(...texts: string[]): World {
  const world = newWorld();
  const lines = texts.map((text): Line => [null, text]);
  const { id } = addDirect(world, ann, lines, {
    peerHasWritten: false,
    peerHasAccepted: false,
    followsInvite: true,
  });
  return { ...world, open: id };
}

function side(hash: string, devices: number, isShown: boolean): DeviceListSide {
  return {
    hash: hash.repeat(43),
    sequence: 4,
    issuedAt: NOW - 2 * DAY,
    devices: Array.from({ length: devices }, (_, index) => ({
      id: `device-${hash}-${index}`,
      type: 'app' as const,
      validUntil: NOW + 300 * DAY,
    })),
    isShown,
  };
}

/** Contacts with warnings: two device lists, hidden devices, an unproven list. */
export function fork(): World {
  const world = newWorld();
  const problems: [typeof ann, Partial<ContactDetails>][] = [
    [
      ann,
      {
        problem: { kind: 'fork', failure: { code: 'lists_differ', parameters: { who: '@ann' } } },
        fork: { known: side('a', 2, false), other: side('b', 1, true) },
      },
    ],
    [ben, { problem: { kind: 'waiting', failure: { code: 'keys_withheld', parameters: { who: '@ben' } } } }],
    [
      chen,
      {
        problem: {
          kind: 'unproven',
          failure: { code: 'keys_unproven', parameters: { fault: 'signature_wrong' } },
        },
      },
    ],
    [
      dana,
      {
        problem: { kind: 'old-key', failure: { code: 'old_key_shown', parameters: {} } },
        notSeenSince: NOW - 30 * DAY,
        unsigned: ['api'],
        devices: [
          { id: 'Ww3-notebook', type: 'app', validUntil: NOW + 300 * DAY },
          { id: 'Qx7-program', type: 'api', validUntil: NOW + 200 * DAY },
        ],
        notPostQuantum: ['Qx7-program'],
      },
    ],
  ];
  for (const [peer, details] of problems) {
    addDirect(world, peer, [[peer, 'Hello']], {
      devicesChange: peer === dana ? { at: NOW - HOUR, added: 1, removed: 2 } : null,
    });
    world.contacts.set(peer.address, details);
  }
  return { ...world, open: '1' };
}
