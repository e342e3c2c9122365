/** Receipts in the app (src/messaging/receipts), and the loop that sends them. */
import { type Later, Sleeper } from '../../base/backoff.ts';
import { togetherIn } from '../../messaging/gaps/gaps.ts';
import { postReceipt } from '../../messaging/gaps/resend.ts';
import { isSmall } from '../../messaging/receipts/group-receipts.ts';
import { Receipts } from '../../messaging/receipts/receipts.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import { conversationNamed } from '../conversation-names.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

/** Longest sleep of the loop, in milliseconds: the clock may be set meanwhile. */
const MAX_SLEEP = 60_000;

export function createReceipts(parts: DeliveryParts): Receipts {
  const { context, account } = parts;
  const { contacts, dueReceipts, gaps, groups, identity, timelines, receipts, receiptSettings, now } =
    context;
  const sending = sendingParts(parts);
  return new Receipts({
    own: account.address,
    dues: dueReceipts,
    followed: gaps,
    settings: receiptSettings,
    exchangeReceipts(conversation, address) {
      if (address === account.address) return false;
      const group = isWireAddress(conversation) ? null : groups.find(conversation);
      const state = context.conversations.stateWith(group ? address : conversation);
      if (!group) return conversation === address && state === 'accepted';
      if (state === 'blocked' || !group.joined || !isSmall(group.state)) return false;
      return togetherIn(group.state, account.address, address) !== null;
    },
    firstUnread({ conversation, deviceId }) {
      const chat = conversationNamed(context, conversation);
      return chat && timelines.firstUnreadSeq(chat.id, chat.lastReadId, deviceId);
    },
    highestOwn(conversation, deviceId) {
      if (!identity.newestList()?.devices.some((device) => device.deviceId === deviceId)) return undefined;
      // The number of copies of other own devices is unknown here: some may be on their way.
      if (deviceId !== account.deviceId) return null;
      const group = groups.find(conversation);
      return group ? groups.lastSeq(group.id) : contacts.lastSeq(conversation);
    },
    store(conversation, address, deviceId, reported) {
      const chat = conversationNamed(context, conversation);
      return chat !== null && receipts.store(chat.id, { address, deviceId, reported }, now());
    },
    now,
    post: (to, fields) => postReceipt(sending, to, fields, false),
  });
}

/** Sends receipts when they are due. */
export class ReceiptPost {
  readonly #receipts: Receipts;
  readonly #now: () => number;
  readonly #sleeper: Sleeper;
  #closed = false;
  #done: Promise<void> = Promise.resolve();

  constructor(receipts: Receipts, { now, later }: { now: () => number; later: Later }) {
    this.#receipts = receipts;
    this.#now = now;
    this.#sleeper = new Sleeper(later);
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Called when receipts may be due. */
  wake(): void {
    this.#sleeper.wake();
  }

  /** Retries at once: the relay is back. */
  retryNow(): void {
    this.#receipts.retryNow();
    this.#sleeper.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sleeper.wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (await this.#receipts.postDue()) continue;
      const next = this.#receipts.nextAt() ?? Number.MAX_SAFE_INTEGER;
      await this.#sleeper.sleep(Math.min(Math.max(next - this.#now(), 10), MAX_SLEEP));
    }
  }
}
