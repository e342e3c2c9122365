import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKeyEntitlement } from '../../../src/protocol/credentials.ts';
import { GroupSendResponse } from '../../../src/protocol/schemas/groups.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { recoverSigner } from '../../../src/protocol/wallet.ts';
import { newBot, waiting } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

import { blockIn, newApiKey, open } from './docs.ts';

/** A name with special characters of HTML, JSON and replacements. */
const NAME = 'Test <relay> "$&\\';
const relay = new TestRelay({ name: NAME });
const folder = temporaryFolder();
const apiKeyOf = (person: Person, entitlements?: ApiKeyEntitlement[]) =>
  newApiKey(relay, person, entitlements);
const blockOf = (caption: string) => blockIn(page, caption);
const WELL_FORMED = `sk_live_${'x'.repeat(43)}`;
const program = join(folder.path, 'send.mjs');
let page: string;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  await relay.start();
  [ann, bob] = await Promise.all([newPerson(relay), newPerson(relay)]);
  await relay.call('putHandle', { token: bob.token, body: { handle: 'bob' } });
  page = await (await fetch(relay.url)).text();
  writeFileSync(program, blockOf('send.mjs'));
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function run(secrets: Record<string, string>, ...args: string[]): Promise<unknown> {
  const env = { WAXWING_RELAY: relay.url, ...secrets };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
  return JSON.parse(stdout);
}

test('the program on the page sends a text to a person with an API key', async () => {
  const secret = await apiKeyOf(ann);
  expect(await run({ WAXWING_API_KEY: secret }, '@bob', 'Grüße, “Bob”')).toMatchObject({
    results: [{ status: 'accepted' }],
  });
  const [envelope, ...others] = await bob.inbox();
  expect(others).toEqual([]);
  expect(envelope).toMatchObject({ from: ann.address, via: 'api_key' });
  const { channel, deviceId, body } = open(bob, envelope as InboxEnvelope);
  expect({ channel, deviceId }).toEqual({ channel: 'direct', deviceId: null });
  expect(body).toMatchObject({ kind: 'text', sender: ann.address, peer: bob.address, text: 'Grüße, “Bob”' });
});

test.each([
  ['of a padding bucket', 200],
  ['beyond the buckets', 5_000],
  ['of the largest size', 16_384],
])('the program pads a text %s as the relay wants it', async (_, length) => {
  const reader = await newPerson(relay);
  const handle = `reader_${length}`;
  await relay.call('putHandle', { token: reader.token, body: { handle } });
  await run({ WAXWING_API_KEY: await apiKeyOf(ann) }, `@${handle}`, 'x'.repeat(length));
  const [envelope] = await reader.inbox();
  expect(open(reader, envelope as InboxEnvelope).body).toMatchObject({ text: 'x'.repeat(length) });
});

test('the program on the page posts into a group with a group token', async () => {
  const group = await TestRoster.begin(ann, { name: 'Docs' }, [bob]);
  const { params } = group;
  const { body: token } = await relay.call('createToken', {
    token: ann.token,
    params,
    body: { name: 'Release bot' },
  });
  const secrets = { WAXWING_GROUP_TOKEN: token.secret };
  const answer = await run(secrets, '--unsigned', '--group', group.id, 'Version 2.4 is out');
  expect(GroupSendResponse.parse(answer)).toMatchObject({ accepted: 2, missing: [], stale: [] });
  for (const person of [ann, bob]) {
    const envelope = (await person.inbox()).find(({ groupId }) => groupId === group.id);
    expect(envelope).toMatchObject({ from: ann.address, via: 'group_token' });
    const { channel, body } = open(person, envelope as InboxEnvelope);
    expect(channel).toBe('group');
    const { body: view } = await relay.call('getGroup', { token: ann.token, params });
    expect(body).toMatchObject({
      sender: ann.address,
      groupId: group.id,
      roster: view.roster,
      text: 'Version 2.4 is out',
    });
  }
});

test('a post of the program signed by a bot is shown by its name, and one without a key is refused unsent', async () => {
  const [owner, member] = [await newBot(relay), await newBot(relay)];
  const { id } = await owner.client.createGroup('Signed', { open: true });
  await member.client.joinGroup(id);
  const { secret, botKey } = await owner.client.createBot(id, 'ci');
  const token = { WAXWING_GROUP_TOKEN: secret };
  await run({ ...token, WAXWING_BOT_KEY: botKey ?? '' }, '--group', id, 'Version 2.4 is out');
  expect(await waiting(member)).toMatchObject([
    { text: 'Version 2.4 is out', proof: 'bot', bot: { name: 'ci' } },
  ]);
  await expect(run(token, '--group', id, 'Nobody would see this')).rejects.toThrow('Set WAXWING_BOT_KEY');
  expect(await waiting(member)).toEqual([]);
});

test('the lines for the library write to a person and into a group', async () => {
  const group = await TestRoster.begin(ann, { name: 'Library' }, [bob]);
  const sources = new URL('../../../src/client/index.ts', import.meta.url).href;
  writeFileSync(join(folder.path, 'bot.mjs'), blockOf('bot.mjs').replace("'waxwing'", `'${sources}'`));
  const env = {
    WAXWING_RELAY: relay.url,
    WAXWING_API_KEY: await apiKeyOf(ann, ['directory:read', 'envelopes:send', 'groups:read', 'groups:send']),
    RECIPIENT: 'bob',
    GROUP_ID: group.id,
  };
  const before = (await bob.inbox()).length;
  await promisify(execFile)(process.execPath, [join(folder.path, 'bot.mjs')], { env });
  const texts = (await bob.inbox()).slice(before).map((envelope) => open(bob, envelope).body.text);
  expect(texts).toEqual(['Hello from a program', 'Version 2.4 is out']);
});

test('the program prints the relay’s refusal', async () => {
  const failed = run({ WAXWING_API_KEY: await apiKeyOf(ann) }, '@nobody_there', 'Hello');
  await expect(failed).rejects.toThrow('not_found: ');
});

test.each([
  ['a page', '<h1>Bad gateway</h1>'],
  ['JSON', '{"message":"Bad gateway"}'],
])('the program prints the status of the answer of a proxy with %s', async (_, body) => {
  const proxy = createServer((_request, response) => response.writeHead(502).end(body));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const secrets = { WAXWING_API_KEY: WELL_FORMED, WAXWING_RELAY: url };
  await expect(run(secrets, '@bob', 'Hello')).rejects.toThrow(
    'The answer has the status 502, and is not that of a relay.',
  );
  await promisify(proxy.close.bind(proxy))();
});

test('the program fails if the relay refuses every copy, or cannot be reached', async () => {
  await using full = await new TestRelay({ limits: { queueBytes: 1 } }).start();
  const [cat, dan] = [await newPerson(full), await newPerson(full)];
  await full.call('putHandle', { token: dan.token, body: { handle: 'dan' } });
  const secrets = { WAXWING_API_KEY: await newApiKey(full, cat), WAXWING_RELAY: full.url };
  await expect(run(secrets, '@dan', 'Hello')).rejects.toThrow('The relay refused every copy.');
  const nobody = { ...secrets, WAXWING_RELAY: `http://127.0.0.1:${await freePort()}` };
  await expect(run(nobody, '@dan', 'Hello')).rejects.toThrow('The relay cannot be reached: ');
});

test.each([
  ['no relay', { WAXWING_RELAY: '' }, ['@bob', 'Hello'], 'Set WAXWING_RELAY'],
  ['no credential', {}, ['@bob', 'Hello'], 'Set WAXWING_API_KEY'],
  [
    'a credential that was cut off',
    { WAXWING_API_KEY: 'sk_live_abc' },
    ['@bob', 'Hello'],
    'Set WAXWING_API_KEY',
  ],
  ['no text', { WAXWING_API_KEY: WELL_FORMED }, ['@bob'], 'a text of 1 to 16,384 bytes'],
  [
    'a text that apps would not show',
    { WAXWING_API_KEY: WELL_FORMED },
    ['@bob', 'x'.repeat(16_385)],
    'a text of 1 to 16,384 bytes',
  ],
  ['a text in two arguments', { WAXWING_API_KEY: WELL_FORMED }, ['@bob', 'Hello', 'Bob'], 'Give a handle'],
])('the program that gets %s reports it, and makes no call', async (_, env, args, sentence) => {
  await expect(run(env, ...args)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(sentence),
  });
});

test('the relay serves the protocol and every vector that its page names', async () => {
  const protocol = await fetch(`${relay.url}/protocol.md`);
  expect(protocol.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await protocol.text();
  expect(text).toContain('# The protocol');
  for (const [, path] of text.matchAll(/\]\((\/vectors\/[^)]+)\)/g))
    expect((await fetch(relay.url + path)).status).toBe(200);
  const links = Array.from(page.matchAll(/href="(\/vectors\/[^"]+\.json)"/g), ([, path]) => path);
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) expect(await (await fetch(relay.url + link)).json()).toBeInstanceOf(Object);
  expect((await fetch(`${relay.url}/vectors/..%2Fpackage.json`)).status).toBe(404);
});

test('the page shows the exact signed texts of the login and the device list', () => {
  const address = blockOf('Login text').split('\n')[1] ?? '';
  const signer = (text: string, signature: string) => recoverSigner(blockOf(text), blockOf(signature));
  expect(signer('Login text', 'Signature')).toBe(address.toLowerCase());
  expect(signer('Device list text', 'Signature of the list')).toBe(address.toLowerCase());
});

test('the page shows this relay’s own URL, escapes its name, and is rendered once', async () => {
  expect(page).toContain(`<code>${relay.url}/api/v1</code>`);
  expect(page).toContain('<h1>Test &#60;relay&#62; &#34;$&#38;\\</h1>');
  expect(page).not.toContain('<relay>');
  expect(await (await fetch(relay.url)).text()).toBe(page);
});

test('the OpenAPI document of a running relay has its address', async () => {
  const response = await fetch(`${relay.url}/openapi.json`);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: NAME, contact: { name: NAME, url: relay.url } },
    servers: [{ url: relay.url }],
  });
});
