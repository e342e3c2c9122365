/**
 * Messages with files by the library, through a real relay: sent from paths, bytes and streams, and continued with the
 * same files after a failure.
 */
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Identity, type Message, mediaTypeOf, RelayClient } from '../../../src/client/index.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { apiKeyOf, newPerson } from '../../support/person.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);
const relay = new TestRelay({ limits: { rates: ROOMY_RATES, blobBytes: 1_000_000 } });
const folder = temporaryFolder();
let [ann, ben]: Bot[] = [];
beforeAll(async () => {
  await relay.start();
  ann = await newBot(relay, { file: join(folder.path, 'ann.json') });
  ben = await newBot(relay);
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
let before: string[] = [];
beforeEach(() => {
  before = leftovers();
});

/** Files of this library in the system's temporary folder. */
const leftovers = () => readdirSync(tmpdir()).filter((name) => /^waxwing-[\w-]{22}$/.test(name));
const sender = () => ann ?? never();
const reader = () => ben ?? never();
const to = () => reader().identity.address;
let made = 0;

function newFile(name: string, bytes: Uint8Array): string {
  const own = join(folder.path, `${++made}`);
  mkdirSync(own);
  const path = join(own, name);
  writeFileSync(path, bytes);
  return path;
}

async function contentsOf(bot: Bot, message: Message | undefined): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for (const { reference } of message?.files ?? []) {
    const target = join(folder.path, `fetched-${++made}`);
    await bot.client.fetchFile(reference, target);
    found.push(readFileSync(target));
  }
  return found;
}

test('a picture arrives with caption, type, name and description, and nothing is left on the disk', async () => {
  const photo = newFile('photo.jpg', PNG);
  const sent = await sender().client.sendFile(to(), photo, {
    caption: 'Our cat, @ben',
    alt: 'a cat',
    mentions: { '@ben': to() },
  });
  const [message] = await waiting(reader());
  expect(message).toMatchObject({
    id: sent.messageId,
    digest: sent.digest,
    kind: 'attachment',
    text: 'Our cat, @ben',
    mentions: [{ address: to(), from: 9, to: 13 }],
    proof: 'signed',
    // Decided by its first bytes, not by its name.
    files: [
      {
        name: 'photo.jpg',
        mediaType: 'image/png',
        type: 'image',
        size: PNG.length,
        alt: 'a cat',
        width: null,
      },
    ],
  });
  const [bytes] = await contentsOf(reader(), message);
  expect(bytes).toEqual(PNG);
  expect(mediaTypeOf(bytes ?? never())).toBe('image/png');
  expect(leftovers()).toEqual(before);
});

test('bytes, a stream and a path are one message, in their order', async () => {
  const large = Buffer.from(randomBytes(300_000));
  await sender().client.sendFiles(to(), [
    { bytes: Buffer.from('a,b'), name: 'table.csv' },
    { stream: Readable.from([large.subarray(0, 100_000), large.subarray(100_000)]), name: 'large.bin' },
    { path: newFile('notes', Buffer.from('notes')), name: '../../notes.txt', mediaType: 'text/x-notes' },
  ]);
  const [message] = await waiting(reader());
  expect(message?.text).toBeNull();
  expect(message?.files).toMatchObject([
    { name: 'table.csv', mediaType: 'text/csv', size: 3, alt: null },
    { name: 'large.bin', mediaType: 'application/octet-stream', size: 300_000 },
    { name: 'notes.txt', mediaType: 'text/x-notes', size: 5 },
  ]);
  expect(await contentsOf(reader(), message)).toEqual([Buffer.from('a,b'), large, Buffer.from('notes')]);
  expect(leftovers()).toEqual(before);
});

test('an answer with a file is quoted, keeps its id, and its caption can be edited and removed', async () => {
  await reader().client.send(sender().identity.address, 'A picture, please', { expires: 3_600 });
  const [question] = await waiting(sender());
  const photo = newFile('photo.png', PNG);
  const first = await sender().client.replyWithFile(question ?? never(), photo, { caption: 'here' });
  const second = await sender().client.replyWithFile(question ?? never(), photo, { caption: 'here' });
  expect(second.messageId).toBe(first.messageId);
  await sender().client.edit(first, 'here it is');
  expect(await waiting(reader(), { controls: true })).toMatchObject([
    { kind: 'attachment', text: 'here', expires: 3_600, replyTo: { id: question?.id } },
    { control: { kind: 'edit', text: 'here it is' }, body: { caption: 'here it is' } },
  ]);
  await sender().client.edit(first, ' ');
  expect(await waiting(reader(), { controls: true })).toMatchObject([
    { control: { kind: 'edit', text: '' }, body: { caption: '' } },
  ]);
  await expect(
    sender().client.edit(await sender().client.reply(question ?? never(), 'Done'), ''),
  ).rejects.toMatchObject({ code: 'message_empty' });
});

test('a group gets files from a member, and from a bot with its token', async () => {
  const { id } = await sender().client.createGroup('Pictures', { open: true });
  await reader().client.joinGroup(id);
  const { secret, botKey } = await sender().client.createBot(id, 'camera');
  const camera = new RelayClient({ relay: relay.url, secret, ...(botKey !== null && { botKey }) });
  await sender().client.sendFileToGroup(id, newFile('one.png', PNG));
  await camera.sendFilesToGroup(id, [newFile('two.png', PNG)], { caption: 'from the door' });
  const messages = await waiting(reader());
  expect(messages).toMatchObject([
    { groupId: id, bot: null, files: [{ name: 'one.png' }] },
    { groupId: id, bot: { name: 'camera' }, text: 'from the door', files: [{ name: 'two.png' }] },
  ]);
  expect(await contentsOf(reader(), messages[1])).toEqual([PNG]);
});

test('an API key without the entitlement for files is refused, and sends nothing', async () => {
  const key = await apiKeyOf(await newPerson(relay), { entitlements: ['directory:read', 'envelopes:send'] });
  const client = new RelayClient({ relay: relay.url, secret: key });
  await expect(client.sendFile(to(), newFile('photo.png', PNG))).rejects.toMatchObject({
    code: 'missing_entitlement',
  });
  expect(await waiting(reader())).toEqual([]);
});

test('a message continues with the same files after a restart, and no part is uploaded again', async () => {
  const file = join(folder.path, 'restarting.json');
  await using proxy = await CuttingProxy.withRelay({ limits: { rates: ROOMY_RATES } });
  await newBot(proxy, { file });
  const target = await newBot(proxy);
  const messageId = Buffer.from(randomBytes(16)).toString('base64url');
  const source = newFile('data.bin', randomBytes(200_000));
  const sendNow = (path: string) => {
    const stop = new AbortController();
    let parts = 0;
    const cutsAt = proxy.cuts;
    proxy.cuts = (exchange) => {
      if (exchange.stage === 'after' && exchange.path.includes('/parts/')) parts++;
      const isCut = cutsAt(exchange);
      if (isCut) stop.abort();
      return isCut;
    };
    const client = new RelayClient({ identity: Identity.open(file) });
    const sending = client.sendFile(target.identity.address, path, { messageId, signal: stop.signal });
    return sending.then(
      () => ({ code: null, parts }),
      ({ code }) => ({ code, parts }),
    );
  };
  const cutAt = (place: string) => {
    proxy.cuts = ({ path, stage }) => stage === 'after' && path.includes(place);
  };
  // The relay stores the part and the envelopes, but both answers are lost.
  cutAt('/complete');
  expect((await sendNow(source)).parts).toBe(1);
  cutAt('/envelopes');
  expect(await sendNow(source)).toEqual({ code: 'relay_hung_up', parts: 0 });

  proxy.cuts = () => false;
  const other = newFile('data.bin', randomBytes(200_000));
  expect((await sendNow(other)).code).toBe('message_differs');
  expect(await sendNow(source)).toEqual({ code: null, parts: 0 });
  const messages = await waiting(target);
  expect(messages).toMatchObject([{ id: messageId, files: [{ name: 'data.bin', size: 200_000 }] }]);
  expect(await contentsOf(target, messages[0])).toEqual([readFileSync(source)]);
  // The journal has neither the key nor the name.
  const journal = readFileSync(`${file}.journal`, 'utf8');
  expect(journal).not.toContain(messages[0]?.files[0]?.reference.key);
  expect(journal).not.toContain('data.bin');
  expect(leftovers()).toEqual(before);
});

test('the same file in two messages, or twice in one, never has the same key', async () => {
  const photo = newFile('photo.png', PNG);
  await sender().client.sendFiles(to(), [photo, photo]);
  await sender().client.sendFile(to(), photo);
  const keys = (await waiting(reader())).flatMap(({ files }) => files.map(({ reference }) => reference.key));
  expect(new Set(keys).size).toBe(3);
});

test('unusable files are refused before anything is sent', async () => {
  const { client } = sender();
  const good = newFile('good.png', PNG);
  const large = newFile('large.bin', Buffer.alloc(1));
  truncateSync(large, 1_000_001);
  const endless = async function* () {
    for (;;) yield Buffer.alloc(100_000);
  };
  for (const [file, code] of [
    [join(folder.path, 'absent'), 'file_unreadable'],
    [folder.path, 'file_unreadable'],
    [newFile('empty', Buffer.alloc(0)), 'file_empty'],
    [large, 'file_too_long'],
    [{ stream: endless(), name: 'endless' }, 'file_too_long'],
    [{ path: good, alt: 'x'.repeat(501) }, 'file_details_malformed'],
  ] as const) {
    await expect(client.sendFiles(to(), [good, file])).rejects.toMatchObject({ code });
  }
  // The padding has to fit, too.
  truncateSync(large, 999_425);
  await expect(client.sendFile(to(), large)).rejects.toMatchObject({ parameters: { most: 999_424 } });
  await expect(client.sendFiles(to(), [])).rejects.toMatchObject({ code: 'too_many_files' });
  await expect(client.sendFiles(to(), Array(11).fill(good))).rejects.toMatchObject({
    code: 'too_many_files',
  });
  await expect(client.sendFile(to(), good, { caption: 'x'.repeat(4_097) })).rejects.toMatchObject({
    code: 'caption_too_long',
  });
  expect(await waiting(reader())).toEqual([]);
  expect(leftovers()).toEqual(before);
});

function never(): never {
  throw new Error('missing');
}
