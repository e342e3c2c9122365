/** Invite links into groups: opened, pasted, and those of an own group. */
import type { FailureData } from '../../src/base/failure.ts';
import type { ReadInvite } from '../../src/bridge/shapes/invite.ts';
import type { Person } from '../../src/bridge/shapes/person.ts';
import { addGroup, type Line } from '../fake/conversations.ts';
import { ann, ben, chen, DAY, HOUR, NOW } from '../fake/people.ts';
import { newWorld, type World } from '../fake/world.ts';

const SERVER = 'https://relay.example';
const linkTo = (name: string) => `${SERVER}/i#${name}`;

/** The texts of the scene's links. */
export const inviteLinks = {
  group: linkTo('group'),
  nameless: linkTo('nameless'),
  member: linkTo('member'),
  person: linkTo('person'),
  address: linkTo('address'),
  elsewhere: 'https://other.example/i#group',
  expired: linkTo('expired'),
  damaged: linkTo('damaged'),
} as const;

/** @param opened the links that the system opens, one after the other */
export function invites(...opened: (keyof typeof inviteLinks)[]): World {
  const world = newWorld({ people: [ann, ben] });
  const { address, handle, displayName, picture } = world.me;
  const me: Person = { address, handle, displayName, nickname: null, handleVerified: false, picture };
  const event = (type: 'linkMade' | 'linkCanceled', who: Person): Line => [
    who,
    '',
    { kind: 'event', event: { type, who, by: null, seconds: null, before: null } },
  ];
  const lines: Line[] = [
    event('linkMade', ann),
    event('linkCanceled', ann),
    event('linkMade', me),
    [ann, 'Two herons at the weir.'],
  ];
  const { id, group } = addGroup(world, 'Bird watchers', [ann, ben], lines, {});
  world.groupLinks.set(id, [
    {
      key: 'a-key-of-a-link-that-ends-soon-3fkq8x',
      url: `${SERVER}/i#${'A'.repeat(108)}`,
      expires: NOW + 5 * HOUR,
    },
    { key: 'a-key-of-a-link-of-another-one-Zp0_dw', url: null, expires: NOW + 6 * DAY },
    {
      key: 'a-key-of-a-link-with-an-end-in-m-c7Lr2',
      url: `${SERVER}/i#${'B'.repeat(108)}`,
      expires: NOW + 30 * DAY,
    },
  ]);
  const invite: ReadInvite = {
    to: 'group',
    groupId: 'a-group-of-others',
    server: SERVER,
    isSameServer: true,
    invitation: null,
    name: 'The Tuesday quiz',
    isMember: false,
  };
  const place = { server: SERVER, isSameServer: true, invitation: null };
  const chenInvite: ReadInvite = { to: 'person', address: chen.address, handle: chen.handle, ...place };
  world.invites = new Map<string, ReadInvite | FailureData>([
    [inviteLinks.group, invite],
    [inviteLinks.nameless, { ...invite, name: null }],
    [inviteLinks.member, { ...invite, groupId: group.groupId, name: group.name, isMember: true }],
    [inviteLinks.person, chenInvite],
    [inviteLinks.address, { ...chenInvite, handle: null }],
    [inviteLinks.elsewhere, { ...invite, server: 'https://other.example', isSameServer: false, name: null }],
    [inviteLinks.expired, { code: 'invite_expired', parameters: {} }],
    [inviteLinks.damaged, { code: 'invite_damaged', parameters: {} }],
  ]);
  const [link = null, ...laterLinks] = opened.map((name) => ({
    kind: 'invite' as const,
    text: inviteLinks[name],
  }));
  return { ...world, link, laterLinks };
}
