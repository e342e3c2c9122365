/**
 * The example in Python: checked against the published vectors, and run against a relay.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { PYTHON } from '../../support/python-client.ts';
import { TestRelay } from '../../support/relay.ts';

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
if (!PYTHON)
  console.warn('The example in Python is not tested: there is no Python with the package cryptography.');

async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const file = path(`examples/python-send/${program}`);
  const { stdout } = await promisify(execFile)(PYTHON ?? '', ['-B', file, ...args], { env });
  return stdout;
}

describe.skipIf(!PYTHON)('examples/python-send', () => {
  const relay = new TestRelay();
  let ann: Bot;
  let bea: Bot;
  beforeAll(async () => {
    await relay.start();
    ann = await newBot(relay);
    bea = await newBot(relay, { handle: 'bea' });
  });
  afterAll(() => relay[Symbol.asyncDispose]());

  test('seals, pads and writes payloads like the published vectors', async () => {
    const output = await run('check_vectors.py', [path('docs/vectors')]);
    expect(output).toBe('5 sealed copies, 3 payloads: as published.\n');
  });

  test('sends to a person with an API key, and the library opens and verifies it', async () => {
    const env = { WAXWING_RELAY: relay.url, WAXWING_API_KEY: ann.identity.apiKey ?? '' };
    const answer = JSON.parse(await run('send.py', ['@bea', 'Grüße aus Python'], env));
    expect(answer).toMatchObject({ results: [{ status: 'accepted' }] });
    expect(await waiting(bea)).toMatchObject([
      { from: ann.identity.address, text: 'Grüße aus Python', proof: 'api', automated: true },
    ]);
  });

  test('posts into a group with a group token', async () => {
    const { id } = await ann.client.createGroup('Builds', { open: true });
    const { secret } = await ann.client.createBot(id, 'bare', { alone: true });
    const bot = await ann.client.createBot(id, 'ci');
    await bea.client.joinGroup(id);
    const env = { WAXWING_RELAY: relay.url, WAXWING_GROUP_TOKEN: secret };
    const answer = JSON.parse(await run('send.py', ['--unsigned', '--group', id, 'x'.repeat(16_384)], env));
    expect(answer).toMatchObject({ accepted: 2, missing: [], stale: [] });
    expect(await waiting(bea)).toMatchObject([{ groupId: id, text: 'x'.repeat(16_384), proof: 'token' }]);
    const signing = { ...env, WAXWING_GROUP_TOKEN: bot.secret, WAXWING_BOT_KEY: bot.botKey ?? '' };
    await run('send.py', ['--group', id, 'Signed in Python'], signing);
    expect(await waiting(bea)).toMatchObject([
      { text: 'Signed in Python', proof: 'bot', bot: { name: 'ci' } },
    ]);
  });

  test('prints the relay’s error, and missing settings', async () => {
    const env = { WAXWING_RELAY: relay.url, WAXWING_API_KEY: ann.identity.apiKey ?? '' };
    const refused = run('send.py', ['@nobody_there', 'x'], env);
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('not_found: ') });
    const lacking = run('send.py', ['@bea', 'x']);
    await expect(lacking).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('WAXWING_RELAY'),
    });
    const away = run('send.py', ['@bea', 'x'], { ...env, WAXWING_RELAY: 'http://127.0.0.1:1' });
    await expect(away).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The relay http:\/\/127\.0\.0\.1:1 cannot be reached: /),
    });
    const proxy = createServer((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await expect(run('send.py', ['@bea', 'x'], { ...env, WAXWING_RELAY: url })).rejects.toMatchObject({
      code: 1,
      stderr: `The answer of ${url} has the status 502, and is not that of a relay. Check the relay and WAXWING_RELAY.\n`,
    });
    proxy.close();
    // The answer ends in its middle.
    const cut = createServer((_, response) =>
      response.socket?.end('HTTP/1.1 502 Bad Gateway\r\nTransfer-Encoding: chunked\r\n\r\n?\r\n'),
    );
    await once(cut.listen(0, '127.0.0.1'), 'listening');
    const cutUrl = `http://127.0.0.1:${(cut.address() as AddressInfo).port}`;
    await expect(run('send.py', ['@bea', 'x'], { ...env, WAXWING_RELAY: cutUrl })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The answer of .* has the status 502, and is not that of a relay\./),
    });
    cut.close();
    const other = run('send.py', ['@bea', 'x'], { ...env, WAXWING_RELAY: 'relay.example' });
    await expect(other).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has to begin with https://'),
    });
  });
});
