/**
 * Tells others of the own device list, in signed words that travel sealed: a relay that hides a newer list from them is
 * noticed (docs/protocol.md, 'hello'). Said after each change of the list, and to those who wrote as if they knew only
 * an older one; at most once a day to each, after a random time so that nothing is learnt from when.
 */
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { UnverifiableError } from '../messaging/trust/errors.ts';
import { MOST_LIST_BYTES, MOST_LISTS } from '../messaging/trust/hello.ts';
import { native } from '../protocol/crypto/native.ts';
import { type DeviceList, listReferenceOf } from '../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../protocol/encoding.ts';
import { encodePayload } from '../protocol/payload.ts';
import type { Envelope } from '../protocol/schemas/envelopes.ts';
import type { DeliveryParts } from './delivery/parts.ts';
import { sealFor } from './delivery/seal.ts';

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
/** How often it is looked who is due, in milliseconds. */
const LOOK_EVERY = MINUTE / 2;
/** How many are told in one go. */
const AT_ONCE = 50;

export class Greetings {
  readonly #parts: DeliveryParts;
  readonly #random: () => number;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;

  /** @param random between 0 and 1 */
  constructor(parts: DeliveryParts, random: () => number = Math.random) {
    this.#parts = parts;
    this.#random = random;
  }

  start(): void {
    this.#timer = setInterval(() => this.#run(), LOOK_EVERY);
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  /** The own list has changed: accepted contacts are told, those written with last first. */
  listChanged(): void {
    const { conversations, hellos, transaction } = this.#parts.context;
    const newest = this.#parts.context.identity.newestList()?.sequence ?? 0;
    if (newest <= 1) return;
    const addresses = conversations.acceptedPeers(MOST_CONTACTS);
    transaction(() => {
      // A change is told also to those who were told of another one today.
      for (const address of addresses)
        hellos.plan(address, newest - 1, this.#soon(), Number.MAX_SAFE_INTEGER);
    });
  }

  /**
   * A copy was sealed by one who knows an older own list.
   * @param sequence number of the list that they know
   * @param groupSize members of the group that it came through; null for a direct message of an accepted contact
   */
  isBehind(address: string, sequence: number, groupSize: number | null): void {
    const { hellos, identity, now } = this.#parts.context;
    if (sequence === 0 || sequence >= (identity.newestList()?.sequence ?? 0)) return;
    if (groupSize !== null && this.#random() >= ANSWERS / groupSize) return;
    hellos.plan(address, sequence, this.#soon(), now() - DAY);
  }

  /** Tells everybody who is due. */
  async tellDue(): Promise<void> {
    const { hellos, now } = this.#parts.context;
    hellos.forgetBefore(now() - 2 * DAY);
    for (const { address, after } of hellos.due(now(), AT_ONCE)) {
      try {
        if (await this.#tell(address, after)) hellos.sent(address, now());
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

  #run(): void {
    this.#running ??= this.tellDue()
      // What is due stays due; a fault of ours must not end the engine.
      .catch(() => undefined)
      .finally(() => {
        this.#running = null;
      });
  }

  /** @returns whether a device of theirs has it now, as far as the relay says */
  async #tell(address: string, after: number): Promise<boolean> {
    const { context, account, directory } = this.#parts;
    const lists = context.identity.lists();
    const newest = lists.at(-1);
    const recipient = await directory.recipient(address);
    if (!newest || recipient.sealKeys.length === 0) return false;
    const body = {
      id: encodeBase64Url(native.randomBytes(16)),
      sender: account.address,
      sentAt: encodeTime(context.now()),
      seq: 0,
      kind: 'hello',
      peer: address,
      lists: evidence(lists, after),
    };
    const list = listReferenceOf(native, account.address, newest);
    const signer = { deviceKey: account.deviceKey, list };
    const payload = encodePayload(native, { channel: 'direct', body }, signer);
    const copies = await sealFor(this.#parts, recipient, new Set(), payload);
    const envelopes = copies.map(({ envelope }) => JSON.parse(envelope) as Envelope);
    // An own address with no other device.
    if (envelopes.length === 0) return true;
    const results = await account.relay.sendEnvelopes(envelopes);
    return results.some(({ status }) => status !== 'rejected');
  }

  /** Milliseconds since 1970 of a random time soon. */
  #soon(): number {
    return this.#parts.context.now() + Math.floor(this.#random() * WITHIN);
  }
}

/** The newest lists after a number, as many as a hello has room for, oldest first. */
function evidence(lists: DeviceList[], after: number): DeviceList[] {
  const found: DeviceList[] = [];
  let bytes = 0;
  for (const list of lists.toReversed()) {
    bytes += JSON.stringify(list).length + 1;
    if (list.sequence <= after || found.length === MOST_LISTS || bytes > MOST_LIST_BYTES) break;
    found.unshift(list);
  }
  return found;
}
