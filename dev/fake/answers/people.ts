import { Failure } from '../../../src/base/failure.ts';
import type { ContactDetails } from '../../../src/bridge/shapes/contact.ts';
import type { Person } from '../../../src/bridge/shapes/person.ts';
import { toLabel } from '../../../src/protocol/label.ts';
import { partThatFits, toNameText } from '../../../src/protocol/name-search.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { addDirect } from '../conversations.ts';
import { DAY, NOW } from '../people.ts';
import type { World } from '../world.ts';

/** People at the relay, and the known facts about them. */
export function peopleAnswers(world: World, emit: Emit): AnswersOf<'people'> {
  const personAt = (address: string): Person =>
    world.people.find((each) => each.address === address) ?? {
      address,
      handle: null,
      displayName: null,
      nickname: null,
      handleVerified: false,
      picture: null,
    };
  const details = (address: string): ContactDetails => ({
    person: personAt(address),
    about: null,
    listSequence: 3,
    devices: [{ id: `device-of-${address.slice(2, 10)}`, type: 'app', validUntil: NOW + 300 * DAY }],
    notPostQuantum: [],
    unsigned: [],
    firstSeenAt: NOW - 20 * DAY,
    notSeenSince: null,
    problem: null,
    fork: null,
    ...world.contacts.get(address),
  });
  return {
    'people.resolve': ({ query }) => {
      const wanted = query.trim().replace(/^@/, '').toLowerCase();
      const found = world.people.find(
        ({ handle, address }) => handle === wanted || address.toLowerCase() === wanted,
      );
      if (!found && wanted.startsWith('0x')) throw new Failure('address_unknown');
      if (!found) throw new Failure('handle_unknown', { handle: wanted });
      return found;
    },
    'people.search': ({ query, verifiedOnly }) => ({
      people: world.people.filter(
        ({ handle, displayName, handleVerified }) =>
          (handle?.includes(query.replace(/^@/, '').toLowerCase()) ||
            (query !== '' && partThatFits(displayName ?? '', toNameText(query)) !== undefined)) &&
          (handleVerified || !verifiedOnly),
      ),
      nextCursor: null,
    }),
    'people.known': ({ query }) => {
      const wanted = query.trim().replace(/^@/, '').toLowerCase();
      const known = [...world.groups.values()].flatMap(({ members }) => members.map(({ person }) => person));
      return known
        .filter(
          ({ handle, displayName, address }, index) =>
            wanted !== '' &&
            address !== world.me.address &&
            known.findIndex((each) => each.address === address) === index &&
            [handle, displayName].some((name) => name?.toLowerCase().includes(wanted)),
        )
        .slice(0, 30);
    },
    'people.setVerified': ({ address, verified }) => {
      const known = world.conversations.find(
        (each) => each.kind === 'direct' && each.peer.address === address,
      );
      const conversation = known ?? addDirect(world, personAt(address));
      if (conversation.kind === 'direct') conversation.verifiedAt = verified ? NOW : null;
      emit('conversations.changed', { ids: [conversation.id] });
      return conversation;
    },
    'people.setNickname': ({ address, nickname }) => {
      const named = Object.assign(personAt(address), { nickname: toLabel(nickname ?? '') || null });
      const ids = world.conversations.flatMap((each) =>
        each.kind === 'direct' && each.peer.address === address ? [each.id] : [],
      );
      for (const each of world.conversations) {
        if (each.kind === 'direct' && each.peer.address === address) each.peer = named;
      }
      emit('people.changed', { addresses: [address] });
      emit('conversations.changed', { ids });
      return named;
    },
    'people.details': ({ address }) => details(address),
    'people.chooseList': ({ address }) => {
      world.contacts.delete(address);
      emit('people.changed', { addresses: [address] });
      return details(address);
    },
  };
}
