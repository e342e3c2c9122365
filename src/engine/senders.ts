/**
 * How the sender of what came is known: by the list that their wallet signed, asked for anew where the known one does
 * not settle it. What signed words say of newer lists is noted on the way.
 */
import type { Trust } from '../bridge/shapes.ts';
import type { Registration } from '../client/identity/registration.ts';
import { evidenceIn } from '../messaging/contents/kinds/hello.ts';
import { isSettledBy, proveSender } from '../messaging/trust/sender.ts';
import type { EnvelopeHeader } from '../protocol/envelope.ts';
import type { UnverifiedPayload } from '../protocol/payload.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { Greetings } from './greetings.ts';

/** What strangers say of the own list makes this device ask no more often than this, in milliseconds. */
const ASK_OWN_EVERY = 10 * 60_000;

export class Senders {
  readonly #parts: DeliveryParts;
  readonly #greetings: Greetings;
  readonly #registration: Registration;
  #askedOwnAt = 0;

  constructor(parts: DeliveryParts, greetings: Greetings, registration: Registration) {
    this.#parts = parts;
    this.#greetings = greetings;
    this.#registration = registration;
  }

  /**
   * How the sender is known.
   * @param asked senders of whom the relay was asked for this page: each is asked for once
   * @throws RefusedEnvelope if nothing allows the message; RelayRefusal, RelayUnreachable
   */
  async prove(
    envelope: InboxEnvelope,
    payload: UnverifiedPayload,
    header: EnvelopeHeader,
    asked: Set<string>,
  ): Promise<Trust> {
    const { directory, account } = this.#parts;
    const { from } = envelope;
    const { deviceId, body } = payload;
    const { keys } = directory;
    let deviceList = keys.pinned(from);
    if (deviceId !== null) {
      // Before the sender is proven: a device that a relay hides proves itself by the lists that it brings.
      keys.takeEvidence(from, evidenceIn(body));
      deviceList = keys.pinned(from);
    }
    const askOnce = async () => {
      if (asked.has(from)) return;
      asked.add(from);
      await keys.refresh(from);
      deviceList = keys.pinned(from);
    };
    if (!isSettledBy(deviceList, envelope, payload, header)) await askOnce();
    const proof = proveSender(deviceList, envelope, payload);
    if (proof !== 'signed') return proof === 'bots' ? 'bot' : 'api';
    if (deviceId !== null && body.list && keys.claim(from, deviceId, body.list)) await askOnce();
    this.#compareOwnList(from, payload, header.recipientListSequence);
    return from === account.address ? 'self' : 'verified';
  }

  /** Holds the list of ours that the sender sealed for, or that an own device names, against the newest here. */
  #compareOwnList(from: string, payload: UnverifiedPayload, sealedFor: number): void {
    const { context, account } = this.#parts;
    const isOwn = from === account.address;
    const named = isOwn ? (payload.body.list?.sequence ?? 0) : sealedFor;
    const newest = context.identity.newestList()?.sequence ?? 0;
    if (named > newest) {
      if (context.now() - this.#askedOwnAt < ASK_OWN_EVERY) return;
      this.#askedOwnAt = context.now();
      this.#registration.recheck();
      return;
    }
    if (isOwn) return;
    if (payload.channel === 'group') {
      const group = context.groups.find(payload.body.groupId);
      if (group?.joined && group.members.includes(from))
        this.#greetings.isBehind(from, named, Math.max(group.members.length, 1));
      return;
    }
    this.#greetings.isBehind(from, named, null);
  }
}
