/** Files that the relay deletes soon. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expiringFileProcedures } from '../../../src/engine/procedures/expiring-files.ts';
import type { AttachedFile } from '../../../src/protocol/blob/file.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../support/cached-account.ts';

const [ME, ANN] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const BEGIN = Date.UTC(2026, 5, 1);
const DAY = 24 * 3_600_000;

let account: CachedAccount;
let now: number;
let chat: number;
beforeEach(() => {
  now = BEGIN;
  account = openAccount(ME, () => now);
  const { contacts, conversations } = account.context;
  chat = conversations.ensure(contacts.ensure(ANN, now).id, 'accepted', now).id;
});
afterEach(() => account[Symbol.asyncDispose]());

const word = () => encodeBase64Url(randomBytes(32));
const document = (): AttachedFile => ({
  ...{ key: word(), digest: word(), size: 1_000, mediaType: 'application/pdf', name: 'x.pdf' },
});
/** A received message with files. @returns their ids */
function arrive(files: readonly AttachedFile[], receivedAt = now): number[] {
  const id = encodeBase64Url(randomBytes(16));
  const body = {
    id,
    sender: ANN,
    peer: ME,
    sentAt: encodeTime(receivedAt),
    seq: 1,
    kind: 'attachment',
    files,
  };
  const deviceId = encodeBase64Url(randomBytes(16));
  const { stored } = receive(account.context, ME, receivedDirect(body, { deviceId, receivedAt }));
  return account.context.files.ofMessages([stored?.messageId ?? 0]).map((file) => file.id);
}
function expiring() {
  const goOnline = () => {
    throw new Error('a count needs no relay');
  };
  const parts = { context: account.context, relays: { embedded: null, fixed: null }, online: null, goOnline };
  return expiringFileProcedures(parts)['files.expiring']({ conversationId: String(chat) });
}

test('counts files in the last seven days at the relay, until they are deleted there', () => {
  arrive([document(), document()]);
  now = BEGIN + 38 * DAY - 1;
  expect(expiring()).toEqual({ count: 0, bytes: 0, until: null });
  now = BEGIN + 38 * DAY;
  expect(expiring()).toEqual({ count: 2, bytes: 2_000, until: BEGIN + 45 * DAY });
  now = BEGIN + 45 * DAY;
  expect(expiring()).toEqual({ count: 0, bytes: 0, until: null });
});

test('a message that waited at the relay counts by its arrival there', () => {
  now = BEGIN + 40 * DAY;
  arrive([document()], BEGIN);
  expect(expiring()).toMatchObject({ count: 1, until: BEGIN + 45 * DAY });
});

test('omits files that are here, in transfer or deleted, and those of a request', () => {
  const { files, fileTasks, conversations } = account.context;
  const [here = 0, moving = 0, gone = 0] = arrive([document(), document(), document(), document()]);
  const again = document();
  arrive([again]);
  arrive([again]);
  files.setDownloaded(here, 'application/pdf');
  fileTasks.planDownload(moving, null);
  files.setFailed(gone, { code: 'file_gone', parameters: {} });
  now = BEGIN + 40 * DAY;
  expect(expiring()).toMatchObject({ count: 2, bytes: 2_000 });
  conversations.setState(chat, 'request');
  expect(expiring()).toMatchObject({ count: 0 });
});

test('omits files that the person has removed, until they are requested again', () => {
  const { diskUse, fileTasks, files } = account.context;
  const [cleared = 0, lost = 0] = arrive([document(), document()]);
  for (const id of [cleared, lost]) files.setDownloaded(id, 'application/pdf');
  diskUse.remove([cleared]);
  files.setLost(lost);
  now = BEGIN + 40 * DAY;
  expect(expiring()).toMatchObject({ count: 1 });
  fileTasks.planDownload(cleared, null);
  files.setFailed(cleared, null);
  expect(expiring()).toMatchObject({ count: 2 });
});

test('finds the files by an index on their end', () => {
  const { db, context } = account;
  const { prepare } = db;
  const statements: string[] = [];
  db.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare.call(db, sql);
  }) as typeof db.prepare;
  context.files.expiring(chat, now, now, 1);
  db.prepare = prepare;
  const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statements[0]}`);
  const steps = plan.all(chat, now, now, 1).map(({ detail }) => detail);
  expect(steps[0]).toContain('message_files_by_end (conversation_id=? AND until>? AND until<?)');
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
});
