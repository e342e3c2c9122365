/** Gap handling of the receiver: records numbers, requests missing messages, and answers requests. */
import { OneAtATime } from '../../base/one-at-a-time.ts';
import type { Payload } from '../../protocol/payload.ts';
import { isMember, personOf, type RosterState } from '../../protocol/roster/state.ts';
import { ReceiptContent } from '../contents/kinds/receipt.ts';
import type { GroupsNow } from '../sending/group.ts';
import type { SendingParts } from '../sending/outgoing.ts';
import { GapAnswers, type GapAnswersParts } from './answers.ts';
import type { DeviceIn } from './memory.ts';
import { postReceipt, resend } from './resend.ts';
import { GapWatch, type GapWatchParts, type Together } from './watch.ts';

export interface GapsParts
  extends Omit<GapWatchParts, 'memory' | 'post' | 'directory' | 'now'>,
    Pick<GapAnswersParts, 'find' | 'wasMember'> {
  sending: SendingParts & { groups: GroupsNow };
  followed: GapWatchParts['memory'];
  gapRequests: GapAnswersParts['memory'];
  /** True if this is a program. */
  automated: boolean;
  /** True if earlier requests are repeated once. True for a program that starts rarely. */
  repeatsRequests: boolean;
}

export class Gaps {
  /** The user's address. */
  readonly #own: string;
  readonly #watch: GapWatch;
  readonly #answers: GapAnswers;
  readonly #posting = new OneAtATime(async () => {
    // A fault of this program must not end the caller.
    await this.#watch.postDue().catch(() => undefined);
    await this.#answers.answerDue().catch(() => undefined);
  });

  /** @throws Error without a signing device: unsigned messages are not counted */
  constructor(parts: GapsParts) {
    const { sending, automated, followed, gapRequests, repeatsRequests } = parts;
    const { author, directory, now } = sending;
    if (!author.device) throw new Error('only devices have numbers');
    this.#own = author.address;
    const post = (to: DeviceIn, fields: Pick<ReceiptContent, 'missing' | 'skipped'>) =>
      postReceipt(sending, to, fields, automated);
    this.#watch = new GapWatch({ ...parts, memory: followed, directory, now, post }, repeatsRequests);
    this.#answers = new GapAnswers({
      ...parts,
      deviceId: author.device.id,
      memory: gapRequests,
      now,
      post,
      reseal: (to, message) => resend(sending, to, message, automated),
    });
  }

  /** Call this before reading. */
  begin(): void {
    this.#watch.begin();
  }

  /** Records a message of a proven sender, possibly a duplicate. Durable with the caller's transaction. */
  received(message: Payload): void {
    const from = this.#deviceOf(message);
    if (!from) return;
    this.#watch.received(from, message.body.seq);
    if (message.channel === 'direct' && message.body.kind === 'receipt')
      this.#handleReceipt(from, message.body);
  }

  /** Call this when a message that was recorded before is shown or dropped, in its transaction. */
  released(message: Payload): void {
    const from = this.#deviceOf(message);
    if (from) this.#watch.forgetFormer(from);
  }

  #handleReceipt({ address, deviceId, conversation: direct }: DeviceIn, body: object): void {
    const { data: receipt } = ReceiptContent.safeParse(body);
    if (!receipt) return;
    const conversation = receipt.group ?? direct;
    if (receipt.missing) this.#answers.addRequest({ conversation, address, deviceId }, receipt.missing);
    if (receipt.skipped) this.#watch.skipped(conversation, address, receipt.skipped);
  }

  /** Reports whether a message was missing until now. */
  wasMissing(message: Payload): boolean {
    const from = this.#deviceOf(message);
    return from !== null && this.#watch.wasMissing(from, message.body.seq);
  }

  /** Reports whether a message was requested. */
  wasRequested(message: Payload): boolean {
    const from = this.#deviceOf(message);
    return from !== null && this.#watch.wasRequested(from, message.body.seq);
  }

  /**
   * Call this when the queue was read to its end.
   * @param at start of that read, in milliseconds since 1970
   */
  atEnd(at: number): void {
    this.#watch.atEnd(at);
  }

  /** Sends due requests and answers. Never fails. */
  postDue(): Promise<void> {
    return this.#posting.request();
  }

  /** Waits for running calls. */
  async close(): Promise<void> {
    await this.#posting.idle();
  }

  #deviceOf(message: Payload): DeviceIn | null {
    return deviceOf(message, this.#own);
  }
}

/**
 * The signing device of a message, with its conversation; null if unsigned.
 * @param own the user's address
 */
export function deviceOf({ deviceId, channel, body }: Payload, own: string): DeviceIn | null {
  if (deviceId === null) return null;
  const { sender } = body;
  if (channel === 'group') return { conversation: body.groupId, address: sender, deviceId };
  // The user's other devices send copies of their messages.
  return { conversation: sender === own ? body.peer : sender, address: sender, deviceId };
}

/** The user's relation to someone in a group; null unless both are members. */
export function togetherIn(state: RosterState, own: string, address: string): Together | null {
  const since = personOf(state, own)?.since ?? null;
  return since !== null && isMember(state, address) ? { since, isAccepted: true } : null;
}
