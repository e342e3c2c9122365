/** The number of failed messages of a chat, for its mark in the list. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MessageState } from '../../../../src/bridge/shapes/message.ts';
import { conversationProcedures } from '../../../../src/engine/procedures/conversations.ts';
import type { MessageBody } from '../../../../src/messaging/sending/outgoing.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { plansOf } from '../../../support/statement-plans.ts';

const [ANN, BEN, CAT] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');

test('a failed message is counted in its chat until it is sent, also after later messages', async () => {
  await using account = openAccount(ANN, () => NOW);
  const { context, db } = account;
  const { contacts, conversations, messages, timelines } = context;
  const chatWith = (peer: string) => conversations.ensure(contacts.ensure(peer, NOW).id, 'accepted', NOW);
  const [chat, other] = [chatWith(BEN), chatWith(CAT)];
  let seq = 0;
  const add = (state: MessageState) => {
    const uid = randomBytes(16);
    const [sender, peer] = state === 'received' ? [BEN, ANN] : [ANN, BEN];
    seq += 1;
    const fields = { id: encodeBase64Url(uid), sender, peer, sentAt: encodeTime(NOW), seq };
    const id = messages.insert({
      ...{ conversationId: chat.id, sender, uid, sentAt: NOW, storedAt: NOW, seq, state },
      ...{ body: { ...fields, kind: 'text', text: 'Hello' } as MessageBody, deviceId: null },
      trust: state === 'received' ? 'verified' : 'self',
    });
    conversations.setLastMessage(chat.id, timelines.lastId(chat.id));
    return id;
  };
  const noRelay = () => {
    throw new Error('the list needs no relay');
  };
  const parts = { context, relays: { embedded: null, fixed: null }, online: null, goOnline: noRelay };
  const list = () => conversationProcedures(parts)['conversations.list']({});
  const failed = () =>
    new Map((list() as { id: string; failed: number }[]).map((each) => [each.id, each.failed]));

  add('sent');
  const first = add('failed');
  add('received');
  add('failed');
  add('sent');
  expect(failed()).toEqual(
    new Map([
      [String(chat.id), 2],
      [String(other.id), 0],
    ]),
  );
  messages.setState(first, 'queued', null);
  expect(failed().get(String(chat.id))).toBe(1);
  const steps = plansOf(db, list).flatMap(({ steps }) => steps);
  expect(
    steps.some((line) => line.includes('messages_failed')),
    'its index is used',
  ).toBe(true);
});
