import { Failure, failureFrom } from '../../../src/base/failure.ts';
import type { ReadInvite } from '../../../src/bridge/shapes/invite.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { addDirect, addGroup } from '../conversations.ts';
import { NOW, person } from '../people.ts';
import type { World } from '../world.ts';

/** Invite links: those of the world, and no others. */
export function inviteAnswers(world: World, emit: Emit): AnswersOf<'invites'> {
  const read = (text: string): ReadInvite => {
    const found = world.invites.get(text.trim());
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
  return {
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
