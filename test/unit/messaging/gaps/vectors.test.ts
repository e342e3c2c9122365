/**
 * Our own known answers about gaps: traces of received messages, and the answers of the author's device.
 */
import { expect, test } from 'vitest';
import { answerRequest } from '../../../../src/messaging/gaps/answer.ts';
import {
  afterMessage,
  afterQueueRead,
  afterSkipped,
  arrivedUpTo,
  type DeviceGaps,
  isReported,
  isTooLong,
} from '../../../../src/messaging/gaps/device-gaps.ts';
import { isCounted } from '../../../interop/gaps.ts';
import { readVectors } from '../../../support/vectors.ts';
import type { GapEvent } from '../../../support/waxwing-vectors/gaps.ts';

const vectors = readVectors<{
  retentionSeconds: number;
  counted: { kind: string; signer: 'device' | 'bot' | null; isForOne: boolean; isCounted: boolean }[];
  traces: { why: string; events: GapEvent[] }[];
  answers: {
    why: string;
    now: string;
    retentionSeconds: number;
    resealed: number;
    asked: number[];
    sent: Record<string, { sentAt: string; isForAsker: boolean; resealedAt: string | null }>;
    answer: { reseal: number[]; skip: number[] };
  }[];
}>('waxwing/gaps.json');
const retention = vectors.retentionSeconds * 1_000;

/** Follows a trace, and compares its results with those of the trace. */
class Follower {
  readonly #devices = new Map<string, DeviceGaps>();
  #lastEnd: number | null = null;

  follow(event: GapEvent): void {
    const now = event.at * 1_000;
    if ('took' in event) this.#keep(event.device, afterMessage(this.#of(event.device), event.took));
    if ('skipped' in event) this.#change(event.device, (gaps) => afterSkipped(gaps, event.skipped));
    if ('forgotten' in event) this.#keep(event.device, null);
    if ('begins' in event) {
      for (const [device, gaps] of this.#devices) {
        this.#keep(device, isTooLong({ lastEnd: this.#lastEnd, now, retention }) ? null : gaps);
      }
    }
    if ('end' in event) {
      expect(this.#end(now), `at ${event.at}`).toEqual(event.end);
      this.#lastEnd = now;
    }
    if ('says' in event) {
      const gaps = this.#of(event.device);
      expect(gaps && arrivedUpTo(gaps), `at ${event.at}`).toEqual(event.says);
    }
  }

  #end(now: number) {
    const ask: Record<string, number[]> = {};
    const reported: string[] = [];
    for (const [device, before] of this.#devices) {
      const after = afterQueueRead(before, now);
      this.#keep(device, after.gaps);
      if (after.toRequest.length > 0) ask[device] = after.toRequest;
      if (isReported(after.gaps)) reported.push(device);
    }
    return { ask, reported };
  }

  #of(device: string): DeviceGaps | null {
    return this.#devices.get(device) ?? null;
  }

  #change(device: string, change: (gaps: DeviceGaps) => DeviceGaps): void {
    const gaps = this.#of(device);
    if (gaps) this.#keep(device, change(gaps));
  }

  #keep(device: string, gaps: DeviceGaps | null): void {
    // Through JSON, like stored state.
    if (gaps) this.#devices.set(device, JSON.parse(JSON.stringify(gaps)));
    else this.#devices.delete(device);
  }
}

test.each(vectors.traces)('a trace: $why', ({ events }) => {
  const follower = new Follower();
  for (const event of events) follower.follow(event);
  expect.hasAssertions();
});

test.each(vectors.answers)('an answer: $why', ({ now, retentionSeconds, resealed, asked, sent, answer }) => {
  const find = (seq: number) => {
    const message = sent[seq];
    if (!message) return null;
    const { sentAt, isForAsker, resealedAt } = message;
    return {
      sentAt: Date.parse(sentAt),
      isForRequester: isForAsker,
      resealedAt: resealedAt === null ? null : Date.parse(resealedAt),
    };
  };
  expect(
    answerRequest(asked, find, { now: Date.parse(now), retention: retentionSeconds * 1_000, resealed }),
  ).toEqual(answer);
});

test.each(vectors.counted)(
  '$kind by $signer is counted as the vectors require',
  ({ kind, signer, isForOne, isCounted: is }) => {
    expect(isCounted(kind, signer, isForOne)).toBe(is);
  },
);
