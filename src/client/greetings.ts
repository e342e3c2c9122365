/**
 * Announcing the own device list for a program (src/messaging/greeting): uses its identity's journal, and runs in the
 * background of its process.
 */
import { Greetings } from '../messaging/greeting/greetings.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import type { RelayApi } from './api.ts';
import type { Identity } from './identity/identity.ts';
import { authorOf, sealHere } from './sealing.ts';

/**
 * @param identity a registered one
 * @param account calls with a session of it: the API key's permissions do not matter
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
      // Recipients of the program's messages count as accepted; about others it knows nothing.
      relationOf: (who) => (journal.sent(who) > 0 ? 'accepted' : 'none'),
    },
    automated: true,
    random: () => Math.random(),
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      // The timer does not keep the process running: planned announcements continue with the next run.
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
}
