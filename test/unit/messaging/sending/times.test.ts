/** The time of a message when it is sealed. */
import { expect, test } from 'vitest';
import { nextSentAt } from '../../../../src/messaging/contents/versions.ts';
import type { MessageBody, Outgoing } from '../../../../src/messaging/sending/outgoing.ts';
import { payloadOf } from '../../../../src/messaging/sending/signed-payload.ts';
import { findTimeProblem } from '../../../../src/messaging/trust/replay.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [ANN, BEN] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];

test.each([
  ['replaces a value dated a day ahead', DAY, null, DAY],
  ['was written a moment ago', -1_000, null, 0],
  ['follows a value dated a day ahead', 0, DAY, DAY - HOUR],
  ['was written with a clock a year ahead', 365 * DAY, null, DAY - HOUR],
])('a message that %s is accepted by its recipients', (_name, own, last, expected) => {
  const id = encodeBase64Url(new Uint8Array(16));
  const fields = { id, sender: ANN, peer: BEN, seq: 0, kind: 'text', text: 'Hello' };
  let body = { ...fields, sentAt: encodeTime(NOW + own) } as MessageBody;
  const outgoing: Outgoing = {
    body,
    lastSentAt: last === null ? null : NOW + last,
    saveBody: (saved: MessageBody) => {
      body = saved;
      return saved;
    },
    pendingRecipients: null,
    copies: () => [],
    addCopies: () => undefined,
    acceptCopies: () => undefined,
    removeCopies: () => undefined,
  };
  const author = { address: ANN, device: null, newestList: () => null };
  payloadOf(outgoing, author, { hasCopies: false, now: NOW });
  expect(decodeTime(body.sentAt) - NOW).toBe(expected);
});

test.each([-1, 0, 1])(
  'a value dated a day and %i ms ahead can be replaced at once, if it is accepted',
  (after) => {
    const at = NOW + DAY + after;
    const isAccepted = findTimeProblem({ sentAt: at, now: NOW }, 30 * DAY) === null;
    const own = nextSentAt(NOW, null, at);
    expect(own > at).toBe(isAccepted);
    expect(findTimeProblem({ sentAt: own, now: NOW + 1 }, 30 * DAY), 'others accept the new one').toBeNull();
  },
);
