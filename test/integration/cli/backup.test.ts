/** Search, export and check of a backup of the app, by the command. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackupHistory } from '../../../src/archive/backup-history.ts';
import { HistoryRecord } from '../../../src/archive/history-records.ts';
import { searchBackup } from '../../../src/archive/search-backup.ts';
import { parseQuery } from '../../../src/base/search-query.ts';
import type { MessageBody } from '../../../src/messaging/sending/outgoing.ts';
import { CHUNK_BYTES } from '../../../src/protocol/blob/layout.ts';
import { BlobWriter } from '../../../src/protocol/blob/stream.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { type BackedUpDevice, backUp } from '../../support/backups.ts';
import { type CachedDevice, idOf, receiveBody } from '../../support/cached-device.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { type Act, ann, ben, HistoryWriter, LATER, openAnn } from '../../support/history.ts';
import { answer, waxwing } from '../../support/waxwing-command.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const backup = at('a.waxwing-backup');
const PASSPHRASE = 'a long passphrase';
const secret = { input: PASSPHRASE };
/** Longer than one piece of a backup. */
const picture = Buffer.alloc(1_500_000, 'a picture ');

const text = (chat: Act['chat'], by: number, words: string, expires: number | null = null): Act => ({
  ...{ is: 'text', chat, by, expires },
  text: words,
});
const ACTS: readonly Act[] = [
  text('ben', 1, 'The train to München leaves at nine'),
  text('ben', 0, 'I take the train at ten <b>then</b>'),
  text('ben', 1, 'Secret of a day', 86_400),
  text('ben', 1, 'A word that was edited away: sparrow'),
  { is: 'edit', chat: 'ben', by: 1, on: 3, text: 'A word that stands: blackbird' },
  text('ben', 1, 'deleted goldfinch'),
  { is: 'delete', chat: 'ben', by: 1, on: 4 },
  text('cat', 1, 'พรุ่งนี้ 明日は晴れ 👍🏽 مرحبا'),
  text('cat', 1, 'hidden with its chat'),
  text('group', 1, 'bring **tea**, and w**or**ds'),
  text('group', 1, 'A train of thoughts\n2026-01-01 00:00:00  forged head'),
  { is: 'late', chat: 'ben', by: 1, text: 'late in München' },
  { is: 'nickname', chat: 'ben', by: 0, name: 'Benny' },
];

let device: BackedUpDevice<CachedDevice>;
beforeAll(async () => {
  let clock = LATER;
  device = backUp(openAnn(() => clock));
  const writer = new HistoryWriter(device.device, (time) => {
    clock = time;
  });
  for (const act of ACTS) writer.do(act);
  clock += 60_000;
  attach(device.device, clock);
  clock = LATER;
  await device.backups.make(backup, { passphrase: PASSPHRASE, walletKey: null });
});
afterAll(async () => {
  await device[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A picture of Ben with the bytes of its blob. */
function attach({ context, folder: cache }: CachedDevice, time: number): void {
  const key = new Uint8Array(32).fill(9);
  const writer = new BlobWriter(key, picture.length);
  const chunks = Array.from({ length: writer.layout.chunks }, (_, index) =>
    writer.push(picture.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)),
  );
  const file = {
    ...{ key: encodeBase64Url(key), digest: encodeBase64Url(writer.finish().digest), size: picture.length },
    ...{ mediaType: 'image/png', name: 'Train station.png' },
  };
  const body = {
    ...{ id: idOf(900), sender: ben.address, peer: ann.address, sentAt: encodeTime(time), seq: 900 },
    ...{ kind: 'attachment', files: [file], caption: 'where we meet' },
  };
  context.transaction(() => receiveBody(device.device, body as unknown as MessageBody, time));
  const [id = 0] = context.files.ids();
  mkdirSync(join(cache, 'files'), { recursive: true });
  writeFileSync(
    join(cache, 'files', String(id)),
    Buffer.concat(chunks.map((chunk) => new Uint8Array(chunk))),
  );
  context.files.setDownloaded(id, 'image/png');
}

/** Texts that a search prints, newest first. */
async function found(...words: string[]): Promise<string[]> {
  const { code, stdout } = await waxwing(['search', '--backup', backup, '--json', ...words], secret);
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { text: string }).text);
}

const [MORNING, LATE] = ['The train to München leaves at nine', 'late in München'];

test.each<[string, string[], string[]]>([
  [
    'a part of a word',
    ['rain'],
    [
      'where we meet',
      'A train of thoughts\n2026-01-01 00:00:00  forged head',
      'I take the train at ten <b>then</b>',
      MORNING,
    ],
  ],
  ['case and accents', ['MUNCHEN'], [LATE, MORNING]],
  ['two words', ['train', 'nine'], [MORNING]],
  ['exact words', ['"leaves at"'], [MORNING]],
  ['Thai', ['รุ่ง'], ['พรุ่งนี้ 明日は晴れ 👍🏽 مرحبا']],
  ['one character of Japanese', ['晴'], ['พรุ่งนี้ 明日は晴れ 👍🏽 مرحبا']],
  ['Arabic', ['رحب'], ['พรุ่งนี้ 明日は晴れ 👍🏽 مرحبا']],
  ['an own message', ['from:me', 'train'], ['I take the train at ten <b>then</b>']],
  ['a sender by nickname', ['from:benny', 'munchen'], [LATE, MORNING]],
  ['a chat', ['in:benny', 'train', 'has:picture'], ['where we meet']],
  ['the text after an edit', ['blackbird'], ['A word that stands: blackbird']],
  ['the text before an edit', ['sparrow'], []],
  ['a deleted message', ['goldfinch'], []],
  ['words across formatting marks', ['tea,', 'words'], ['bring **tea**, and w**or**ds']],
  ['the marks themselves', ['"**tea**, and"'], ['bring **tea**, and w**or**ds']],
  ['a day in the future', ['after:2199-01-01'], []],
])('search finds by %s what the app finds', async (_, words, texts) => {
  expect(await found(...words)).toEqual(texts);
});

test('a message is not found once its time is over', async () => {
  await using history = await BackupHistory.open(backup, { passphrase: PASSPHRASE, walletKey: null });
  const textsAt = async (now: number) => {
    const found: unknown[] = [];
    for await (const { content } of searchBackup(history, parseQuery('secret'), now))
      found.push(content.text);
    return found;
  };
  expect(await textsAt(LATER - 20 * 86_400_000)).toEqual(['Secret of a day']);
  expect(await textsAt(LATER + 400 * 86_400_000)).toEqual([]);
});

test('a line of a search shows the text without marks', async () => {
  const { stdout } = await waxwing(['search', '--backup', backup, 'tea, and'], secret);
  expect(stdout).toMatch(/\n {4}bring tea, and w\*\*or\*\*ds\n$/);
});

test('the lines of a search cannot be imitated by a text', async () => {
  const { stdout } = await waxwing(['search', '--backup', backup, 'thoughts'], secret);
  expect(stdout).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Benny {2}in .+\n {4}A train of thoughts 2026.*\n$/,
  );
});

test('an export has pages, files and records, and the records can be imported', async () => {
  const target = at('chat');
  const sums = await answer(['export', '--backup', backup, '--chat', 'benny', target], secret);
  expect(sums).toMatchObject({ chats: 1, messages: 6, files: 1 });
  const html = readFileSync(join(target, 'messages.html'), 'utf8');
  const order = ['leaves at nine', '&#60;b&#62;then', 'late in', 'blackbird', 'Train%20station.png'];
  expect(html).not.toMatch(/sparrow|goldfinch|Secret|<b>then/);
  const places = [...order].map((part) => html.indexOf(part));
  expect(places).not.toContain(-1);
  expect(readdirSync(join(target, 'files'))).toEqual(['1 Train station.png']);
  expect(readFileSync(join(target, 'files', '1 Train station.png')).equals(picture)).toBe(true);
  const records = readFileSync(join(target, 'messages.jsonl'), 'utf8').trimEnd().split('\n');
  const parsed = records.map((line) => HistoryRecord.parse(JSON.parse(line)));
  expect(parsed[0]).toMatchObject({ type: 'account', address: ann.address });
  // In the order of the timeline of the app.
  const chat = device.device.context.own.find(ben.address);
  const timeline = device.device.context.timelines.before(chat?.id ?? 0, null, 100);
  const lasting = timeline.filter(({ lifetime }) => lifetime === null).map(({ uid }) => uid);
  expect(parsed.flatMap((each) => (each.type === 'message' ? [each.id] : []))).toEqual(lasting);
  if (process.platform !== 'win32') expect(statSync(join(target, 'messages.jsonl')).mode & 0o777).toBe(0o600);
});

test('an export of all chats has a folder for each, and an existing export is not replaced', async () => {
  const target = at('all');
  const args = ['export', '--backup', backup, '--format', 'json', target];
  expect(await waxwing(args, secret)).toMatchObject({ code: 0 });
  const folders = readdirSync(target);
  expect(folders).toHaveLength(3);
  expect(folders.every((name) => existsSync(join(target, name, 'messages.jsonl')))).toBe(true);
  expect(await waxwing(args, secret)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not empty'),
  });
});

/** A folder on a disk of its own, until the end of the test; null where this process may not mount one. */
function smallDisk(name: string, bytes: number): (Disposable & { path: string }) | null {
  const path = at(name);
  mkdirSync(path);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', path]);
  if (status !== 0) return null;
  return { path, [Symbol.dispose]: () => void spawnSync('umount', [path]) };
}

test('on a full disk an export ends with the reason, and no half file has its name', async ({ skip }) => {
  using disk = smallDisk('small', 1_000_000);
  if (!disk) return skip('a disk cannot be mounted here');
  const target = join(disk.path, 'chat');
  const args = ['export', '--backup', backup, '--chat', 'benny'];
  expect(await waxwing([...args, target], secret)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The disk of ${target} is full. The export there is incomplete: remove it, make room, and export again.\n`,
  });
  expect(readdirSync(target, { recursive: true })).toEqual(['files']);
  rmSync(target, { recursive: true });
  const records = [...args, '--format', 'json', target];
  expect(await waxwing(records, secret)).toMatchObject({ code: 0 });
  expect(readdirSync(target)).toContain('messages.jsonl');
});

test('the newest backup of a folder is searched, and a folder without one is refused', async () => {
  const parent = at('automatic');
  mkdirSync(parent);
  const search = ['search', '--backup', parent, 'nine'];
  expect(await waxwing(search, secret)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no backup'),
  });
  await device.backups.setFolder(parent, { passphrase: PASSPHRASE, walletKey: null });
  await device.backups.makeInFolder();
  expect(await waxwing(search, secret)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('leaves at nine'),
  });
});

test('a whole backup is verified, and one with a flipped bit is refused by each command', async () => {
  const file = at('passphrase');
  writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 });
  const facts = await answer(['backup', 'verify', backup, '--passphrase-file', file]);
  expect(facts).toMatchObject({ messages: 11, files: 1 });
  const bytes = readFileSync(backup);
  const damaged = at('damaged.waxwing-backup');
  const flip = (place: number) => {
    const copy = Buffer.from(bytes);
    copy[place] = (copy[place] ?? 0) ^ 1;
    writeFileSync(damaged, copy);
  };
  const refused = { code: 1, stdout: '', stderr: 'The backup is damaged. Use another copy of it.\n' };
  // The header, the first block, the middle, which is of the picture, and the trailer.
  for (const place of [30, 3_000, bytes.length >> 1, bytes.length - 25]) {
    flip(place);
    expect(await waxwing(['backup', 'verify', damaged], secret)).toEqual(refused);
  }
  flip(bytes.length - 25);
  expect(await waxwing(['search', '--backup', damaged, 'train'], secret)).toEqual(refused);
  // Only its picture is damaged.
  flip(bytes.length >> 1);
  const exported = ['export', '--backup', damaged, '--chat', 'benny', at('damaged')];
  expect(await waxwing(exported, secret)).toEqual(refused);
  expect(readdirSync(at('damaged'), { recursive: true })).toEqual(['files']);
});

test.each<[string, string[], string, RegExp, number]>([
  ['a wrong passphrase', ['backup', 'verify', backup], 'another passphrase', /does not open the backup/, 3],
  ['no passphrase', ['backup', 'verify', backup], '', /No passphrase given/, 2],
  ['no words', ['search', '--backup', backup, ' '], PASSPHRASE, /No words given/, 2],
  ['no file', ['search', '--backup', at('nothing'), 'a'], PASSPHRASE, /cannot be read/, 1],
  ['no file, before a passphrase', ['search', '--backup', at('nothing'), 'a'], '', /cannot be read/, 1],
  ['no file for an export', ['export', '--backup', at('nothing'), at('never')], '', /cannot be read/, 1],
  ['no file to verify', ['backup', 'verify', at('nothing')], '', /cannot be read/, 1],
  ['another file, before a passphrase', ['backup', 'verify', import.meta.filename], '', /not a backup/, 2],
  [
    'a folder without a backup, before a passphrase',
    ['backup', 'verify', import.meta.dirname],
    '',
    /no backup/,
    2,
  ],
  ['another file', ['backup', 'verify', import.meta.filename], PASSPHRASE, /not a backup/, 2],
  [
    'an unknown chat',
    ['export', '--backup', backup, '--chat', 'zoe', at('none')],
    PASSPHRASE,
    /no chat named zoe/,
    5,
  ],
  [
    'an unclear chat',
    ['export', '--backup', backup, '--chat', '0x', at('two')],
    PASSPHRASE,
    /no chat named 0x/,
    5,
  ],
])('%s is refused with a sentence', async (_, args, input, sentence, code) => {
  const outcome = await waxwing(args, { input });
  expect(outcome.stderr).toMatch(sentence);
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).not.toContain('storks');
});
