import { lookUp, readPqKeys } from './directory.ts';
import { answerTo, type SentNumber } from './gaps.ts';
import type { Memory } from './memory.ts';
import type { Channel } from './payload.ts';
import { encodeBytes } from './payload.ts';
import type { Relay } from './relay.ts';
import { retentionMs } from './replay.ts';
import { type Envelope, seal } from './seal.ts';
import { readResults, recipientKey, type Statement, type Voice } from './sending.ts';

/** Requests missing messages, and reseals messages that others request (section 10, 'Gaps'). */

/** A message of this device, kept while others may request it. */
export interface SentMessage {
  channel: Channel;
  bytes: Uint8Array;
  sentAt: number;
  /** Recipients: the peer, or the members after the entry that it refers to. */
  to: readonly string[];
  /** Time of the last resealing, by the requesting device. */
  resealedAt: Map<string, number>;
}

const DAY_MS = 24 * 60 * 60_000;

/** Messages that this device has sent, by conversation and number. */
export class SentLog {
  readonly #messages = new Map<string, Map<number, SentMessage>>();
  readonly #resealed: number[] = [];

  add(conversation: string, seq: number, message: Omit<SentMessage, 'resealedAt'>): void {
    const of = this.#messages.get(conversation) ?? new Map<number, SentMessage>();
    this.#messages.set(conversation, of);
    of.set(seq, { ...message, resealedAt: new Map() });
  }

  find(conversation: string, seq: number): SentMessage | undefined {
    return this.#messages.get(conversation)?.get(seq);
  }

  /** Messages to seal again for a device of `requester`, and numbers without a message. */
  judge(
    conversation: string,
    requested: readonly number[],
    requester: { address: string; device: string },
    at: { now: number; retentionMs: number },
  ): { reseal: number[]; skip: number[] } {
    const sent = new Map<number, SentNumber>();
    for (const seq of requested) {
      const message = this.find(conversation, seq);
      if (message === undefined) continue;
      sent.set(seq, {
        sentAt: message.sentAt,
        isForRequester: message.to.includes(requester.address),
        resealedAt: message.resealedAt.get(requester.device) ?? null,
      });
    }
    const resealedToday = this.#resealed.filter((time) => time > at.now - DAY_MS).length;
    return answerTo(requested, sent, { ...at, resealedToday });
  }

  noteResealed(conversation: string, seq: number, device: string, now: number): void {
    this.find(conversation, seq)?.resealedAt.set(device, now);
    this.#resealed.push(now);
  }
}

/** Receipts that request the missing messages, by their recipient and the device that they are about. */
export function missingToRequest(
  memory: Memory,
  now: number,
): { to: string; device: string; statement: Statement }[] {
  const requests: { to: string; device: string; statement: Statement }[] = [];
  for (const [conversation, gaps] of memory.conversations()) {
    const { ask } = gaps.end(now);
    for (const [device, numbers] of Object.entries(ask)) {
      const to = memory.ownerOf(device);
      if (to === undefined) continue;
      const group = conversation === to ? {} : { group: conversation };
      requests.push({ to, device, statement: { kind: 'receipt', missing: { [device]: numbers }, ...group } });
    }
  }
  return requests;
}

/** The part of a requesting receipt that is about this device. */
export interface Requested {
  conversation: string;
  requester: { address: string; device: string };
  numbers: readonly number[];
}

/**
 * Seals a requested message again for a device and posts it as the original was.
 * @returns the numbers of which there is nothing
 */
export async function answerRequest(
  relay: Relay,
  memory: Memory,
  voice: Voice,
  log: SentLog,
  { conversation, requester, numbers }: Requested,
  now: number,
): Promise<number[]> {
  const at = { now, retentionMs: retentionMs(memory.retentionSeconds) };
  const { reseal, skip } = log.judge(conversation, numbers, requester, at);
  const target = await lookUp(relay, memory, requester.address, now);
  const statement = target.keys.find(({ deviceId }) => deviceId === requester.device);
  if (target.blocked !== null || statement === undefined || voice.device === null) return [];
  await readPqKeys(relay, memory, [statement]);
  for (const seq of reseal) {
    const message = log.find(conversation, seq);
    if (message === undefined) continue;
    const payload = encodeBytes(message.channel, message.bytes, { by: 'device', key: voice.device.key });
    const header = {
      asRequest: false,
      automated: voice.automated,
      senderListSequence: voice.device.list.sequence,
      recipientListSequence: target.listSequence,
    };
    const route = { from: voice.address, to: requester.address };
    const copy: Envelope = {
      toAddress: requester.address,
      recipientDeviceKey: statement.key,
      ...(await seal(route, recipientKey(memory, statement, voice.hasMlKem), header, payload)),
    };
    const path = message.channel === 'group' ? `/groups/${conversation}/envelopes` : '/envelopes';
    const answer = await relay.call(path, { method: 'POST', body: { envelopes: [copy] } });
    readResults(answer.body.results, voice.address, [copy]);
    log.noteResealed(conversation, seq, requester.device, now);
  }
  return skip;
}
