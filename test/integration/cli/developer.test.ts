/**
 * The first ten minutes of a developer, with the command only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toChecksumAddress } from '../../../src/protocol/address.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, ENTRY, environment, waxwing, waxwingProcess } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
const folder = temporaryFolder();
const annFile = join(folder.path, 'ann.json');
const bobFile = join(folder.path, 'bob.json');
let ann: Bot;
let bob: Bot;
let env: Record<string, string>;

beforeAll(async () => {
  await relay.start();
  ann = await newBot(relay, { handle: 'dev_ann', displayName: 'Ann', file: annFile });
  bob = await newBot(relay, { handle: 'dev_bob', file: bobFile });
  env = { WAXWING_RELAY: relay.url, WAXWING_API_KEY: ann.identity.apiKey ?? '' };
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('an API key in the environment sends a message that the other side reads', async () => {
  const me = await waxwingProcess(['me'], { env });
  expect([me.code, me.stderr]).toEqual([0, '']);
  expect(me.stdout).toContain(toChecksumAddress(ann.identity.address));
  expect(me.stdout).toMatch(/^handle +@dev_ann$/m);
  expect(me.stdout).toMatch(/^may +directory:read, envelopes:send/m);
  expect(me.stdout).not.toContain(env.WAXWING_API_KEY);

  const found = await waxwingProcess(['resolve', '@dev_bob'], { env });
  expect(found.stdout).toMatch(`address  ${toChecksumAddress(bob.identity.address)}`);

  const sent = await waxwingProcess(['send', '@dev_bob', 'The build is green.'], { env });
  // One copy for Bob's device, and one for the device that Ann has herself.
  expect(sent.stdout).toMatch(
    /^Sent to @dev_bob, sealed for 2 devices, as message [\w-]{22}\.\nref: wxm_[\w-]+\n$/,
  );

  const inbox = await waxwingProcess(['inbox', '--identity', bobFile]);
  expect([inbox.code, inbox.stderr]).toEqual([0, '']);
  expect(inbox.stdout).toMatch(
    /^\d{4}-\d\d-\d\d [\d:]{8} {2}@dev_ann \(0x\w{6}…\w{4}\) {2}via API\nref: wxm_[\w-]+ {2}id [\w-]{22}\n {4}The build is green\.\n$/,
  );
  expect(await waxwing(['inbox', '--identity', bobFile])).toEqual({ code: 0, stdout: '', stderr: '' });
});

describe('--json prints the answers of the API', () => {
  test('me, resolve and keys', async () => {
    const { address } = bob.identity;
    expect(await answer(['me'], { env })).toMatchObject({
      handle: 'dev_ann',
      credential: { type: 'api_key' },
    });
    expect(await answer(['resolve', 'dev_bob'], { env })).toMatchObject({ handle: 'dev_bob', address });
    expect(await answer(['resolve', toChecksumAddress(address)], { env })).toMatchObject({
      handle: 'dev_bob',
    });
    const keys = await answer<{ deviceKeys: string[] }>(['keys', '@dev_bob'], { env });
    expect(keys).toMatchObject({ address, proven: true, deviceList: { sequence: 1 } });
    expect(keys.deviceKeys).toHaveLength(1);
  });

  test('send and inbox', async () => {
    const sent = await answer(['send', bob.identity.address, 'as JSON', '--request'], { env });
    expect(sent).toMatchObject({
      address: bob.identity.address,
      handle: 'dev_bob',
      devices: 2,
      undelivered: [],
    });
    expect(await answer(['inbox', '--identity', bobFile])).toMatchObject({
      id: sent.messageId,
      from: ann.identity.address,
      fromHandle: 'dev_ann',
      text: 'as JSON',
      proof: 'api',
      asRequest: true,
      automated: true,
    });
  });
});

describe('the text of a message', () => {
  const asAnn = ['--identity', annFile];

  test('is read from standard input without the line break of echo', async () => {
    await waxwingProcess(['send', '@dev_bob', ...asAnn], { input: 'from a\npipe\n' });
    await waxwing(['send', '@dev_bob', '-', ...asAnn], { input: 'from a dash' });
    expect(await waitingTexts(bob)).toEqual(['from a\npipe', 'from a dash']);
  });

  test('is signed by an identity, and marked as typed by a person with --by-hand', async () => {
    await waxwing(['send', '@dev_bob', 'typed', '--by-hand', ...asAnn]);
    expect(await waiting(bob)).toMatchObject([{ text: 'typed', proof: 'signed', automated: false }]);
  });

  test('is shown once, however often it is sent with the same id', async () => {
    const { messageId } = await answer(['send', '@dev_bob', 'once', ...asAnn]);
    await answer(['send', '@dev_bob', 'once', '--message-id', String(messageId), ...asAnn]);
    expect(await waitingTexts(bob)).toEqual(['once']);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'The message is empty.\n'],
    [
      'too much',
      'x'.repeat(70_000),
      'This message is too long: it has 70000 bytes, and the limit is 16384. Send it in parts.\n',
    ],
    ['no text', Uint8Array.of(0xff, 0xfe), 'The message is not text in UTF-8.\n'],
  ])('is refused if it is %s', async (_, input, sentence) => {
    const { code, stderr } = await waxwing(['send', '@dev_bob', ...asAnn], { input });
    expect([code, stderr]).toEqual([2, sentence]);
  });

  test('may have the full length of a message', async () => {
    const text = 'é'.repeat(8_192);
    expect((await waxwing(['send', '@dev_bob', ...asAnn], { input: text })).code).toBe(0);
    expect(await waitingTexts(bob)).toEqual([text]);
  });
});

test('API keys are created, listed and revoked; a secret in a file works until then', async () => {
  const asAnn = ['--identity', annFile];
  const created = await waxwingProcess([
    'api-keys',
    'create',
    'monitor',
    '--entitlement',
    'directory:read',
    '--expires',
    '2d',
    ...asAnn,
  ]);
  expect(created.stdout).toMatch(/^sk_live_[\w-]{43}\n$/);
  const file = join(folder.path, 'key');
  writeFileSync(file, created.stdout, { mode: 0o600 });
  const withFile = { env: { WAXWING_RELAY: relay.url, WAXWING_API_KEY_FILE: file } };
  expect(await answer(['me'], withFile)).toMatchObject({
    credential: { name: 'monitor', entitlements: ['directory:read'] },
  });
  expect((await waxwing(['send', '@dev_bob', 'x'], withFile)).code).toBe(3);

  const { apiKeys } = await answer<{ apiKeys: { id: string; name: string }[] }>([
    'api-keys',
    'list',
    ...asAnn,
  ]);
  const id = apiKeys.find(({ name }) => name === 'monitor')?.id ?? '';
  expect((await waxwing(['api-keys', 'list', ...asAnn])).stdout).toMatch(
    new RegExp(`^${id}  sk_live_[\\w-]{4}… .* monitor `, 'm'),
  );
  expect(await answer(['api-keys', 'revoke', id, ...asAnn])).toEqual({ id, revoked: true });
  const { code, stderr } = await waxwing(['me'], withFile);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    `The relay ${relay.url} does not accept the secret in WAXWING_API_KEY_FILE. It was revoked`,
  );
});

test('revoking the key of the identity itself names the remedy', async () => {
  const file = join(folder.path, 'own.json');
  const { client } = await newBot(relay, { file });
  const { credential } = await client.me();
  const { code, stdout, stderr } = await waxwing(['api-keys', 'revoke', credential.id, '--identity', file]);
  expect([code, stdout, stderr]).toEqual([
    0,
    `Revoked ${credential.id}.\n`,
    `This was the key of the identity itself. To make a new one: waxwing init --renew --identity ${file}\n`,
  ]);
  expect((await waxwing(['me', '--identity', file])).code).toBe(3);
  expect((await waxwing(['init', '--renew', '--identity', file])).code).toBe(0);
  expect((await waxwing(['me', '--identity', file])).code).toBe(0);
});

test('by default a key may find people and send, for 90 days', async () => {
  const asAnn = ['--identity', annFile];
  const days = 90 * 86_400_000;
  const before = Date.now();
  const usual = await answer<{ expiresAt: string }>(['api-keys', 'create', 'usual', ...asAnn]);
  expect(usual).toMatchObject({ entitlements: ['directory:read', 'envelopes:send'] });
  expect(Date.parse(usual.expiresAt)).toBeGreaterThanOrEqual(before + days);
  expect(Date.parse(usual.expiresAt)).toBeLessThanOrEqual(Date.now() + days);
  const lasting = ['api-keys', 'create', 'lasting', '--expires', 'never', ...asAnn];
  expect(await answer(lasting)).toMatchObject({ expiresAt: null });
});

describe.skipIf(!existsSync('/dev/full'))('with its output on a full disk', () => {
  /** Exit code and standard error. */
  async function fails(...args: string[]): Promise<[number | null, string]> {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [ENTRY, ...args], {
      stdio: ['ignore', full, 'pipe'],
      env: environment(),
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await once(child, 'close');
    closeSync(full);
    return [child.exitCode, stderr];
  }

  test('a command fails with the reason', async () => {
    const sentence = 'The output cannot be written: the disk is full.\n';
    expect(await fails('me', '--identity', annFile)).toEqual([1, sentence]);
    expect(await fails('completion', 'bash')).toEqual([1, sentence]);
    expect(await fails('--help')).toEqual([1, sentence]);
    expect(await fails('send', '--help')).toEqual([1, sentence]);
  });

  test('a recovery phrase, which stays in the file of the identity, is not reported as lost', async () => {
    expect(await fails('identity', 'phrase', '--identity', annFile)).toEqual([
      1,
      'The output cannot be written: the disk is full.\n',
    ]);
  });

  test('a lost secret is reported with the id of its key', async () => {
    expect(await fails('api-keys', 'create', 'lost', '--identity', annFile)).toEqual([
      1,
      expect.stringMatching(
        /^API key [\w-]{22} for .*\nThe secret cannot be written: the disk is full\. It is lost: revoke/,
      ),
    ]);
  });
});

test('a secret whose reader has ended is reported as lost, unlike other output', async () => {
  const run = async (...args: string[]): Promise<[number | null, string]> => {
    const child = spawn(process.execPath, [ENTRY, ...args, '--identity', annFile], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await once(child, 'close');
    return [child.exitCode, stderr];
  };
  expect(await run('me')).toEqual([0, '']);
  expect(await run('api-keys', 'create', 'unread')).toEqual([
    1,
    expect.stringContaining('The secret cannot be written: the program that reads it has ended. It is lost:'),
  ]);
});

// On Windows a file has no mode with read permissions.
test.skipIf(process.platform === 'win32')(
  'the file for a secret is closed to others, and an open one is refused',
  async () => {
    const file = join(folder.path, 'redirected');
    const output = openSync(file, 'w', 0o644);
    const args = [ENTRY, 'api-keys', 'create', 'redirected', '--identity', annFile];
    const child = spawn(process.execPath, args, { stdio: ['ignore', output, 'ignore'], env: environment() });
    expect(await once(child, 'exit')).toEqual([0, null]);
    closeSync(output);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const withFile = { env: { WAXWING_RELAY: relay.url, WAXWING_API_KEY_FILE: file } };
    expect(await answer(['me'], withFile)).toMatchObject({ credential: { name: 'redirected' } });
    chmodSync(file, 0o640);
    expect(await waxwing(['me'], withFile)).toEqual({
      code: 3,
      stdout: '',
      stderr: `The secret in ${file} can be read by other accounts of this computer (mode 640). Make it yours alone: chmod 600 ${file}\n`,
    });
  },
);
