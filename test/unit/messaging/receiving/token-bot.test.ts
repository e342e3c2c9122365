/** The name of a group token according to a relay, at the recipient. */
import { expect, test } from 'vitest';
import { tokenBotOf } from '../../../../src/messaging/receiving/sender.ts';
import { MAX_NAME } from '../../../../src/protocol/label.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';

const envelope: InboxEnvelope = {
  id: 'a',
  from: `0x${'1'.repeat(40)}`,
  toAddress: `0x${'2'.repeat(40)}`,
  ciphertext: '',
  ephemeralPublicKey: '',
  nonce: '',
  via: 'group_token',
  receivedAt: '2026-01-01T00:00:00.000Z',
};

const nameOf = (name: string) => tokenBotOf({ ...envelope, bot: { id: 'token', name } })?.name;

test('is cut to the limit', () => {
  expect(nameOf('🚀'.repeat(5_000_000))).toBe('🚀'.repeat(MAX_NAME));
});

test('is on one line, without invisible characters', () => {
  expect(nameOf('Dep\u202eloys\u200b\r\nof\u0000today')).toBe('Deploys of today');
  expect(nameOf('\u200b\u2066')).toBe('');
});

test('is null if the relay sends none', () => {
  expect(tokenBotOf(envelope)).toBeNull();
});
