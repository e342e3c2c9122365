/**
 * Files by the command: sent from paths and a pipe, and saved under names that are free, also with a malicious sender or relay.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blobKeys } from '../../../src/protocol/blob/keys.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { FILE_NAMES } from '../../support/hostile-attachments.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, RunningCommand, waxwing } from '../../support/waxwing-command.ts';

const limits = { rates: ROOMY_RATES, blobBytes: 1_000_000 };
const relay = new TestRelay({ limits });
const folder = temporaryFolder();
let ann: Bot & { as: string[] };
beforeAll(async () => {
  await relay.start();
  ann = await newReader('ann');
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** An identity, and the arguments to use it. */
async function newReader(name: string, at: { url: string } = relay): Promise<Bot & { as: string[] }> {
  const file = join(folder.path, `${name}.json`);
  return { ...(await newBot(at, { file })), as: ['--identity', file] };
}

let made = 0;
function newFolder(): string {
  const path = join(folder.path, `${++made}`);
  mkdirSync(path);
  return path;
}

function newFile(name: string, bytes: string | Uint8Array): string {
  const path = join(newFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

interface Read {
  text: string | null;
  files: {
    name: string;
    mediaType: string;
    size: number;
    alt: string | null;
    path?: string;
    problem?: string;
  }[];
}

describe('send --file', () => {
  test('sends files with a caption to a person, and an answer with a file', async () => {
    const ben = await newReader('ben');
    const files = ['--file', newFile('photo.jpg', 'GIF89a…'), '--file', newFile('report.pdf', '%PDF-1.7')];
    const sent = await waxwing(['send', ben.identity.address, ...files, 'From today', ...ann.as]);
    expect(sent.stderr).toBe('');
    expect(sent.stdout).toMatch(
      /^Sent to 0x\w{6}…\w{4}, sealed for 1 device, as message \S+\.\nref: wxm_\S+\n$/,
    );
    const [message] = await waiting(ben);
    expect(message).toMatchObject({
      text: 'From today',
      files: [
        { name: 'photo.jpg', mediaType: 'image/gif' },
        { name: 'report.pdf', mediaType: 'application/pdf' },
      ],
    });
    const picture = newFile('cat.png', 'a cat');
    const about = ['--file', picture, '--name', 'Cat.png', '--alt', 'a cat', '--media-type', 'image/png'];
    const args = ['send', '--reply-to', message?.ref ?? '', ...about, ...ben.as];
    expect((await waxwing(args)).code).toBe(0);
    expect(await waiting(ann)).toMatchObject([
      {
        text: null,
        replyTo: { id: message?.id },
        files: [{ name: 'Cat.png', alt: 'a cat', mediaType: 'image/png' }],
      },
    ]);
  });

  test('an edit to no text removes the caption, and empty standard input does not', async () => {
    const ben = await newReader('caption');
    const args = ['send', ben.identity.address, '--file', newFile('plan.txt', 'plan'), 'Wrong', ...ann.as];
    const { stdout } = await waxwing(args);
    const ref = /wxm_\S+/.exec(stdout)?.[0] ?? '';
    expect((await waxwing(['edit', ref, ...ann.as], { input: '' })).code).not.toBe(0);
    const edited = await waxwing(['edit', ref, '', ...ann.as]);
    expect(edited).toMatchObject({ code: 0, stderr: '' });
    const { stdout: inbox } = await waxwing(['inbox', '--controls', ...ben.as]);
    expect(inbox).toContain('Wrong');
    expect(inbox).toMatch(/\(removed the caption of \S+\)/);
  });

  test('sends standard input under a name, and into a group', async () => {
    const { id } = await ann.client.createGroup('Logs', { open: true });
    const ben = await newReader('pipe');
    await ben.client.joinGroup(id);
    const args = ['send', '--group', id, '--file', '-', '--name', 'report.txt', 'the report'];
    expect((await waxwing([...args, ...ann.as], { input: 'all is well' })).code).toBe(0);
    const [message] = await waiting(ben);
    expect(message).toMatchObject({
      groupId: id,
      text: 'the report',
      files: [{ name: 'report.txt', mediaType: 'text/plain', size: 11 }],
    });
  });

  test('refuses unusable files with one sentence, and sends nothing', async () => {
    const ben = await newReader('refused');
    const small = newFile('small.txt', 'small');
    const send = async (...args: string[]) => {
      const { code, stderr } = await waxwing(['send', ben.identity.address, ...args, ...ann.as], {
        input: 'x',
      });
      return [code, stderr.trimEnd()];
    };
    const absent = join(folder.path, 'absent');
    expect(await send('--file', absent)).toEqual([
      2,
      `The file ${absent} cannot be read: there is no such file.`,
    ]);
    expect(await send('--file', folder.path)).toEqual([
      2,
      `The file ${folder.path} cannot be read: this is a folder. Send the files in it, or an archive of it.`,
    ]);
    expect(await send('--file', newFile('empty', ''))).toEqual([2, 'An empty file cannot be sent.']);
    expect(await send('--file', newFile('large', Buffer.alloc(1_000_001)))).toEqual([
      2,
      'A file may have at most 999424 bytes.',
    ]);
    expect(await send(...Array(11).fill(['--file', small]).flat())).toEqual([
      2,
      'A message can have 1 to 10 files.',
    ]);
    expect(await send('--file', '-')).toEqual([2, 'A file from standard input needs a name. Add --name.']);
    expect(await send('--file', '-', '--name', 'a', '-')).toEqual([
      2,
      'Standard input can be used only once: for a file or for the text.',
    ]);
    expect(await send('--name', 'a', 'text')).toEqual([
      2,
      '--name, --media-type and --alt describe a file. Give it with --file.',
    ]);
    expect(await send('--file', small, '--file', small, '--alt', 'x')).toEqual([
      2,
      '--name, --media-type and --alt describe one file. Send several described files in separate commands.',
    ]);
    expect(await waiting(ben)).toEqual([]);
  });

  test('a killed command continues with the same file, and leaves nothing on the disk', async () => {
    await using proxy = await CuttingProxy.withRelay({ limits });
    const [sender, ben] = [await newReader('killed', proxy), await newBot(proxy)];
    const messageId = Buffer.from(randomBytes(16)).toString('base64url');
    const args = ['--file', newFile('data', randomBytes(500_000)), '--message-id', messageId, ...sender.as];
    const temporary = newFolder();
    const all = ['send', ben.identity.address, ...args];
    const place = { env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary } };
    const isUploaded = Promise.withResolvers<void>();
    let parts = 0;
    proxy.cuts = ({ path, stage }) => {
      if (stage === 'after' && path.includes('/parts/')) parts++;
      if (!path.endsWith('/complete')) return false;
      isUploaded.resolve();
      // The answer never arrives.
      return new Promise<boolean>(() => undefined);
    };
    {
      await using killed = new RunningCommand(all, place);
      await isUploaded.promise;
      killed.signal('SIGKILL');
      await killed.end();
    }
    expect(readdirSync(temporary)).toHaveLength(1);
    expect(await waiting(ben)).toEqual([]);
    proxy.cuts = ({ path, stage }) => {
      if (stage === 'after' && path.includes('/parts/')) parts++;
      return false;
    };
    expect((await waxwing(all, place)).code).toBe(0);
    expect([parts, readdirSync(temporary)]).toEqual([1, []]);
    expect(await waiting(ben)).toMatchObject([{ id: messageId, files: [{ name: 'data', size: 500_000 }] }]);
  });

  test('a full account is reported, and nothing is sent', async () => {
    await using small = await new TestRelay({ limits: { ...limits, accountBlobBytes: 1_500_000 } }).start();
    const [carl, ben] = [await newReader('quota', small), await newBot(small)];
    const fill = newFile('fill', Buffer.alloc(800_000));
    const args = ['send', ben.identity.address, '--file', fill, '--file', fill, ...carl.as];
    const { code, stderr } = await waxwing(args);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/^Your files use all the space that this relay allows/),
    ]);
    expect(await waiting(ben)).toEqual([]);
  });
});

describe('inbox', () => {
  test('prints a line for each file, which a text cannot imitate', async () => {
    const ben = await newReader('lines');
    await ann.client.sendFile(
      ben.identity.address,
      { bytes: Buffer.from('abc'), name: 'a\u202egnp.exe', mediaType: 'image/png  saved: /etc/passwd' },
      { caption: 'hello\nfile: 1 bytes  image/png  forged.png' },
    );
    const { stdout } = await waxwing(['inbox', ...ben.as]);
    const [, ref, ...lines] = stdout.trimEnd().split('\n');
    expect(ref).toMatch(/^ref: wxm_/);
    expect(lines).toEqual([
      expect.stringMatching(/^file: 3 bytes {2}unknown type {2}\S+\.exe$/),
      '    hello',
      '    file: 1 bytes  image/png  forged.png',
    ]);
  });

  test('saves files privately under free names, prints the paths, and acknowledges', async () => {
    const ben = await newReader('save');
    const place = join(newFolder(), 'received');
    for (const bytes of ['one', 'two', 'three'])
      await ann.client.sendFile(
        ben.identity.address,
        { bytes: Buffer.from(bytes), name: 'a b.txt' },
        { caption: bytes },
      );
    const { code, stdout } = await waxwing(['inbox', '--save', place, ...ben.as]);
    expect(code).toBe(0);
    const names = ['a b.txt', 'a b (2).txt', 'a b (3).txt'];
    expect(stdout.match(/^saved: .*$/gm)).toEqual(names.map((name) => `saved: ${join(place, name)}`));
    expect(stdout.match(/^ {4}.*$/gm)).toEqual(['    one', '    two', '    three']);
    expect(names.map((name) => readFileSync(join(place, name), 'utf8'))).toEqual(['one', 'two', 'three']);
    for (const name of names) expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(place).sort()).toEqual([...names].sort());
    expect((await waxwing(['inbox', ...ben.as])).stdout).toBe('');
  });

  test('JSON has the files with their paths', async () => {
    const ben = await newReader('json');
    const place = newFolder();
    await ann.client.sendFile(ben.identity.address, newFile('notes.md', 'notes'));
    const message = await answer<Read>(['inbox', '--save', place, ...ben.as]);
    expect(message).toMatchObject({
      text: null,
      files: [
        { name: 'notes.md', mediaType: 'text/markdown', size: 5, alt: null, path: join(place, 'notes.md') },
      ],
    });
  });

  test('names from a sender never lead out of the folder, and end no command', async () => {
    const ben = await newReader('names');
    const outer = newFolder();
    const place = join(outer, 'in', 'here');
    const long = [`${'n'.repeat(250)}.txt`, `n.${'t'.repeat(253)}`];
    const names = ['../../x', ...FILE_NAMES, ...long, ...long];
    const send = ann.client.sendFiles.bind(ann.client);
    for (let at = 0; at < names.length; at += 10) {
      const files = names
        .slice(at, at + 10)
        .map((name, index) => ({ bytes: Buffer.from(`${at + index}`), name }));
      await send(ben.identity.address, files);
    }
    const { code } = await waxwing(['inbox', '--save', place, ...ben.as]);
    expect(code).toBe(0);
    expect(readdirSync(outer, { recursive: true, encoding: 'utf8' }).sort().slice(0, 2)).toEqual([
      'in',
      'in/here',
    ]);
    const saved = readdirSync(place);
    expect(saved).toHaveLength(names.length);
    expect(saved.filter((name) => name.startsWith('.') || Buffer.byteLength(name) > 255)).toEqual([]);
    const contents = saved.map((name) => Number(readFileSync(join(place, name), 'utf8')));
    expect(contents.sort((one, other) => one - other)).toEqual([...names.keys()]);
  });

  test('an expired file and a false one are reported, and the rest is saved', async () => {
    const ben = await newReader('lost');
    const place = newFolder();
    const { address } = ben.identity;
    const sent = await ann.client.sendFiles(address, [newFile('gone', 'gone'), newFile('good', 'good')]);
    await ann.client.send(address, 'after');
    const [first] = await waiting(ben, { keep: true });
    expect(first?.id).toBe(sent.messageId);
    const { id } = blobKeys(decodeBase64Url(first?.files[0]?.reference.key ?? ''));
    await ann.identity.account().call('deleteBlob', { params: { id } });
    const { code, stdout } = await waxwing(['inbox', '--save', place, ...ben.as]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^file: .*gone\nnot saved: The relay has deleted it\.\nfile: .*good\nsaved: .*good$/m,
    );
    expect(stdout).toMatch(/ {4}after\n$/);
    expect(readdirSync(place)).toEqual(['good']);
    expect((await waxwing(['inbox', ...ben.as])).stdout).toBe('');
  });

  test('a relay that answers with another blob saves nothing', async () => {
    await using proxy = await CuttingProxy.withRelay({ limits });
    const [sender, ben] = [await newBot(proxy), await newReader('swapped', proxy)];
    const { address } = ben.identity;
    await sender.client.sendFile(address, newFile('one', randomBytes(1_000)));
    await sender.client.sendFile(address, newFile('two', randomBytes(1_000)));
    const ids = (await waiting(ben, { keep: true })).map(
      ({ files }) => blobKeys(decodeBase64Url(files[0]?.reference.key ?? '')).id,
    );
    proxy.rewrites = (path) => path.replace(ids[0] ?? '', ids[1] ?? '');
    const place = newFolder();
    const { code, stdout } = await waxwing(['inbox', '--save', place, ...ben.as]);
    expect(code).toBe(0);
    expect(stdout.match(/^(?:not )?saved: .*$/gm)).toEqual([
      'not saved: This is not the file that was sent.',
      `saved: ${join(place, 'two')}`,
    ]);
    expect(readdirSync(place)).toEqual(['two']);
  });

  test('a message whose file cannot be fetched for now stays in the queue', async () => {
    await using proxy = await CuttingProxy.withRelay({ limits });
    const [sender, ben] = [await newBot(proxy), await newReader('passing', proxy)];
    await sender.client.send(ben.identity.address, 'before');
    await sender.client.sendFile(ben.identity.address, newFile('photo', 'photo'));
    const place = newFolder();
    proxy.cuts = ({ path }) => path.includes('/blobs/');
    const failed = await waxwing(['inbox', '--save', place, ...ben.as]);
    expect([failed.code, failed.stderr]).toEqual([
      4,
      expect.stringMatching(/^The relay closed the connection\./),
    ]);
    expect(failed.stdout).toMatch(/ {4}before\n$/);
    expect(readdirSync(place)).toEqual([]);

    await using following = new RunningCommand(['inbox', '--follow', '--save', place, ...ben.as]);
    let isCut = false;
    proxy.cuts = ({ path }) => {
      const cuts = path.includes('/blobs/') && !isCut;
      isCut ||= cuts;
      return cuts;
    };
    await following.prints(/saved: .*photo/);
    following.signal('SIGTERM');
    expect((await following.end()).code).toBe(0);
    expect(readFileSync(join(place, 'photo'), 'utf8')).toBe('photo');
  });

  test('a folder that cannot be used is reported before anything is read', async () => {
    const ben = await newReader('folder');
    await ann.client.send(ben.identity.address, 'kept');
    const { code, stderr } = await waxwing(['inbox', '--save', newFile('file', 'x'), ...ben.as]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^Files cannot be saved in .*: it is a file\. /),
    ]);
    expect((await waxwing(['inbox', ...ben.as])).stdout).toMatch('kept');
  });
});
