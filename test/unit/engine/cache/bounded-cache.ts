/** Shared by the quick and the slow tests of bounded-cache. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import type { Cache } from '../../../../src/engine/cache/database.ts';
import { Messages } from '../../../../src/engine/cache/messages.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';

export const MEBIBYTE = 1024 * 1024;

export const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

/** Size of the file and its companions, in bytes. */
export function sizeOf(folder: string): number {
  return ['cache.db', 'cache.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

export function receive(db: Cache, from: string, text: string, now: number): void {
  const conversations = new Conversations(db);
  const { id } = conversations.ensure(new Contacts(db).ensure(from, now).id, 'request', now);
  const messageId = new Messages(db).insert({
    conversationId: id,
    sender: from,
    uid: randomBytes(16),
    body: { id: 'x', sender: from, sentAt: encodeTime(now), seq: 1, kind: 'text', peer: address(0), text },
    sentAt: now,
    storedAt: now,
    state: 'received',
    trust: 'verified',
  });
  if (messageId !== null) conversations.messageAdded(id, messageId, 1, now);
}
