/**
 * Everything that runs while there is an account: directory, outbox and poller, started and stopped together.
 */

import { ClockWatch } from '../base/clock-watch.ts';
import { NetworkWatch } from '../base/node/network-watch.ts';
import type { Registration } from '../client/identity/registration.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { ConnectionState } from './connection.ts';
import type { Context } from './context.ts';
import { Directory } from './directory.ts';
import { createGreetings } from './greetings.ts';
import { AppGroups } from './groups.ts';
import { type Account, registrationOf } from './identity/account.ts';
import { Incoming } from './incoming.ts';
import { Outbox } from './outbox.ts';
import { Poller } from './poller.ts';
import { Standing } from './standing.ts';

export class Online {
  readonly account: Account;
  readonly directory: Directory;
  readonly groups: AppGroups;
  readonly connection: ConnectionState;
  readonly standing: Standing;
  readonly registration: Registration;
  readonly #incoming: Incoming;
  readonly #outbox: Outbox;
  readonly #greetings: Greetings;
  readonly #poller: Poller;
  /** The look at the list of own groups that is under way. */
  #syncing: Promise<void> | null = null;
  readonly #watches = [new ClockWatch(() => this.wake()), new NetworkWatch(() => this.wake())];

  constructor(context: Context, account: Account) {
    this.account = account;
    this.directory = new Directory(context, account.relay, account.address, (address) =>
      this.#outbox.hastenFor(address),
    );
    this.groups = new AppGroups(context, account.relay, this.directory, account.address);
    this.connection = new ConnectionState(context);
    this.standing = new Standing(context);
    const parts = { context, account, directory: this.directory, groups: this.groups };
    this.#outbox = new Outbox(parts, this.connection);
    this.#greetings = createGreetings(parts);
    this.registration = registrationOf(context, account, {
      onListChanged: () => this.#greetings.listChanged(),
      onMe: ({ deletesAt }) => this.standing.endsAt(deletesAt === null ? null : decodeTime(deletesAt)),
    });
    this.#incoming = new Incoming(parts, this.#greetings, this.registration);
    this.#poller = new Poller(
      {
        context,
        account,
        registration: this.registration,
        incoming: this.#incoming,
        connection: this.connection,
        standing: this.standing,
      },
      () => this.#isThere(),
    );
  }

  start(): void {
    this.#incoming.judgeAgain();
    this.#poller.start();
    this.#outbox.start();
    this.#greetings.start();
    for (const watch of this.#watches) watch.start();
  }

  /** Tries everything again now. */
  wake(): void {
    this.#outbox.hasten();
    this.#poller.wake();
  }

  /** A message was queued. */
  queued(): void {
    this.connection.queueChanged();
    this.#outbox.wake();
  }

  /** Ends what is under way: each step is durable by itself, and the next start goes on with it. */
  async close(): Promise<void> {
    for (const watch of this.#watches) watch.stop();
    this.account.relay.close();
    await Promise.all([this.#poller.close(), this.#outbox.close(), this.#greetings.close()]);
  }

  /** The relay is there, perhaps after a while: other devices may have joined groups meanwhile. */
  #isThere(): void {
    this.#outbox.hasten();
    // What cannot be had now is asked for the next time.
    this.#syncing ??= this.groups
      .sync()
      .catch(() => undefined)
      .finally(() => {
        this.#syncing = null;
      });
  }
}
