/**
 * What telling others of the own device list works with in a program (src/messaging/greeting): its identity's journal,
 * and the background of its process.
 */
import { Greetings } from '../messaging/greeting/greetings.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import type { RelayApi } from './api.ts';
import type { Identity } from './identity/identity.ts';
import { authorOf, sealHere } from './sealing.ts';

/**
 * @param identity one that is registered
 * @param account calls with a session of it: what an API key may do does not matter
 */
export function createGreetings(identity: Identity, directory: KeyDirectory, account: RelayApi): Greetings {
  const { address, journal } = identity;
  return new Greetings({
    sending: {
      relay: account,
      directory,
      author: authorOf(address, identity),
      seal: sealHere,
      now: () => Date.now(),
    },
    lists: () => identity.deviceLists,
    plans: journal.hellos,
    people: {
      contacts: (most) => journal.contacts(most),
      // Whom the program has written to is accepted; of everybody else it knows nothing.
      relationOf: (who) => (journal.sent(who) > 0 ? 'accepted' : 'none'),
    },
    automated: true,
    random: () => Math.random(),
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      // A program that has nothing else to do ends: what is planned is told when it runs next.
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
}
