/**
 * Answers to devices that report missing messages of this device (docs/protocol.md, 'Gaps'). The answer is
 * the same message, sealed for that device only, or the statement that it does not exist. Strangers get no
 * answer.
 */

import { decodeTime } from '../../protocol/encoding.ts';
import type { ReceiptContent } from '../contents/kinds/receipt.ts';
import { isDirect } from '../sending/outgoing.ts';
import { retentionOf } from '../trust/replay.ts';
import { answerRequest, type RequestAnswer, type SentBefore } from './answer.ts';
import { MAX_REQUESTED } from './device-gaps.ts';
import type { DeviceIn, GapRequest, GapRequestMemory, OwnMessage } from './memory.ts';
import type { Company } from './watch.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * Limit of answered numbers that are remembered for a day: of one person, and in total. Further ones get no
 * answer.
 */
const MAX_REQUESTS_OF_ONE = 400;
const MAX_REQUESTS = 5_000;
/** Numbers per run. */
const AT_ONCE = 50;
/** Maximum random delay of an answer, so that its time reveals nothing. In milliseconds. */
const WITHIN = 10 * MINUTE;
/** Delay before a failed answer is retried, in milliseconds. */
const LATER = 5 * MINUTE;

export interface GapAnswersParts {
  /** Id of the own device; null if it does not sign. */
  deviceId: string;
  memory: GapRequestMemory;
  company: Company;
  /** A message of this device by its number; null if it does not exist or was not sent. */
  find(conversation: string, seq: number): OwnMessage | null;
  /** Reports whether an address was a member at an entry of a group's chain. */
  wasMember(groupId: string, address: string, epoch: number): boolean;
  retention(): number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /**
   * Sends a `receipt` with these fields to one device.
   * @returns false if it was not delivered
   * @throws the errors of sending
   */
  post(to: DeviceIn, fields: Pick<ReceiptContent, 'missing' | 'skipped'>): Promise<boolean>;
  /**
   * Reseals a message for one device.
   * @returns false if it was not delivered
   * @throws the errors of sending
   */
  reseal(to: DeviceIn, message: OwnMessage): Promise<boolean>;
}

export class GapAnswers {
  readonly #parts: GapAnswersParts;

  constructor(parts: GapAnswersParts) {
    this.#parts = parts;
  }

  /** Called when a device reports missing numbers. */
  addRequest(by: DeviceIn, missing: NonNullable<ReceiptContent['missing']>): void {
    const { deviceId, memory, company, now, random } = this.#parts;
    const seqs = Object.hasOwn(missing, deviceId) ? missing[deviceId] : undefined;
    if (!seqs || !company.together(by.conversation, by.address)?.isAccepted) return;
    memory.forgetBefore(now() - DAY);
    const dueAt = now() + Math.floor(random() * WITHIN);
    for (const seq of new Set(seqs)) {
      if (memory.count() >= MAX_REQUESTS || memory.countOf(by.address) >= MAX_REQUESTS_OF_ONE) return;
      memory.add({ ...by, seq, requestedAt: now(), dueAt });
    }
  }

  /** Sends the answers that are due. Never fails: a failed answer is retried for a day. */
  async answerDue(): Promise<void> {
    const { memory, now } = this.#parts;
    memory.forgetBefore(now() - DAY);
    const due = memory.due(now(), AT_ONCE);
    const byDevice = Map.groupBy(due, ({ conversation, deviceId }) => `${conversation} ${deviceId}`);
    for (const requests of byDevice.values()) await this.#answer(requests);
  }

  /** @param requests of one device in one conversation */
  async #answer(requests: readonly GapRequest[]): Promise<void> {
    const { company, memory, post, reseal } = this.#parts;
    const [first] = requests;
    // Blocked or removed since the request, perhaps.
    if (!first || !company.together(first.conversation, first.address)?.isAccepted)
      return this.#later(requests);
    const { answer, messages } = this.#judge(first, requests);
    for (const request of requests) {
      const message = messages.get(request.seq);
      if (!message || !answer.reseal.includes(request.seq)) continue;
      if (await isDone(reseal(request, message))) memory.answered(request, true);
      else this.#later([request]);
    }
    const skipped = requests.filter(({ seq }) => answer.skip.includes(seq));
    for (let from = 0; from < skipped.length; from += MAX_REQUESTED) {
      const some = skipped.slice(from, from + MAX_REQUESTED);
      const seqs = some.map(({ seq }) => seq);
      if (await isDone(post(first, { skipped: { [this.#parts.deviceId]: seqs } })))
        for (const request of some) memory.answered(request, false);
      else this.#later(some);
    }
    this.#later(requests.filter(({ seq }) => !answer.reseal.includes(seq) && !answer.skip.includes(seq)));
  }

  #judge(
    { conversation, address, deviceId }: DeviceIn,
    requests: readonly GapRequest[],
  ): { answer: RequestAnswer; messages: ReadonlyMap<number, OwnMessage> } {
    const { memory, find, retention, now } = this.#parts;
    const messages = new Map<number, OwnMessage>();
    for (const { seq } of requests) {
      const message = find(conversation, seq);
      if (message) messages.set(seq, message);
    }
    const sentBefore = (seq: number): SentBefore | null => {
      const message = messages.get(seq);
      return message
        ? {
            sentAt: decodeTime(message.body.sentAt),
            isForRequester: this.#isFor(message, address),
            // A number answered within a day is not answered again.
            resealedAt: null,
          }
        : null;
    };
    // An unsent message is not missing.
    const sent = requests.filter(({ seq }) => messages.get(seq)?.isSent !== false);
    const answer = answerRequest(
      sent.map(({ seq }) => seq),
      sentBefore,
      { now: now(), retention: retentionOf(retention()), resealed: memory.resealed(deviceId) },
    );
    return { answer, messages };
  }

  #isFor({ body }: OwnMessage, address: string): boolean {
    if (isDirect(body)) return [body.peer, body.sender].includes(address);
    return this.#parts.wasMember(body.groupId, address, body.roster.epoch);
  }

  #later(requests: readonly GapRequest[]): void {
    const { memory, now } = this.#parts;
    for (const request of requests) memory.postpone(request, now() + LATER);
  }
}

/** Reports whether the work succeeded. Any failure is retried. */
async function isDone(work: Promise<boolean>): Promise<boolean> {
  return work.catch(() => false);
}
