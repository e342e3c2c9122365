/** Use of the disk by files: sums kept with the rows, and files that are removed while their messages stay. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FIRST_HERE } from '../../../src/engine/cache/disk-use.ts';
import { FileClearing } from '../../../src/engine/files/clearing.ts';
import type { AttachedFile } from '../../../src/protocol/blob/file.ts';
import { blobLayout } from '../../../src/protocol/blob/layout.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { type CachedAccount, openAccount } from '../../support/cached-account.ts';

const ME = `0x${'aa'.repeat(20)}`;
const BEGIN = Date.UTC(2026, 5, 1);
const DAY = 24 * 3_600_000;

let account: CachedAccount;
let clearing: FileClearing;
let now: number;
let erased: number[];
let changed: string[];
beforeEach(() => {
  now = BEGIN;
  erased = [];
  changed = [];
  account = openAccount(
    ME,
    () => now,
    (name, payload) => {
      if (name === 'messages.changed') changed.push((payload as { conversationId: string }).conversationId);
    },
  );
  clearing = new FileClearing(account.context);
  account.context.files.onRemoved((ids) => {
    erased.push(...ids);
    account.context.files.setErased(ids);
  });
});
afterEach(async () => {
  await clearing.close();
  await account[Symbol.asyncDispose]();
});

function chatWith(digit: string): number {
  const { contacts, conversations } = account.context;
  return conversations.ensure(contacts.ensure(`0x${digit.repeat(40)}`, now).id, 'accepted', now).id;
}

function file(mediaType: string, size = 10_000): AttachedFile {
  const word = () => encodeBase64Url(randomBytes(32));
  return { key: word(), digest: word(), size, mediaType, name: 'x' };
}

/** A message with files on this computer. */
function message(
  chat: number,
  files: readonly AttachedFile[],
  state: 'received' | 'sent' | 'queued' | 'failed' = 'received',
): { id: number; files: number[] } {
  const { context } = account;
  return context.transaction(() => {
    const uid = randomBytes(16);
    const sentAt = encodeTime(now);
    const body = { id: encodeBase64Url(uid), sender: ME, peer: ME, sentAt, seq: 1, kind: 'attachment' };
    const trust = state === 'received' ? 'verified' : 'self';
    const times = { sentAt: now, storedAt: now };
    const id = context.messages.insert({
      conversationId: chat,
      sender: ME,
      uid,
      body,
      state,
      trust,
      ...times,
    });
    const ids = context.files.add({ id, conversationId: chat }, files);
    for (const each of ids)
      if (!context.files.get(each)?.isHere) context.files.setDownloaded(each, 'image/png');
    return { id, files: ids };
  });
}

const isHere = (id: number | undefined) => account.context.files.get(id ?? 0)?.isHere;

/** The kept sums, and the same counted from all rows. */
function sums(): { kept: unknown; counted: unknown } {
  const { db } = account;
  const kept = db.prepare('SELECT * FROM disk_use ORDER BY conversation_id, type').all();
  const counted = db
    .prepare(
      `SELECT 0 AS conversation_id, 'all' AS type, count(*) AS files, sum(blob_length) AS bytes FROM files WHERE is_here = 1
        HAVING count(*) > 0
       UNION ALL
       SELECT conversation_id, type, count(*), sum(blob_length) FROM (
         SELECT DISTINCT m.conversation_id, f.id, f.type, f.blob_length FROM message_files m JOIN files f ON f.id = m.file_id
          WHERE f.is_here = 1) GROUP BY conversation_id, type
       ORDER BY conversation_id, type`,
    )
    .all();
  return { kept, counted };
}

test('sums of the disk are those of the files, after each change', () => {
  const { context } = account;
  const [ann, ben] = [chatWith('1'), chatWith('2')];
  const shared = file('image/png', 70_000);
  const check = () => {
    const { kept, counted } = sums();
    expect(kept).toEqual(counted);
  };
  const first = message(ann, [shared, file('video/mp4'), file('application/pdf')]);
  check();
  const again = message(ann, [shared]);
  const other = message(ben, [shared, file('audio/ogg')]);
  check();
  expect(context.diskUse.chats(10).map(({ conversationId, image }) => [conversationId, image.files])).toEqual(
    [
      [ann, 1],
      [ben, 1],
    ],
  );
  expect(context.diskUse.fileBytes()).toBe(blobLayout(70_000).length + 3 * blobLayout(10_000).length);
  context.messages.remove(again.id);
  check();
  context.files.setLost(first.files[1] ?? 0);
  check();
  context.messages.remove(first.id);
  check();
  const prepared = context.files.prepare(randomBytes(32), 5_000);
  context.files.setSealed(prepared, randomBytes(32), 'image/png');
  check();
  context.files.removePrepared([prepared]);
  check();
  context.conversations.remove(ben);
  check();
  expect(isHere(other.files[0])).toBeUndefined();
  expect(sums().kept).toEqual([]);
});

test('lists the largest chats first, and a voice message as sound', () => {
  const [small, large, none] = [chatWith('1'), chatWith('2'), chatWith('3')];
  message(small, [file('audio/ogg')]);
  message(large, [file('image/png', 3_000_000)]);
  account.context.files.setLost(message(none, [file('image/png')]).files[0] ?? 0);
  const { diskUse } = account.context;
  expect(diskUse.chats(10).map(({ conversationId }) => conversationId)).toEqual([large, small]);
  expect(diskUse.chats(1).map(({ conversationId }) => conversationId)).toEqual([large]);
  expect(diskUse.chats(10)[1]?.audio).toEqual({ files: 1, bytes: blobLayout(10_000).length });
});

test('clearing a chat erases its files, but no message, no unsent file and none of another chat', async () => {
  const [ann, ben] = [chatWith('1'), chatWith('2')];
  const shared = file('image/png');
  const received = message(ann, [file('image/png'), shared]);
  const unsent = [message(ann, [file('image/png')], 'queued'), message(ann, [file('image/png')], 'failed')];
  const elsewhere = message(ben, [shared, file('video/mp4')]);
  await clearing.clear(ann);
  expect(received.files.map(isHere)).toEqual([false, true]);
  expect(unsent.flatMap(({ files }) => files.map(isHere))).toEqual([true, true]);
  expect(elsewhere.files.map(isHere)).toEqual([true, true]);
  expect(account.context.messages.get(received.id)).not.toBeNull();
  expect(erased).toEqual([received.files[0]]);
  expect(changed).toEqual([String(ann)]);
  await clearing.clear(null);
  expect(elsewhere.files.map(isHere)).toEqual([false, false]);
  expect(unsent.flatMap(({ files }) => files.map(isHere))).toEqual([true, true]);
  const { kept, counted } = sums();
  expect(kept).toEqual(counted);
});

test('clears any number of files in steps, each with its own transaction', async () => {
  const chat = chatWith('1');
  for (let n = 0; n < 50; n++)
    message(
      chat,
      Array.from({ length: 10 }, () => file('image/png')),
    );
  await clearing.clear(chat);
  expect(erased).toHaveLength(500);
  expect(changed.length, 'steps').toBe(3);
  expect(account.context.diskUse.fileBytes()).toBe(0);
});

test('a cleared file is downloaded again only after its old bytes are erased', () => {
  const { context } = account;
  const [id = 0] = message(chatWith('1'), [file('image/png')]).files;
  context.files.onRemoved(() => undefined);
  context.transaction(() => context.diskUse.remove([id]));
  context.files.reportRemoved();
  context.fileTasks.planDownload(id, null);
  expect(context.fileTasks.due(now, [], 10, [])).toEqual([]);
  context.files.setErased([id]);
  expect(context.fileTasks.due(now, [], 10, []).map((each) => each.id)).toEqual([id]);
});

test('removes files after the time for which they are kept, except for pinned and unsent ones', async () => {
  const { context } = account;
  const chat = chatWith('1');
  const old = message(chat, [file('image/png')]);
  const pinned = message(chat, [file('image/png')]);
  const unsent = message(chat, [file('image/png')], 'failed');
  const repeated = file('image/png');
  const earlier = message(chat, [repeated]);
  const version = { sentAt: encodeTime(now), id: encodeBase64Url(randomBytes(16)), sender: ME };
  context.annotations.setPinned(pinned.id, chat, true, version);
  now += 20 * DAY;
  message(chat, [repeated]);
  const recent = message(chat, [file('image/png')]);
  const all = [old, pinned, unsent, earlier, recent].map(({ files }) => files[0]);

  now = BEGIN + 30 * DAY - 1;
  context.fileSettings.keepDays = 30;
  await clearing.applyRetention();
  expect(all.map(isHere)).toEqual([true, true, true, true, true]);
  now = BEGIN + 30 * DAY;
  context.fileSettings.keepDays = null;
  await clearing.applyRetention();
  expect(all.map(isHere)).toEqual([true, true, true, true, true]);
  context.fileSettings.keepDays = 30;
  await clearing.applyRetention();
  expect(all.map(isHere)).toEqual([false, true, true, true, true]);
  // A file that was downloaded again stays for the whole time.
  context.files.setDownloaded(old.files[0] ?? 0, 'image/png');
  now += 29 * DAY;
  await clearing.applyRetention();
  expect(all.map(isHere)).toEqual([true, true, true, false, false]);
});

test('each statement finds its rows by an index, and a step reads a bounded number of files', () => {
  const { db, context } = account;
  const statements: string[] = [];
  const { prepare } = db;
  db.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare.call(db, sql);
  }) as typeof db.prepare;
  context.diskUse.fileBytes();
  context.diskUse.chats(10);
  context.diskUse.removable(1, FIRST_HERE, 200);
  context.diskUse.removable(null, FIRST_HERE, 200);
  context.diskUse.outdated(FIRST_HERE, now, 200);
  context.diskUse.remove([1]);
  db.prepare = prepare;
  expect(statements).toHaveLength(8);
  const parameters = { conversationId: 1, id: 0, hereSince: 0, upTo: 0, limit: 1 };
  for (const sql of statements) {
    const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const positional = sql.match(/\?/g)?.map(() => '[]') ?? [];
    const steps = sql.includes('@') ? plan.all(parameters) : plan.all(...positional);
    for (const { detail } of steps) {
      // Sums of the chats, a page of files, and lists of ids.
      if (/^SCAN (?:disk_use|f|json_each|c)\b/.test(detail)) continue;
      expect(detail).not.toMatch(/^SCAN /);
    }
    const scansPage = steps.some(({ detail }) => /^SCAN f\b/.test(detail));
    const isPage = steps.some(({ detail }) => /SEARCH files USING INDEX files_here/.test(detail));
    expect(scansPage && !isPage, sql).toBe(false);
  }
});
