/**
 * Backup and restore of a generated history of three sizes, with files: time beside copying the same bytes with a sync, the longest
 * slice of the engine's thread. Then an automatic backup of all, and one after 100 new messages and 10 reactions to old ones: the
 * written bytes depend on the change, not on the size.
 *
 *   node bench/backup.ts [messages] [megabytes of files] [seed]
 */

import { randomBytes, randomFillSync } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { randomFrom } from '../dev/random.ts';
import type { BackupSecrets } from '../src/archive/keys.ts';
import type { MessageBody } from '../src/messaging/sending/outgoing.ts';
import { encodeBase64Url, encodeTime } from '../src/protocol/encoding.ts';
import { backUp } from '../test/support/backups.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { ann, openAnn } from '../test/support/history.ts';
import { personAddress, START } from '../test/support/search-cache.ts';
import { AT_ONCE, storingFast } from './support/fast-store.ts';
import { historyOf, vocabularyOf } from './support/history.ts';
import { isSmoke, Report, sizeOf } from './support/report.ts';

const most = sizeOf(0, 100_000, 500);
const megabytes = sizeOf(1, 500, 10);
const seed = sizeOf(2, 1, 1);
const report = new Report(
  'Backup and restore of a history with files, beside copying the same bytes with a sync',
);
const MEGABYTE = 1024 * 1024;
const FILE_BYTES = 5 * MEGABYTE;
const SECRETS: BackupSecrets = { passphrase: null, walletKey: randomBytes(32) };
const LATER = START + 10 * 365 * 86_400_000;

interface Timed {
  seconds: number;
  /** Of processor time, of all threads. */
  processor: number;
  /** The longest wait of another call meanwhile, in milliseconds. */
  longest: number;
}

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const before = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / 1000;
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  return { seconds, processor: (user + system) / 1e6, longest: delay.max / 1e6 };
}

/** Copies a file in pieces of a megabyte, and syncs it. */
async function copy(from: string, to: string): Promise<void> {
  const [source, target] = [await open(from, 'r'), await open(to, 'w')];
  const piece = Buffer.alloc(MEGABYTE);
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, piece.length);
    if (bytesRead === 0) break;
    await target.write(piece, 0, bytesRead);
  }
  await target.sync();
  await source.close();
  await target.close();
}

/** Files in a folder, and their bytes. */
function filesIn(path: string): Map<string, number> {
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stats = statSync(join(path, name));
    return [name, stats.isFile() ? stats.size : 0] as const;
  });
  return new Map(found);
}

async function measure(count: number, fileBytes: number): Promise<void> {
  using folder = temporaryFolder();
  await using source = backUp(openAnn(() => LATER));
  await using target = backUp(openAnn(() => LATER));
  const { context, db } = source.device;
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
  const add = (chat: number, text: string) => {
    number += 1;
    const sender = personAddress(chat + 1);
    const [at, uid, seq] = [START + number * 1_000, randomBytes(16), number];
    const body = {
      id: encodeBase64Url(uid),
      sender,
      sentAt: encodeTime(at),
      seq,
      peer: ann.address,
      kind: 'text',
      text,
    };
    page.push(() =>
      context.messages.insert({
        ...{ conversationId: chats[chat] ?? 0, sender, uid, body: body as MessageBody },
        ...{ sentAt: at, storedAt: at, state: 'received', trust: 'verified', digest: encodeBase64Url(uid) },
      }),
    );
    if (page.length === AT_ONCE) store();
  };
  storingFast(db, () => {
    for (const { chat, text } of historyOf(count, random, vocabularyOf(random))) add(chat, text);
    store();
  });
  mkdirSync(join(source.device.folder, 'files'), { recursive: true });
  const contents = Buffer.alloc(FILE_BYTES);
  for (let file = 0; file * FILE_BYTES < fileBytes; file++) {
    const [key, digest] = [encodeBase64Url(randomBytes(32)), encodeBase64Url(randomBytes(32))];
    const attached = { key, digest, size: FILE_BYTES - 1000, mediaType: 'video/mp4', name: 'a.mp4' };
    const [id = 0] = context.files.add({ id: 1 + file, conversationId: chats[0] ?? 0 }, [attached]);
    randomFillSync(contents);
    const handle = await open(join(source.device.folder, 'files', String(id)), 'w');
    await handle.writeFile(contents);
    await handle.close();
    context.files.setDownloaded(id, 'video/mp4');
  }
  const path = join(folder.path, 'a.waxwing-backup');
  const made = await timed(() => source.backups.make(path, SECRETS));
  const { size } = statSync(path);
  const copied = await timed(() => copy(path, join(folder.path, 'copy')));
  rmSync(join(folder.path, 'copy'));
  await source.backups.setFolder(folder.path, SECRETS);
  const inFolder = () => source.backups.makeInFolder();
  const whole = await timed(inFolder);
  const before = filesIn(source.backups.state.folder?.path ?? '');
  for (let added = 0; added < 100; added++) add(0, 'One more message of this day');
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
  const incremental = await timed(inFolder);
  const { problem } = source.backups.state.folder ?? {};
  if (problem) throw new Error(problem.code);
  // Blocks that only the backup before had are removed: it was made on the same day.
  const written = [...filesIn(source.backups.state.folder?.path ?? '')]
    .filter(([name]) => !before.has(name))
    .reduce((sum, [, bytes]) => sum + bytes, 0);
  const restored = await timed(() => target.backups.restore(path, SECRETS));
  const name = `${count} messages and ${Math.round(fileBytes / MEGABYTE)} MB of files`;
  report.ratio(
    `${name}: backup with verification, of the speed of copying`,
    [copied.seconds / made.seconds],
    {
      atLeast: 0.5,
    },
  );
  report.ratio(`${name}: backup, of the processor time of copying`, [copied.processor / made.processor]);
  report.figure(`${name}: size`, 'MB', [size / MEGABYTE]);
  report.figure(`${name}: backup`, 's', [made.seconds]);
  report.figure(`${name}: longest wait of another call during a backup`, 'ms', [made.longest], {
    atMost: 15,
  });
  report.ratio(`${name}: automatic backup after a change, of one of all`, [
    incremental.processor / whole.processor,
  ]);
  report.figure(`${name}: written by an automatic backup after a change`, 'MB', [written / MEGABYTE]);
  report.figure(`${name}: restore`, 'messages a second', [count / restored.seconds]);
  report.figure(`${name}: longest wait of another call during a restore`, 'ms', [restored.longest], {
    atMost: 15,
  });
}

for (const part of [100, 10, 1])
  await measure(Math.max(isSmoke ? 50 : 500, Math.floor(most / part)), (megabytes * MEGABYTE) / part);
report.finish();
