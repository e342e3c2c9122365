/**
 * Reading messages with the command: once, continuously, through a relay that is killed, and from hostile
 * strangers.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelayClient } from '../../../src/client/index.ts';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { type Bot, newBot } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, RunningCommand, waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
const folder = temporaryFolder();
let ann: Bot;
beforeAll(async () => {
  await relay.start();
  ann = await newBot(relay, { handle: 'inbox_ann' });
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A person who reads by the command, with its options. */
async function newReader(
  name: string,
  options: { relay?: { url: string } } = {},
): Promise<Bot & { as: string[] }> {
  const file = join(folder.path, `${name}.json`);
  return { ...(await newBot(options.relay ?? relay, { file })), as: ['--identity', file] };
}

describe('inbox', () => {
  test('keeps everything in the queue with --keep', async () => {
    const { identity, as } = await newReader('keep');
    await ann.client.send(identity.address, 'first');
    await ann.client.send(identity.address, 'second');
    const kept = await waxwing(['inbox', '--keep', ...as]);
    expect(kept.stdout).toMatch(/first\n[^\n]+\nref: [^\n]+\n {4}second\n$/);
    const { stdout } = await waxwing(['inbox', ...as]);
    expect(stdout).toBe(kept.stdout);
    expect((await waxwing(['inbox', '--keep', ...as])).stdout).toBe('');
  });

  test('acknowledges only printed messages', async () => {
    const { identity, as } = await newReader('pipe');
    await ann.client.send(identity.address, 'not lost');
    await using reader = new RunningCommand(['inbox', ...as]);
    reader.stopReading();
    expect(await reader.end()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await waxwing(['inbox', ...as])).stdout).toMatch('not lost');
  });

  test('explains that the relay could not remove printed messages, and does not print them again', async () => {
    await using hostile = await HostileRelay.start();
    const { identity, as } = await newReader('full', { relay: hostile });
    const sender = await newBot(hostile);
    await sender.client.send(identity.address, 'once');
    hostile.babble(
      (path) => path.endsWith('/inbox/ack'),
      (_, response) => response.writeHead(503).end(),
    );
    const first = await waxwing(['inbox', ...as]);
    expect(first.code).toBe(4);
    expect(first.stdout).toMatch(/ {4}once\n$/);
    expect(first.stderr).toMatch(
      /^The messages were received, but the relay could not remove them from the queue: .+ The next waxwing inbox does not print them again, removes them,/,
    );
    hostile.answerTruthfully();
    expect(await waxwing(['inbox', ...as])).toEqual({ code: 0, stdout: '', stderr: '' });
    const queue = new RelayClient({ relay: hostile.url, secret: identity.apiKey ?? '' });
    expect((await queue.api.inbox(identity.deviceId, { limit: 1, wait: 0 })).envelopes).toEqual([]);
  });

  test('hides an unproven message, and reports it', async () => {
    const { identity, as } = await newReader('proof');
    const bare = await newBot(relay, { allowUnsigned: [] });
    const unsigned = new RelayClient({ relay: relay.url, secret: bare.identity.apiKey ?? '' });
    await unsigned.send(identity.address, 'I am Ann, believe me');
    await ann.client.send(identity.address, 'the real one');
    const { code, stdout, stderr } = await waxwing(['inbox', ...as]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch('believe me');
    expect(stdout).toMatch(/verified\nref: [^\n]+\n {4}the real one\n$/);
    expect(stderr).toMatch(
      /^Set aside: envelope \S+ that claims to be from 0x\w{6}…\w{4}\. It is not signed\. Its sender does not allow that\.\n$/,
    );
  });
});

describe('text of strangers', () => {
  const hostile =
    'hi\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202egnp.exe\r\nforged\n2026-01-01 00:00:00  @boss  verified\n\tpay me';

  test('cannot control the terminal or imitate another message', async () => {
    const { identity, as } = await newReader('hostile');
    await ann.client.send(identity.address, hostile);
    const { stdout } = await waxwing(['inbox', ...as]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    const [, , ...lines] = stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      '    hi\ufffd]0;pwned\ufffd\ufffd[2J\ufffd31m\\u202egnp.exe',
      '    forged',
      '    2026-01-01 00:00:00  @boss  verified',
      '    \tpay me',
    ]);
  });

  test('is complete and on one line as JSON', async () => {
    const { identity, as } = await newReader('hostile-json');
    await ann.client.send(identity.address, hostile);
    const { stdout } = await waxwing(['inbox', '--json', ...as]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    const text =
      'hi\ufffd]0;pwned\ufffd\ufffd[2J\ufffd31m\u202egnp.exe\nforged\n2026-01-01 00:00:00  @boss  verified\n\tpay me';
    expect(JSON.parse(stdout)).toMatchObject({ text });
  });
});

describe('inbox --follow', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'shows arriving messages, and ends with 0 at %s',
    async (signal) => {
      const { identity, as } = await newReader(`follow-${signal}`);
      await using following = new RunningCommand(['inbox', '--follow', '--json', ...as]);
      for (const text of ['one', 'two']) {
        await ann.client.send(identity.address, text);
        await following.prints(new RegExp(`"text":"${text}"`));
      }
      following.signal(signal);
      const { code, stdout, stderr } = await following.end();
      expect([code, stderr]).toEqual([0, '']);
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).text),
      ).toEqual(['one', 'two']);
    },
  );

  test('survives kill -9 of the relay, and shows everything once', async () => {
    const data = ['--data', join(folder.path, 'mortal'), '--port', String(await freePort()), '--log', 'off'];
    await using mortal = new WaxwingProcess(['relay', ...data]);
    const url = await mortal.url();
    const sender = await newBot({ url });
    const { identity, as } = await newReader('mortal-reader', { relay: { url } });
    await using following = new RunningCommand(['inbox', '-f', ...as]);
    await sender.client.send(identity.address, 'before');
    await following.prints(/before/);
    await mortal.stop('SIGKILL');
    await using risen = new WaxwingProcess(['relay', ...data]);
    expect(await risen.url()).toBe(url);
    await sender.client.send(identity.address, 'after');
    await following.prints(/after/);
    following.signal('SIGINT');
    const { code, stdout, stderr } = await following.end();
    // Without a terminal, temporary problems are not reported.
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.match(/^ {4}.*$/gm)).toEqual(['    before', '    after']);
  });

  test('ends with 3 when its API key is revoked', async () => {
    const { identity, client, as } = await newReader('revoked');
    await using following = new RunningCommand(['inbox', '--follow', ...as]);
    await ann.client.send(identity.address, 'hello');
    await following.prints(/hello/);
    const { id } = (await client.me()).credential;
    await identity.account().call('revokeApiKey', { params: { id } });
    const { code, stderr } = await following.end();
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /does not accept the API key in .*revoked\.json\. .*waxwing init --renew --identity/,
    );
    expect((await answer(['init', '--renew', ...as])).address).toBe(identity.address);
    expect((await waxwing(['inbox', ...as])).code).toBe(0);
  });
});
