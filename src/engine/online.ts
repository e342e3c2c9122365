/** All services of an account: directory, outbox and poller, started and stopped together. */

import { ClockWatch } from '../base/clock-watch.ts';
import { log, toFailure } from '../base/log.ts';
import { NetworkWatch } from '../base/node/network-watch.ts';
import { OneAtATime } from '../base/one-at-a-time.ts';
import type { Registration } from '../client/identity/registration.ts';
import type { Gaps } from '../messaging/gaps/gaps.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import type { GroupHellos } from '../messaging/groups/hellos.ts';
import type { Receipts } from '../messaging/receipts/receipts.ts';
import { RelayUnreachable } from '../messaging/relay.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { AccountStatus } from './account-status.ts';
import { AppGroups } from './app-groups.ts';
import type { StoredGroup } from './cache/group-chains.ts';
import { ConnectionState } from './connection.ts';
import type { Context } from './context.ts';
import { Directory } from './directory.ts';
import type { FileClearing } from './files/clearing.ts';
import type { FileThread } from './files/thread.ts';
import { Transfers } from './files/transfers.ts';
import { type Account, registrationOf } from './identity/account.ts';
import { revokedLinks, revokeLinks } from './invites/group-links.ts';
import { cancelInvite, openInvites } from './invites/own-invites.ts';
import { LinkedHistory } from './linked-history/linked-history.ts';
import { InboxReader } from './receiving/inbox-reader.ts';
import { Poller } from './receiving/poller.ts';
import { reportDevices } from './report-devices.ts';
import { FacePost } from './sending/face-post.ts';
import { createGaps } from './sending/gaps.ts';
import { createGreetings, createGroupHellos } from './sending/greetings.ts';
import { Outbox } from './sending/outbox.ts';
import { OwnSharing } from './sending/own-sharing.ts';
import { createReceipts, ReceiptPost } from './sending/receipts.ts';

/** Interval for checking the person's groups and devices, in milliseconds: a removed member is not notified. */
const LOOK_AROUND_EVERY = 10 * 60_000;

export class Online {
  readonly #context: Context;
  readonly #clearing: FileClearing;
  readonly account: Account;
  readonly directory: Directory;
  readonly groups: AppGroups;
  readonly connection: ConnectionState;
  readonly accountStatus: AccountStatus;
  readonly registration: Registration;
  readonly #inbox: InboxReader;
  readonly #outbox: Outbox;
  readonly #greetings: Greetings;
  readonly #hellos: GroupHellos<StoredGroup>;
  readonly #gaps: Gaps;
  readonly #sharing: OwnSharing;
  readonly receipts: Receipts;
  readonly transfers: Transfers;
  readonly faces: FacePost;
  readonly linkedHistory: LinkedHistory;
  readonly #receiptPost: ReceiptPost;
  readonly #poller: Poller;
  readonly #checkAll = new OneAtATime(() => this.#sync());
  #lookingAround: NodeJS.Timeout | undefined;
  readonly #watches = [new ClockWatch(() => this.wake()), new NetworkWatch(() => this.wake())];

  constructor(context: Context, account: Account, thread: FileThread, clearing: FileClearing) {
    this.#context = context;
    this.#clearing = clearing;
    this.account = account;
    this.directory = new Directory(context, account.relay, account.address, {
      onSettled: (address) => this.#outbox.retryFor(address),
      onOwnProfile: () => this.#checkAccount(),
      onOwnList: () => this.#checkAccount(),
    });
    this.groups = new AppGroups({
      context,
      relay: account.relay,
      directory: this.directory,
      own: account.address,
      signer() {
        const list = context.identity.newestList()?.sequence;
        if (list === undefined) throw new RelayUnreachable('device_unregistered');
        return { address: account.address, deviceKey: account.deviceKey, list };
      },
      renewSigner: () => {
        this.registration.recheck();
        return this.registration.ensure();
      },
      talk: () => this.#hellos,
      onJoined: (group, addresses) => this.faces.welcome(group, addresses),
      onChanged: (group) => this.#inbox.groupChanged(group.id),
    });
    this.connection = new ConnectionState(context);
    this.accountStatus = new AccountStatus(context);
    const parts = { context, account, directory: this.directory, groups: this.groups };
    this.#outbox = new Outbox(parts, this.connection);
    this.transfers = new Transfers({
      context,
      account,
      thread,
      onUploaded: (messageId) => this.#outbox.retryMessage(messageId),
      onPicture: (owner) => this.#outbox.retryGroup(owner),
      onEnded: () => this.linkedHistory.wake(),
    });
    this.linkedHistory = new LinkedHistory({
      ...{ ...parts, thread, onPlanned: () => this.transfers.wake() },
      onPeople: () => void this.#checkAll.request(),
    });
    this.faces = new FacePost({
      context,
      account,
      thread,
      onQueued: () => this.queued(),
      onKept: () => this.#sharing.wake(),
    });
    this.#greetings = createGreetings(parts);
    this.#hellos = createGroupHellos(parts);
    this.registration = registrationOf(context, account, {
      onListChanged: () => {
        reportDevices(context);
        this.#greetings.listChanged();
        this.#confirmDevices();
        this.#sharing.wake();
        this.linkedHistory.wake();
      },
      onMe: ({ deletesAt }) => this.accountStatus.endsAt(deletesAt === null ? null : decodeTime(deletesAt)),
    });
    context.own.onHandle(() => this.registration.recheck());
    this.#gaps = createGaps(parts);
    this.#sharing = new OwnSharing(parts);
    this.receipts = createReceipts(parts);
    this.#receiptPost = new ReceiptPost(this.receipts, context);
    // A device that reads its queue makes room for the copies that its full queue refused.
    this.#inbox = new InboxReader(
      parts,
      this.#greetings,
      this.registration,
      this.#gaps,
      this.receipts,
      (address) => this.#outbox.retryFor(address),
    );
    this.#poller = new Poller(
      {
        context,
        account,
        registration: this.registration,
        reader: this.#inbox,
        gaps: this.#gaps,
        connection: this.connection,
        accountStatus: this.accountStatus,
        onReceived: () => {
          this.receiptsPlanned();
          this.transfers.wake();
          this.faces.wake();
          this.linkedHistory.wake();
        },
      },
      () => this.#isThere(),
    );
  }

  start(): void {
    // The app may have ended before it reported them.
    reportDevices(this.#context);
    this.#inbox.judgeAgain();
    this.#poller.start();
    this.#outbox.start();
    this.transfers.start();
    this.#greetings.start();
    this.#sharing.start();
    this.linkedHistory.start();
    this.#receiptPost.start();
    for (const watch of this.#watches) watch.start();
    this.#lookingAround = setInterval(() => {
      // The relay ends a poll when the own devices change, but between two polls this is not seen.
      this.registration.recheck();
      void this.#checkAll.request();
    }, LOOK_AROUND_EVERY);
  }

  /** Retries everything now. */
  wake(): void {
    this.#outbox.retryNow();
    this.transfers.retryNow();
    this.#poller.wake();
    // Between two polls no call is cut, and the poller does not report the relay as new.
    void this.#checkAll.request();
  }

  /** Called after a message was queued. */
  queued(): void {
    this.connection.queueChanged();
    this.#outbox.wake();
  }

  /** Called when receipts may be due. */
  receiptsPlanned(): void {
    this.#receiptPost.wake();
  }

  /** Applies a changed time for which files are kept; without a connection, when the relay is back. */
  applyRetention(): void {
    if (this.connection.get().state === 'online') void this.#clearing.applyRetention();
  }

  /** Plans the announcements of this device to the people of a restored history, and reads the chains of its groups. */
  restored(): void {
    this.#context.hellos.save([], 0);
    this.#greetings.listChanged();
    void this.#checkAll.request();
  }

  /** Revokes all invite links, after the removal of an own device that knows them. A failure is retried with the next check. */
  revokeInvites(): void {
    for (const { token } of openInvites(this.#context)) cancelInvite(this.#context, token);
    revokeLinks(this.#context, this.account.address);
    void this.#checkAll.request();
  }

  /** Ends the running work. Each step is durable by itself, and the next start continues. */
  async close(): Promise<void> {
    for (const watch of this.#watches) watch.stop();
    clearInterval(this.#lookingAround);
    this.account.relay.close();
    this.#hellos.close();
    this.faces.close();
    await Promise.all([
      this.#poller.close(),
      this.#outbox.close(),
      this.transfers.close(),
      this.#greetings.close(),
      this.#sharing.close(),
      this.linkedHistory.close(),
    ]);
    await Promise.all([this.#gaps.close(), this.#receiptPost.close()]);
  }

  /**
   * Adds the changed own device list to the chains of groups. Failed ones are retried when the relay is back.
   */
  #confirmDevices(): void {
    void this.groups.confirmDevices(this.#context.groups.joined()).catch(() => undefined);
  }

  /** Removes revoked invite links from the chains of own groups. */
  async #removeLinks(): Promise<void> {
    const context = this.#context;
    for (const group of context.groups.joined()) {
      if (group.state.creator !== this.account.address || revokedLinks(context, group).size === 0) continue;
      try {
        await this.groups.change(group.groupId, (state) => {
          const revoked = revokedLinks(context, { ...group, state });
          if (revoked.size === 0) return null;
          return { kind: 'change', links: state.links.filter(({ key }) => !revoked.has(key)) };
        });
      } catch (error) {
        log('warn', 'engine.link-not-revoked', { code: toFailure(error).code });
      }
    }
  }

  /** Checks the own account at the relay now. The poller repeats a check that failed. */
  #checkAccount(): void {
    this.registration.recheck();
    void this.registration.ensure().catch(() => undefined);
  }

  /** Runs when the relay is back: other devices may have joined groups meanwhile. */
  #isThere(): void {
    // The relay has answered, so the clock agrees with its.
    this.#context.resetFutureTimes();
    void this.#clearing.applyRetention();
    this.#outbox.retryNow();
    this.transfers.retryNow();
    this.#sharing.wake();
    this.linkedHistory.wake();
    this.faces.wake();
    this.#receiptPost.retryNow();
    void this.#checkAll.request();
  }

  /** Synchronises the list of own groups. The next call retries a failure. */
  async #sync(): Promise<void> {
    try {
      await this.groups.sync();
      // The relay has answered, so the clock agrees with its.
      await this.#clearing.applyRetention();
      // The app may have ended right after a change of the own list.
      await this.groups.confirmDevices(this.#context.groups.joined());
      await this.#removeLinks();
      this.faces.renew();
    } catch (error) {
      log('info', 'engine.groups-not-looked-at', { code: toFailure(error).code });
    }
  }
}
