/**
 * Retry times of messages that wait for devices.
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import { type Cache, openCache } from '../../../../src/engine/cache/database.ts';
import { Messages } from '../../../../src/engine/cache/messages.ts';
import { OutboxRows } from '../../../../src/engine/cache/outbox-rows.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const [ANN, BEN, CAT] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-20T20:00:00.000Z');

/** Queues a message to a person. @returns the entry */
function queue(db: Cache, peer: string) {
  const conversation = new Conversations(db).ensure(new Contacts(db).ensure(peer, NOW).id, 'accepted', NOW);
  const messageId = new Messages(db).insert({
    conversationId: conversation.id,
    sender: ANN,
    uid: randomBytes(16),
    body: {
      id: 'x',
      sender: ANN,
      sentAt: '2026-11-20T20:00:00.000Z',
      seq: 1,
      kind: 'text',
      peer,
      text: 'hi',
    },
    sentAt: NOW,
    storedAt: NOW,
    state: 'queued',
    trust: 'self',
  });
  new OutboxRows(db).add(messageId, conversation.id, null, NOW);
  const entry = new OutboxRows(db).heads(null).find((each) => each.messageId === messageId);
  if (!entry) throw new Error('what was queued is not there');
  return entry;
}

test('retries the entries of a pending recipient only after news about that recipient', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const outbox = new OutboxRows(db);
  const [toBen, toCat, toAnn] = [queue(db, BEN), queue(db, CAT), queue(db, ANN)];
  for (const { id } of [toBen, toCat]) outbox.wait(id, NOW + HOUR);
  outbox.setPending(toAnn, [CAT], { waits: 7, until: NOW + HOUR }, 200);
  const waiting = () => outbox.heads(null).map(({ waits, nextAttemptAt }) => [waits, nextAttemptAt - NOW]);
  expect(waiting()).toEqual([
    [1, HOUR],
    [1, HOUR],
    [7, HOUR],
  ]);
  outbox.retryFor(CAT, NOW);
  expect(waiting()).toEqual([
    [1, HOUR],
    [0, 0],
    [0, 0],
  ]);
  db.close();
});
