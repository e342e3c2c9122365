/**
 * Our own known answers about contents: kinds, rights and replays.
 */
import { expect, test } from 'vitest';
import { contents, isMessage } from '../../../../src/messaging/contents/all-kinds.ts';
import { TextContent } from '../../../../src/messaging/contents/kinds/text.ts';
import { findUnsignedProblem, type Origin } from '../../../../src/messaging/contents/rights.ts';
import { countedReceivedAt } from '../../../../src/messaging/trust/received-at.ts';
import {
  findTimeProblem,
  isDuplicate,
  REMEMBER_FOR,
  retentionOf,
} from '../../../../src/messaging/trust/replay.ts';
import { readVectors } from '../../../support/vectors.ts';

interface Content {
  why: string;
  channel: 'direct' | 'group';
  as: 'text' | 'invite' | 'hello' | 'newer' | 'unknown';
  body: { kind: string; fallback?: unknown };
}
const kinds = readVectors<{
  text: { piece: string; times: number; isText: boolean }[];
  contents: Content[];
}>('waxwing/kinds.json');

test('a text is 1 to 16,384 bytes of UTF-8 without control characters but LF and TAB', () => {
  expect(kinds.text).toHaveLength(20);
  for (const { piece, times, isText } of kinds.text) {
    const content = { kind: 'text', text: piece.repeat(times) };
    expect(TextContent.safeParse(content).success, JSON.stringify({ piece, times })).toBe(isText);
  }
});

test('reads a known kind with its fields; others as their fallback, or stores them', () => {
  expect(kinds.contents).toHaveLength(32);
  for (const { why, channel, as, body } of kinds.contents) {
    const judged = contents.judge(channel, body);
    const found = judged.as === 'message' || judged.as === 'control' ? judged.kind : judged.as;
    expect(found, why).toBe(as);
    expect(isMessage(judged), why).toBe(as === 'text' || as === 'invite' || as === 'newer');
    if (judged.as === 'newer') expect(judged.text, why).toBe(body.fallback);
  }
});

test('limits the kinds of unsigned messages, with a group token only in a group', () => {
  const { cases } = readVectors<{ cases: (Origin & { why: string; kind: string; mayBeSent: boolean })[] }>(
    'waxwing/rights.json',
  );
  expect(cases).toHaveLength(20);
  for (const { why, kind, mayBeSent, ...origin } of cases) {
    expect(findUnsignedProblem(origin, { kind }) === null, `${why}: ${kind}`).toBe(mayBeSent);
  }
});

test('refuses too old and future messages, and remembers accepted ones longer', () => {
  const { times, repeats, rememberSeconds } = readVectors<{
    rememberSeconds: number;
    times: {
      why: string;
      now: string;
      sentAt: string;
      receivedAt: string;
      retentionSeconds: number | null;
      counts: boolean;
    }[];
    repeats: { why: string; signed: boolean; unsigned: boolean; isSigned: boolean; wasTaken: boolean }[];
  }>('waxwing/replay.json');
  expect(times).toHaveLength(14);
  for (const { why, retentionSeconds, counts, ...at } of times) {
    const problem = findTimeProblem(
      { sentAt: Date.parse(at.sentAt), now: Date.parse(at.now) },
      retentionOf(retentionSeconds === null ? null : retentionSeconds * 1_000),
    );
    expect(problem === null, why).toBe(counts);
  }
  expect(repeats).toHaveLength(5);
  for (const { why, isSigned, wasTaken: expected, ...message } of repeats) {
    expect(isDuplicate(message, isSigned), why).toBe(expected);
  }
  expect(REMEMBER_FOR).toBe(rememberSeconds * 1_000);
});

test('bounds the time of receipt by this device’s knowledge', () => {
  const { received } = readVectors<{
    received: {
      why: string;
      now: string;
      reported: string;
      previous: string | null;
      lastEnd: string | null;
      counts: string;
    }[];
  }>('waxwing/replay.json');
  expect(received).toHaveLength(8);
  const msOf = (time: string | null) => (time === null ? null : Date.parse(time));
  for (const { why, now, reported, previous, lastEnd, counts } of received) {
    const reading = { previous: msOf(previous), lastEnd: msOf(lastEnd), now: Date.parse(now) };
    expect(new Date(countedReceivedAt(Date.parse(reported), reading)).toISOString(), why).toBe(counts);
  }
});
