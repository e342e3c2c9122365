/**
 * Our own known answers about the contents of version 1: fields, rights, references, order, receipts and previews.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contents } from '../../../../src/messaging/contents/all-kinds.ts';
import type { Authorship, Place } from '../../../../src/messaging/contents/authorship.ts';
import type { Channel } from '../../../../src/messaging/contents/channel.ts';
import { findControlProblem } from '../../../../src/messaging/contents/control-rights.ts';
import { disappearsAt } from '../../../../src/messaging/contents/disappearing.ts';
import { edited, findEditProblem } from '../../../../src/messaging/contents/edits.ts';
import { extrasOf } from '../../../../src/messaging/contents/extras.ts';
import type { Mention, Ref } from '../../../../src/messaging/contents/fields.ts';
import type { EditContent } from '../../../../src/messaging/contents/kinds/edit.ts';
import { isKnownSetting } from '../../../../src/messaging/contents/kinds/own.ts';
import { drawnEmoji } from '../../../../src/messaging/contents/kinds/reaction.ts';
import type { ReceiptContent } from '../../../../src/messaging/contents/kinds/receipt.ts';
import { mentionsIn } from '../../../../src/messaging/contents/mentions.ts';
import { MESSAGE_KINDS } from '../../../../src/messaging/contents/message-kinds.ts';
import { type Preview, previewHost } from '../../../../src/messaging/contents/previews.ts';
import { droppedFor, judgeRef, type Target } from '../../../../src/messaging/contents/refs.ts';
import { searchableIn } from '../../../../src/messaging/contents/searchable.ts';
import {
  compareVersions,
  nextSentAt,
  replaces,
  type Version,
} from '../../../../src/messaging/contents/versions.ts';
import { covers, deviceReceiptIn, NO_RECEIPT } from '../../../../src/messaging/receipts/coverage.ts';
import { bodyDigest } from '../../../../src/protocol/body-digest.ts';
import { encodeUtf8 } from '../../../../src/protocol/encoding.ts';
import { allContents } from '../../../support/future/all-kinds.ts';
import { countedVote, type PollContent } from '../../../support/future/kinds/poll.ts';
import { type RegisterBody, valuesOf } from '../../../support/future/registers.ts';
import { readVectors } from '../../../support/vectors.ts';

interface Form {
  why: string;
  isRight: boolean;
  channel: Channel;
  body: { kind: string; fallback?: unknown };
}

describe('kinds.json', () => {
  const { version1 } = readVectors<{
    version1: {
      kinds: Form[];
      fields: Form[];
      messages: string[];
      extras: { why: string; body: Record<string, unknown>; extras: object }[];
      settings: { key: string; value: unknown; isKnown: boolean }[];
      drawn: { emoji: string; drawn: string }[];
    };
  }>('waxwing/kinds.json');
  test.each([...version1.kinds, ...version1.fields])('$why ($channel)', ({ isRight, channel, body }) => {
    const judged = allContents.judge(channel, body);
    const found = judged.as === 'message' || judged.as === 'control' ? judged.kind : judged.as;
    expect(found).toBe(isRight ? body.kind : body.fallback === undefined ? 'unknown' : 'newer');
    if (isRight) expect(judged.as).toBe(version1.messages.includes(body.kind) ? 'message' : 'control');
  });

  test('has every kind, valid and invalid', () => {
    const kinds = allContents.names.split(',');
    expect([...new Set(version1.kinds.map(({ body }) => body.kind))].sort()).toEqual(kinds);
    const wrong = new Set(version1.fields.filter(({ isRight }) => !isRight).map(({ body }) => body.kind));
    expect([...wrong, 'accept'].sort()).toEqual(kinds);
  });

  test.each(contents.names.split(','))(
    'the kind %s of the app is here with valid and invalid fields',
    (name) => {
      const isOfKind = ({ body }: Form) => body.kind === name;
      expect(version1.kinds.filter(isOfKind).some(({ isRight }) => isRight)).toBe(true);
      expect(version1.fields.filter(isOfKind).some(({ isRight }) => !isRight)).toBe(true);
    },
  );

  test.each(MESSAGE_KINDS)(
    'search finds the text of the kind $name, and of no message without one',
    (kind) => {
      const bodies = version1.kinds.filter(({ body, isRight }) => isRight && body.kind === kind.name);
      expect(bodies.length).toBeGreaterThan(0);
      for (const { channel, body } of bodies) {
        const judged = contents.judge(channel, body);
        if (judged.as !== 'message') throw new Error(`${kind.name} is no message`);
        expect(searchableIn(body, null)?.text ?? null).toBe(judged.text);
      }
    },
  );

  test.each(version1.extras)('beside a kind: $why', ({ body, extras }) => {
    expect(extrasOf(body)).toEqual(extras);
  });

  test('checks settings of own devices by key and value', () => {
    for (const { key, value, isKnown } of version1.settings)
      expect(isKnownSetting(key, value), key).toBe(isKnown);
  });

  test('shows one grapheme of an emoji', () => {
    for (const { emoji, drawn } of version1.drawn) expect(drawnEmoji(emoji)).toBe(drawn);
  });

  test('refuses a too deeply nested value without an exception', () => {
    const value: unknown = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000));
    const body = { kind: 'own.set', entries: [{ key: 'x', value }] };
    expect(allContents.judge('direct', body)).toEqual({ as: 'unknown' });
  });
});

const rights = readVectors<{
  controls: {
    why: string;
    kind: string;
    place: Place;
    voice: Authorship;
    target: Authorship | null;
    problem: string | null;
  }[];
}>('waxwing/rights.json');

test.each(rights.controls)('rights of $kind, $voice.by: $why', ({ kind, place, voice, target, problem }) => {
  expect(findControlProblem(kind, voice, place, target)).toBe(problem);
});

describe('refs.json', () => {
  const vectors = readVectors<{
    digest: { body: string; digest: string };
    cases: { why: string; ref: Ref; target: Target | null; leadsTo: string }[];
    pending: {
      why: string;
      now: string;
      waiting: { sender: string; count: number; since: string }[];
      sender: string;
      dropped: number[];
    }[];
  }>('waxwing/refs.json');

  test('has the digest of a body', () => {
    expect(bodyDigest(encodeUtf8(vectors.digest.body))).toBe(vectors.digest.digest);
  });

  test.each(vectors.cases)('a reference: $why', ({ ref, target, leadsTo }) => {
    expect(judgeRef(ref, target)).toBe(leadsTo);
  });

  test.each(vectors.pending)(
    'a control that waits for its target: $why',
    ({ now, waiting, sender, dropped }) => {
      const pending = waiting.flatMap(({ count, since, ...one }) =>
        Array.from({ length: count }, () => ({ ...one, since: Date.parse(since) })),
      );
      const found = droppedFor(pending, sender, Date.parse(now)).map((one) => pending.indexOf(one));
      expect(found).toEqual(dropped);
    },
  );
});

describe('registers.json', () => {
  const vectors = readVectors<{
    ascending: Version[];
    sentAt: { why: string; now: string; last: string | null; replaced: string | null; sentAt: string }[];
    sets: { sender: string; body: RegisterBody; registers: Record<string, unknown> }[];
    votes: { why: string; poll: PollContent; vote: { options: number[]; sentAt: string }; counts: boolean }[];
    edits: {
      why: string;
      target: { sentAt: string; receivedAt: string };
      edit: { sentAt: string; receivedAt: string };
      wasAskedFor: boolean;
      problem: string | null;
    }[];
    edited: { why: string; body: Record<string, unknown>; edit: EditContent; becomes: object | null }[];
    disappearing: {
      why: string;
      isOwn: boolean;
      sentAt: string;
      receivedAt: string;
      shownAt: string | null;
      expires: number;
      erasedAt: string;
    }[];
  }>('waxwing/registers.json');

  test('has versions in ascending order, each after all before it', () => {
    for (const [place, version] of vectors.ascending.entries()) {
      for (const [other, against] of vectors.ascending.entries()) {
        expect(Math.sign(compareVersions(version, against))).toBe(Math.sign(place - other));
      }
    }
  });

  test('keeps the same value in any order of arrival', () => {
    const count = vectors.ascending.length;
    fc.assert(
      fc.property(
        fc.shuffledSubarray(vectors.ascending, { minLength: count, maxLength: count }),
        (versions) => {
          const stands = versions.reduce<Version | null>(
            (now, next) => (replaces(next, now) ? next : now),
            null,
          );
          expect(stands).toEqual(vectors.ascending.at(-1));
        },
      ),
    );
  });

  test.each(vectors.sentAt)('when a message counts as sent: $why', ({ now, last, replaced, sentAt }) => {
    const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));
    expect(nextSentAt(Date.parse(now), timeOf(last), timeOf(replaced))).toBe(Date.parse(sentAt));
  });

  test('has the registers that bodies set', () => {
    for (const { sender, body, registers } of vectors.sets) {
      const channel = body.kind === 'picture' ? 'group' : 'direct';
      expect(allContents.judge(channel, body).as, body.kind).toBe('control');
      expect(
        Object.fromEntries(valuesOf(sender, body).map(({ register, value }) => [register, value])),
      ).toEqual(registers);
    }
  });

  test.each(vectors.votes)('a vote: $why', ({ poll, vote, counts }) => {
    expect(countedVote(poll, vote)).toEqual(counts ? vote.options : null);
  });

  const msOf = ({ sentAt, receivedAt }: { sentAt: string; receivedAt: string }) => ({
    sentAt: Date.parse(sentAt),
    receivedAt: Date.parse(receivedAt),
  });

  test.each(vectors.edits)('an edit: $why', ({ target, edit, wasAskedFor: wasRequested, problem }) => {
    expect(findEditProblem(msOf(target), msOf(edit), wasRequested)).toBe(problem);
  });

  test.each(vectors.edited)('the result of an edit: $why', ({ body, edit, becomes }) => {
    expect(edited(body, edit)).toEqual(becomes);
  });

  test.each(vectors.disappearing)(
    'when it disappears, $why',
    ({ isOwn, shownAt, expires, erasedAt, ...times }) => {
      const showing = { isOwn, shownAt: shownAt === null ? null : Date.parse(shownAt), ...msOf(times) };
      expect(new Date(disappearsAt(showing, expires)).toISOString()).toBe(erasedAt);
    },
  );
});

const receipts = readVectors<{
  receipt: ReceiptContent;
  cases: { why: string; deviceId: string; seq: number; says: string | null }[];
}>('waxwing/receipts.json');

test.each(receipts.cases)('a receipt: $why', ({ deviceId, seq, says }) => {
  const { read, delivered } = deviceReceiptIn(receipts.receipt, deviceId) ?? NO_RECEIPT;
  const isDelivered = covers(delivered, seq) ? 'delivered' : null;
  expect(covers(read, seq) ? 'read' : isDelivered).toBe(says);
});

describe('previews.json', () => {
  const vectors = readVectors<{
    previews: { why: string; text: string; preview: Preview; host: string | null }[];
    mentions: { why: string; text: string; mentions: Mention[]; counts: object[] }[];
  }>('waxwing/previews.json');

  test.each(vectors.previews)('a preview: $why', ({ text, preview, host }) => {
    expect(previewHost(text, preview)).toBe(host);
  });

  test.each(vectors.mentions)('a mention: $why', ({ text, mentions, counts }) => {
    expect(mentionsIn(text, mentions)).toEqual(counts);
  });
});
