/** A history with files to back up, and the times of backups and copies. */
import { execFileSync } from 'node:child_process';
import { randomBytes, randomFillSync } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { randomFrom } from '../../dev/random.ts';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { blobLayout } from '../../src/protocol/blob/layout.ts';
import { encodeBase64Url, encodeTime } from '../../src/protocol/encoding.ts';
import type { BackedUpDevice } from '../../test/support/backups.ts';
import type { CachedDevice } from '../../test/support/cached-device.ts';
import { ann } from '../../test/support/history.ts';
import { collectGarbage } from '../../test/support/memory.ts';
import { personAddress, START } from '../../test/support/search-cache.ts';
import { AT_ONCE, storingFast } from './fast-store.ts';
import { historyOf, vocabularyOf } from './history.ts';
import { type Slice, SliceWatch } from './slices.ts';

export const MEGABYTE = 1024 * 1024;
/** On the disk: that of a file of about 5 MB. */
const FILE_SIZE = 5 * MEGABYTE - 1000;
const FILE_BYTES = blobLayout(FILE_SIZE).length;
export const SECRETS = { passphrase: null, walletKey: randomBytes(32) };
/** Time of the backups, in milliseconds since 1970. */
export const LATER = START + 10 * 365 * 86_400_000;

export interface Timed {
  seconds: number;
  /** Of processor time, of all threads. */
  processor: number;
  /** The longest wait of another call meanwhile, in milliseconds: also for a processor that other programs use, or for the disk. */
  longest: number;
  /** The longest slice of this thread. */
  slice: Slice;
  /** Number of slices over the goal. */
  overGoal: number;
}

/** Measures a work of this process, without garbage of the work before, and after the disk has written its pages. */
export async function timed(work: () => Promise<unknown>): Promise<Timed> {
  collectGarbage();
  if (process.platform !== 'win32') execFileSync('sync');
  const before = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const watch = new SliceWatch();
  delay.enable();
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / 1000;
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  const { longest: slice, overGoal } = await watch.end();
  return { seconds, processor: (user + system) / 1e6, longest: delay.max / 1e6, slice, overGoal };
}

/** Copies files in pieces of a megabyte into one, and syncs it. */
export async function copy(from: readonly string[], to: string): Promise<void> {
  const target = await open(to, 'w');
  const piece = Buffer.alloc(MEGABYTE);
  for (const path of from) {
    const source = await open(path, 'r');
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, piece.length);
      if (bytesRead === 0) break;
      await target.write(piece, 0, bytesRead);
    }
    await source.close();
  }
  await target.sync();
  await target.close();
}

/** Reads a file in pieces of a megabyte. */
export async function readAgain(path: string): Promise<void> {
  const file = await open(path, 'r');
  const piece = Buffer.alloc(MEGABYTE);
  while ((await file.read(piece, 0, piece.length)).bytesRead > 0);
  await file.close();
}

/** Files in a folder, and their bytes. */
export function filesIn(path: string): Map<string, number> {
  const found = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    found.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [relative(path, file), statSync(file).size];
    }),
  );
}

/** Number of files with at least these bytes in all. */
export const fileCount = (bytes: number): number => Math.ceil(bytes / FILE_BYTES);

/** Stores a generated history with files. @returns a function that adds messages and reactions of one more day */
export function fill(
  { device }: BackedUpDevice<CachedDevice>,
  { count, fileBytes, seed }: { count: number; fileBytes: number; seed: number },
): () => void {
  const { context, db } = device;
  const random = randomFrom(seed);
  const chats = Array.from({ length: 300 }, (_, chat) => {
    const contact = context.contacts.ensure(personAddress(chat + 1), START);
    return context.conversations.ensure(contact.id, 'accepted', START).id;
  });
  let page: (() => void)[] = [];
  const store = () => {
    db.transaction(() => {
      for (const each of page) each();
    })();
    page = [];
  };
  let number = 0;
  /** @param onStored called with the number of the message */
  const add = (chat: number, content: object, onStored: (id: number) => void = () => undefined) => {
    number += 1;
    const sender = personAddress(chat + 1);
    const [at, uid, seq] = [START + number * 1_000, randomBytes(16), number];
    const body = {
      id: encodeBase64Url(uid),
      sender,
      sentAt: encodeTime(at),
      seq,
      peer: ann.address,
      ...content,
    };
    page.push(() =>
      onStored(
        context.messages.insert({
          ...{ conversationId: chats[chat] ?? 0, sender, uid, body: body as MessageBody },
          ...{ sentAt: at, storedAt: at, state: 'received', trust: 'verified', digest: encodeBase64Url(uid) },
        }),
      ),
    );
    if (page.length === AT_ONCE) store();
  };
  mkdirSync(join(device.folder, 'files'), { recursive: true });
  const contents = Buffer.alloc(FILE_BYTES);
  const addFile = () => {
    const [key, digest] = [encodeBase64Url(randomBytes(32)), encodeBase64Url(randomBytes(32))];
    const attached = { key, digest, size: FILE_SIZE, mediaType: 'video/mp4', name: 'a.mp4' };
    add(0, { kind: 'attachment', files: [attached] }, (messageId) => {
      const [id = 0] = context.files.add({ id: messageId, conversationId: chats[0] ?? 0 }, [attached]);
      randomFillSync(contents);
      writeFileSync(join(device.folder, 'files', String(id)), contents);
      context.files.setDownloaded(id, 'video/mp4');
    });
  };
  // Thousands of commits that wait for the disk would take as long as the rest.
  storingFast(db, () => {
    for (const { chat, text } of historyOf(count, random, vocabularyOf(random)))
      add(chat, { kind: 'text', text });
    for (let file = 0; file < fileCount(fileBytes); file++) addFile();
    store();
  });
  return () => {
    for (let added = 0; added < 100; added++) add(0, { kind: 'text', text: 'One more message of this day' });
    for (let reacted = 0; reacted < 10; reacted++)
      page.push(() =>
        context.annotations.setReaction(
          1 + Math.floor(random() * count),
          { by: 'person', address: ann.address },
          ['👍'],
          { sentAt: encodeTime(LATER), id: encodeBase64Url(randomBytes(16)), sender: ann.address },
        ),
      );
    store();
  };
}
