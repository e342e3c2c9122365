import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Contacts } from '../../../../src/engine/cache/contacts.ts';
import { Conversations } from '../../../../src/engine/cache/conversations.ts';
import { openCache } from '../../../../src/engine/cache/database.ts';
import { resetFutureTimes } from '../../../../src/engine/cache/future-times.ts';
import { OwnReads } from '../../../../src/engine/cache/own-reads.ts';
import { HERE, OwnRegisters } from '../../../../src/engine/cache/own-registers.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const HOUR = 3_600_000;
const versionAt = (at: number) => ({ sentAt: encodeTime(at), id: encodeBase64Url(randomBytes(16)) });

test('corrects times a year ahead to now and keeps those an hour ahead', () => {
  using folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const registers = new OwnRegisters(db);
  const reads = new OwnReads(db);
  const contacts = new Contacts(db);
  const conversations = new Conversations(db);
  const address = `0x${'ab'.repeat(20)}`;
  const contact = contacts.ensure(address, NOW);
  const chat = conversations.ensure(contact.id, 'accepted', NOW).id;
  const far = versionAt(NOW + 365 * 24 * HOUR);
  const near = versionAt(NOW + HOUR);
  registers.put('muted/a', { until: null }, far, false, HERE);
  registers.put('muted/b', { until: null }, near, false, HERE);
  reads.note(address, far);
  contacts.setTimer(address, { seconds: 60, ...far, sender: address });
  conversations.sentAt(chat, NOW + 365 * 24 * HOUR);

  resetFutureTimes(db, NOW);

  expect(registers.get('muted/a')?.sentAt).toBe(encodeTime(NOW));
  expect(registers.get('muted/b')?.sentAt).toBe(near.sentAt);
  expect(reads.version(address)?.sentAt).toBe(encodeTime(NOW));
  expect(contacts.timer(address)).toMatchObject({ seconds: 60, sentAt: encodeTime(NOW) });
  expect(conversations.lastSentAt(chat)).toBe(NOW);
  db.close();
});
