/**
 * What telling others of the own device list works with in the app (src/messaging/greeting).
 */
import { type Acquaintances, Greetings } from '../messaging/greeting/greetings.ts';
import type { Context } from './context.ts';
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

function acquaintancesIn({ contacts, conversations }: Context): Acquaintances {
  return {
    contacts: (most) => conversations.acceptedPeers(most),
    standingOf(address) {
      const contact = contacts.find(address);
      const conversation = contact && conversations.findByContact(contact.id);
      if (!conversation) return 'none';
      return conversation.state === 'accepted' ? 'accepted' : 'other';
    },
  };
}
