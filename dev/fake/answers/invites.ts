import { Failure, failureFrom } from '../../../src/base/failure.ts';
import { inviteIn } from '../../../src/base/invite-in.ts';
import type { OwnLink, ReadInvite } from '../../../src/bridge/shapes/invite.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { addDirect, addGroup } from '../conversations.ts';
import { DAY, NOW, person } from '../people.ts';
import type { World } from '../world.ts';

const MAX_OWN_LINKS = 20;

/** A link to the person of a scene, always the same for a number. The page that reads it is not part of a scene. */
export function ownLink(number: number): OwnLink {
  const id = String(number).padStart(22, '0');
  const code = `${'AQIDBAUGBwgJCgsMDQ4PEBESExQ'.repeat(3)}${id}`;
  return {
    id,
    url: `https://relay.example/i#${code}`,
    app: `waxwing:i/${code}`,
    expires: NOW + 7 * DAY,
  };
}

/** Invite links: those of the world, and no others. */
export function inviteAnswers(world: World, emit: Emit): AnswersOf<'invites'> {
  const read = (text: string): ReadInvite => {
    const found = world.invites.get(inviteIn(text) ?? text);
    if (!found) throw new Failure('invite_unknown');
    if ('code' in found) throw failureFrom(found);
    return found;
  };
  const join = ({ groupId, name }: Extract<ReadInvite, { to: 'group' }>): string => {
    const known = world.conversations.find((each) => each.kind === 'group' && each.group.groupId === groupId);
    if (known) return known.id;
    const group = { groupId, isCreator: false };
    const { id } = addGroup(world, name ?? groupId, world.people.slice(0, 3), [], { activeAt: NOW, group });
    return id;
  };
  let made = world.ownLinks.length;
  return {
    'invites.list': () => ({ links: world.ownLinks }),
    'invites.create': () => {
      if (world.ownLinks.length >= MAX_OWN_LINKS) throw new Failure('invites_full', { most: MAX_OWN_LINKS });
      const link = ownLink(++made);
      world.ownLinks = [link, ...world.ownLinks];
      emit('invites.changed', {});
      return { link };
    },
    'invites.cancel': ({ id }) => {
      world.ownLinks = world.ownLinks.filter((link) => link.id !== id);
      emit('invites.changed', {});
      return {};
    },
    'invites.read': ({ text }) => read(text),
    'invites.accept': ({ text }) => {
      const invite = read(text);
      const conversationId =
        invite.to === 'group'
          ? join(invite)
          : addDirect(world, person(invite.address, invite.address), []).id;
      emit('conversations.changed', { ids: [conversationId] });
      return { conversationId };
    },
  };
}
