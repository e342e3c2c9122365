/**
 * Tells others of the own device list, in signed words that travel sealed: a relay that hides a newer list from them is
 * noticed (docs/protocol.md, 'hello'). Said after each change of the list, and to those who wrote as if they knew only
 * an older one; at most once a day to each, after a random time so that nothing is learnt from when.
 */
import { UnverifiableError } from '../base/failure.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { evidenceAfter } from '../messaging/contents/kinds/hello.ts';
import { sealFor } from '../messaging/sending/seal.ts';
import { encodeBody } from '../messaging/sending/words.ts';
import { randomBytes } from '../protocol/crypto.ts';
import { listReferenceOf } from '../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../protocol/encoding.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Said within this time, in milliseconds. */
const WITHIN = 10 * MINUTE;
/** Contacts who are told of one change of the list. */
const MOST_CONTACTS = 500;
/** Members of a group who answer one who is behind: about this many of all. */
const ANSWERS = 20;
/** After how long those who could not be told are tried again, in milliseconds. */
const LATER = 60 * MINUTE;
/** How long until it is gone on where not all who are due could be told, in milliseconds; also the longest timer. */
const LOOK_AGAIN = MINUTE / 2;
/** Addresses that are planned to be told or were told of late, beyond which nobody who is behind is answered. */
const MOST_PLANNED = 10_000;
/** How many are told in one go. */
const AT_ONCE = 50;

export class Greetings {
  readonly #parts: DeliveryParts;
  #isOpen = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isOpen = true;
    // The app may have ended after the list had changed and before it was planned.
    this.listChanged();
    this.#setTimer(0);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  /**
   * The own list may have changed: accepted contacts are told, those written with last first. What was planned is
   * remembered with the plan, so that each change is planned once, whatever comes in between.
   */
  listChanged(): void {
    const { conversations, hellos, identity, transaction } = this.#parts.context;
    const newest = identity.newestList()?.sequence ?? 0;
    const planned = hellos.plannedList();
    if (newest <= planned) return;
    // Nobody knows an address by a list before its first.
    const addresses = newest > 1 ? conversations.acceptedPeers(MOST_CONTACTS) : [];
    const after = planned > 0 ? planned : newest - 1;
    transaction(() => {
      // A change is told also to those who were told of another one today.
      for (const address of addresses) hellos.plan(address, after, this.#soon(), Number.MAX_SAFE_INTEGER);
      hellos.markPlanned(newest);
    });
    this.#setTimer(0);
  }

  /**
   * A signed copy was sealed by one who knows an older own list.
   * @param sequence number of the list that they know
   * @param groupSize members of the group that it came through; null for a direct message
   */
  isBehind(address: string, sequence: number, groupSize: number | null): void {
    const { hellos, identity, now, random } = this.#parts.context;
    if (sequence === 0 || sequence >= (identity.newestList()?.sequence ?? 0)) return;
    if (groupSize !== null && random() >= ANSWERS / groupSize) return;
    if (hellos.count() >= MOST_PLANNED || !this.#mayTell(address, groupSize !== null)) return;
    hellos.plan(address, sequence, this.#soon(), now() - DAY);
    this.#setTimer(0);
  }

  /** Strangers, requests and blocked people learn nothing: not even that this device is there. */
  #mayTell(address: string, isMember: boolean): boolean {
    const { contacts, conversations } = this.#parts.context;
    const contact = contacts.find(address);
    const state = contact && conversations.findByContact(contact.id)?.state;
    return state === undefined || state === null ? isMember : state === 'accepted';
  }

  /** Tells everybody who is due. What cannot be had now stays due. */
  async #tellDue(): Promise<void> {
    const { hellos, now } = this.#parts.context;
    hellos.forgetBefore(now() - 2 * DAY);
    for (const { address, after } of hellos.due(now(), AT_ONCE)) {
      if (!this.#isOpen) return;
      try {
        // Blocked since it was planned, perhaps.
        if (!this.#mayTell(address, true)) hellos.drop(address);
        else if (await this.#tell(address, after)) hellos.sent(address, now());
        else hellos.postpone(address, now() + DAY);
      } catch (error) {
        if (error instanceof RelayUnreachable) return;
        // A relay that hides a removal may hide the keys of those who are to hear of it, just as long as it is asked.
        if (error instanceof UnverifiableError || error instanceof RelayRefusal)
          hellos.postpone(address, now() + LATER);
        else throw error;
      }
    }
  }

  /** Looks when the next is due, after this time in milliseconds at the earliest. */
  #setTimer(earliest: number): void {
    if (!this.#isOpen || this.#running) return;
    if (this.#timer) clearTimeout(this.#timer);
    const { hellos, now } = this.#parts.context;
    const next = hellos.nextDueAt();
    // With nothing planned, the next plan sets it.
    if (next === null) return;
    this.#timer = setTimeout(() => this.#run(), Math.max(earliest, Math.min(next - now(), LOOK_AGAIN)));
  }

  #run(): void {
    this.#running ??= this.#tellDue()
      // What is due stays due; a fault of ours must not end the engine.
      .catch(() => undefined)
      .finally(() => {
        this.#running = null;
        const { hellos, now } = this.#parts.context;
        if (this.#isOpen) this.#setTimer((hellos.nextDueAt() ?? now()) <= now() ? LOOK_AGAIN : 0);
      });
  }

  /** @returns whether a device of theirs has it now, as far as the relay says */
  async #tell(address: string, after: number): Promise<boolean> {
    const { context, account, directory } = this.#parts;
    const lists = context.identity.lists();
    const newest = lists.at(-1);
    const recipient = await directory.keys.recipient(address);
    if (!newest || recipient.sealKeys.length === 0) return false;
    const body = {
      id: encodeBase64Url(randomBytes(16)),
      sender: account.address,
      sentAt: encodeTime(context.now()),
      seq: 0,
      kind: 'hello',
      peer: address,
      lists: evidenceAfter(lists, after),
      list: listReferenceOf(account.address, newest),
    };
    const parts = sendingParts(this.#parts);
    const payload = encodeBody(body, parts.author);
    const flags = { asRequest: false, automated: false };
    const { copies: envelopes, withheld } = await sealFor(parts, [recipient], payload, flags);
    const [problem] = withheld.values();
    if (problem) throw problem;
    // An own address with no other device.
    if (envelopes.length === 0) return true;
    const results = await account.relay.sendEnvelopes(envelopes);
    return results.some(({ status }) => status !== 'rejected');
  }

  /** Milliseconds since 1970 of a random time soon. */
  #soon(): number {
    const { now, random } = this.#parts.context;
    return now() + Math.floor(random() * WITHIN);
  }
}
