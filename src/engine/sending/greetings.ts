/** Hellos with the own device list in the app (src/messaging/greeting). */
import { type Acquaintances, Greetings } from '../../messaging/greeting/greetings.ts';
import { GroupHellos } from '../../messaging/groups/hellos.ts';
import { postHello } from '../../messaging/groups/post-hello.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

export function createGreetings(parts: DeliveryParts): Greetings {
  const { context } = parts;
  const { hellos, identity, random } = context;
  return new Greetings({
    sending: sendingParts(parts),
    lists: () => identity.lists(),
    plans: hellos,
    people: acquaintancesIn(context),
    automated: false,
    random,
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  });
}

/** Hellos between members about the chains of groups. */
export function createGroupHellos(parts: DeliveryParts): GroupHellos<StoredGroup> {
  const { context, groups } = parts;
  const sending = sendingParts(parts);
  return new GroupHellos({
    sending,
    people: acquaintancesIn(context),
    whole: (groupId) => context.groups.whole(groupId),
    find: (groupId) => context.groups.find(groupId),
    post: (groupId, fields) => postHello({ ...sending, groups }, groupId, fields, false),
    automated: false,
    random: context.random,
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  });
}

function acquaintancesIn({ conversations }: Context): Acquaintances {
  return {
    contacts: (most) => conversations.acceptedPeers(most),
    relationOf(address) {
      const state = conversations.stateWith(address);
      if (state === null) return 'none';
      return state === 'accepted' ? 'accepted' : 'other';
    },
  };
}
