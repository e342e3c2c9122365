import { expect, test } from 'vitest';
import { RelayRefusal, refusalOf } from '../../../src/messaging/relay.ts';

/** Clears the screen, forges a line, reverses the following text, and hides a letter. */
const HOSTILE = 'no\u001b[2J\r\nwaxwing: sent\u202e\u009b1m\u2028x\u200b';

test.each([
  ['a call', (detail: string, reason: string) => new RelayRefusal(403, 'forbidden', detail, null, reason)],
  [
    'one envelope among others',
    (detail: string, reason: string) => refusalOf({ code: 'forbidden', detail, reason }),
  ],
])('a relay’s text about %s is one line of bounded length without control characters', (_what, refused) => {
  const refusal = refused(HOSTILE, HOSTILE);
  expect(refusal.message).toBe('no [2J waxwing: sent 1m x');
  expect(refusal.parameters).toEqual({ detail: refusal.message, reason: '' });

  const long = refused('a'.repeat(100_000), 'a'.repeat(100_000));
  expect(long.message).toHaveLength(1_000);
  expect(long.parameters).toEqual({ detail: long.message, reason: '' });
  expect(refused('Full.', 'groupMembers').parameters).toEqual({ detail: 'Full.', reason: 'groupMembers' });
});
