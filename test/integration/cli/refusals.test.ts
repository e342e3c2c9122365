/**
 * Mistakes of a developer: each has a sentence with a remedy, an exit code, and JSON on request.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bot, newBot } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { TestRelay } from '../../support/relay.ts';
import { waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
const folder = temporaryFolder();
const annFile = join(folder.path, 'ann.json');
const KEY = `sk_live_${'A'.repeat(43)}`;
const TOKEN = `gtk_live_${'A'.repeat(43)}`;
const PERSON = `0x${'1'.repeat(40)}`;
let ann: Bot;
let env: Record<string, string>;
beforeAll(async () => {
  await relay.start();
  ann = await newBot(relay, { handle: 'wrong_ann', file: annFile });
  env = { WAXWING_RELAY: relay.url, WAXWING_API_KEY: ann.identity.apiKey ?? '' };
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Exit code and sentence of a command that fails. */
async function failure(args: string[], more: Record<string, string> = {}): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await waxwing(args, { env: { ...env, ...more } });
  expect(stdout).toBe('');
  return [code, stderr.trimEnd()];
}

describe('a secret in the arguments is refused and not repeated', () => {
  const why =
    'Do not pass secrets as arguments: other programs on this computer can read them, and the shell stores them in its history.';
  test.each<[string[], string]>([
    [['me', '--api-key', KEY], 'Set WAXWING_API_KEY, or put it in a file and set WAXWING_API_KEY_FILE.'],
    [['me', `--api-key=${KEY}`], 'Set WAXWING_API_KEY, or put it in a file and set WAXWING_API_KEY_FILE.'],
    [['send', '--token', TOKEN, 'hi'], 'Set WAXWING_API_KEY or WAXWING_GROUP_TOKEN, or put'],
    [['send', TOKEN, 'hi'], 'Set WAXWING_API_KEY or WAXWING_GROUP_TOKEN, or put'],
    [['groups', 'join', 'x', '--password', 'open'], 'Set WAXWING_GROUP_PASSWORD, or use --password-file.'],
    [['init', '--phrase', 'abandon abandon'], 'Use waxwing init --import FILE, with - for standard input.'],
  ])('%j', async (args, remedy) => {
    const [code, sentence] = await failure(args);
    expect([code, sentence.slice(0, why.length)]).toEqual([2, why]);
    expect(sentence).toMatch(remedy);
    expect(sentence).not.toContain('AAAA');
  });
});

describe('a credential', () => {
  test.each<[string, Record<string, string>, number, RegExp]>([
    [
      'that is not a relay',
      { WAXWING_API_KEY: 'sk_live_short' },
      3,
      /^WAXWING_API_KEY is not an API key: sk_live_ and 43 characters\. Check/,
    ],
    [
      'of the other kind',
      { WAXWING_API_KEY: TOKEN },
      3,
      /^WAXWING_API_KEY has a secret of another kind\. Set WAXWING_GROUP_TOKEN to it, and unset WAXWING_API_KEY\.$/,
    ],
    [
      'that the relay does not know',
      { WAXWING_API_KEY: KEY },
      3,
      /does not accept the secret in WAXWING_API_KEY\. It was revoked, has expired/,
    ],
    [
      'beside another',
      { WAXWING_GROUP_TOKEN: TOKEN },
      3,
      /^Both WAXWING_API_KEY and WAXWING_GROUP_TOKEN are set, and only one can be used\./,
    ],
    [
      'beside an identity',
      { WAXWING_IDENTITY: annFile },
      3,
      /^Both WAXWING_IDENTITY and WAXWING_API_KEY are set\./,
    ],
    [
      'in a file that is not there',
      { WAXWING_API_KEY: '', WAXWING_API_KEY_FILE: '/nonexistent/key' },
      3,
      /^The secret cannot be read from \/nonexistent\/key: there is no such file\.$/,
    ],
    [
      'that is missing',
      { WAXWING_API_KEY: '' },
      3,
      /^No credential found\. Set WAXWING_API_KEY, .* waxwing init\./,
    ],
    ['without a relay', { WAXWING_RELAY: '' }, 2, /WAXWING_RELAY/],
  ])('%s', async (_, more, code, sentence) => {
    expect(await failure(['me'], more)).toEqual([code, expect.stringMatching(sentence)]);
  });

  test('without an entitlement: the sentence names it, and where to get it', async () => {
    const account = ann.identity.account();
    const body = { name: 'narrow', entitlements: ['groups:read' as const] };
    const { secret } = await account.call('createApiKey', { body });
    expect(await failure(['resolve', '@wrong_ann'], { WAXWING_API_KEY: secret })).toEqual([
      3,
      expect.stringMatching(/directory:read.*API settings, or with waxwing api-keys create\.$/),
    ]);
  });
});

describe('a relay', () => {
  test('that does not answer', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await failure(['me', '--relay', nobody])).toEqual([
      4,
      `No relay answers at this address. The relay is ${nobody}. Choose another one with --relay or WAXWING_RELAY.`,
    ]);
  });

  test('that is none', async () => {
    const server = createServer((_, response) => response.end('<h1>It works!</h1>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const [code, sentence] = await failure(['me', '--relay', `http://127.0.0.1:${port}`]);
    server.close();
    expect([code, sentence]).toEqual([
      4,
      expect.stringMatching(/^There is no Waxwing relay at this address\./),
    ]);
  });

  test('that is called by https and has no TLS', async () => {
    const url = relay.url.replace('http:', 'https:');
    expect(await failure(['me', '--relay', url])).toEqual([
      4,
      `The server at this address does not use TLS. If the relay is on this computer, its address begins with http://. The relay is ${url}. Choose another one with --relay or WAXWING_RELAY.`,
    ]);
  });

  test('whose address is invalid, or would expose the traffic', async () => {
    expect((await failure(['me', '--relay', 'ftp://x']))[0]).toBe(2);
    expect(await failure(['me', '--relay', 'http://example.org'])).toEqual([
      2,
      expect.stringMatching('needs https'),
    ]);
    expect(await failure(['me'], { WAXWING_RELAY: 'http://example.org' })).toEqual([
      2,
      expect.stringMatching('WAXWING_RELAY.*needs https'),
    ]);
  });
});

describe('a person', () => {
  test.each<[string[], number, RegExp]>([
    [['resolve', '@wrong_nobody'], 5, /^No account here has the public handle @wrong_nobody\.$/],
    [['send', '@wrong_nobody', 'hi'], 5, /^No account here has the public handle @wrong_nobody\.$/],
    [['keys', `0x${'1'.repeat(40)}`], 5, /has no device that can read a message now\.$/],
    [['send', `0x${'1'.repeat(40)}`, 'hi'], 5, /has no device that can read a message now\.$/],
    [
      ['send', '@wrong_ann', 'hi', '--identity', annFile],
      5,
      /^This is your own address, and it has no other device that can read a message now\.$/,
    ],
    [['resolve', '@No'], 2, /A person is @handle/],
    [
      ['send', 'No!', 'hi'],
      2,
      /^“No!” is not a recipient\. A person is @handle.* set WAXWING_GROUP_TOKEN\.$/,
    ],
    [['resolve', '0x12'], 2, /An address is 0x and 40 hexadecimal digits\./],
    [['resolve', '0x19e7E376E7C213B7E7e7e46cc70A5dD086DAff2A'], 2, /A character may be mistyped/],
    [['send'], 2, /^No recipient given\. Add @handle, an address, or --group with an id\.$/],
    [['send', '@wrong_ann', 'two', 'texts'], 2, /too many arguments/],
    [['send', '@wrong_ann', 'hi', '--group', 'x'], 2, /^With --group there is no other recipient/],
    [['send', 'hi', '--group', 'nonsense'], 5, /^There is no group with this id\.$/],
    [['inbox', '--follow', '--keep', '--identity', annFile], 2, /use only one of them/],
  ])('%j', async (args, code, sentence) => {
    expect(await failure(args)).toEqual([code, expect.stringMatching(sentence)]);
  });
});

test('what is missing comes with the command that shows it', async () => {
  const asAnn = ['--identity', annFile];
  const none = { WAXWING_API_KEY: '' };
  const id = 'A'.repeat(22);
  expect(await failure(['api-keys', 'revoke', id, ...asAnn], none)).toEqual([
    5,
    'You have no API key with this id. waxwing api-keys list shows the ids.',
  ]);
  const group = await ann.client.createGroup('Invited only');
  expect(await failure(['groups', 'token', 'revoke', group.id, id, ...asAnn], none)).toEqual([
    5,
    'This group has no token with this id. waxwing groups token list shows the ids.',
  ]);
  const benFile = join(folder.path, 'ben.json');
  await newBot(relay, { file: benFile });
  expect(await failure(['groups', 'join', group.id, '--identity', benFile], none)).toEqual([
    3,
    expect.stringMatching(/^This group is not open\. .* receive it with waxwing inbox, then join again\./),
  ]);
});

test('keys without their owner’s signature are not shown, and nothing is sent to them', async () => {
  const mallory = await newBot(relay);
  const [honest, forged] = await Promise.all(
    [ann, mallory].map(({ identity }) => ann.client.api.keys(identity.address)),
  );
  // A relay that passes everything on, but puts the keys of Mallory in the place of Ann's.
  const lying = createServer(async (request, response) => {
    const { authorization = '' } = request.headers;
    const answer = await fetch(relay.url + request.url, { headers: { authorization } });
    const isForged = request.url?.includes('/keys/');
    response.setHeader('content-type', 'application/json');
    response.end(isForged ? JSON.stringify({ ...forged, address: honest?.address }) : await answer.text());
  }).listen(0, '127.0.0.1');
  await once(lying, 'listening');
  const address = lying.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  for (const args of [
    ['keys', '@wrong_ann'],
    ['send', '@wrong_ann', 'for Ann alone'],
  ]) {
    expect(await failure([...args, '--relay', url])).toEqual([
      1,
      expect.stringMatching(
        /^The relay’s keys for this person cannot be proven: .* Nothing is sent to them\.$/,
      ),
    ]);
  }
  lying.close();
});

describe('--json prints failures as JSON on standard error', () => {
  test.each<[string[], number, string, string?]>([
    [['sned', '--json'], 2, 'usage'],
    [['send', '--json', '--no-such-option'], 2, 'usage'],
    [['me', '--json', '--api-key', 'x'], 2, 'usage', 'secret_in_arguments'],
    [['groups', 'foo', '--json'], 2, 'usage'],
    [['send', '@wrong_ann', '', '--json'], 2, 'usage', 'message_empty'],
    [['resolve', '@wrong_nobody', '--json'], 5, 'not_found', 'handle'],
    [['send', 'hi', '--group', 'nonsense', '--json'], 5, 'not_found', 'group_not_found'],
    [['inbox', '--json'], 3, 'credential', 'identity_needed'],
    [['me', '--json', '--identity', join(folder.path, 'missing')], 3, 'credential', 'identity_missing'],
  ])('%j', async (args, code, name, reason) => {
    const [ended, stderr] = await failure(args);
    expect(ended).toBe(code);
    const error = { code: name, ...(reason && { reason }), message: expect.stringMatching(/./) };
    expect(JSON.parse(stderr)).toEqual({ error });
  });
});

test.each([
  ['sned', 'send'],
  ['inbx', 'inbox'],
  ['api-key', 'api-keys'],
])('waxwing %s: suggests %s', async (typed, meant) => {
  expect(await failure([typed])).toEqual([2, expect.stringMatching(`Did you mean ${meant}\\?`)]);
});

describe('sending to a wrong address of a relay reports the wait once, and ends with the error', () => {
  const sentences = (problem: string, url: string) =>
    [
      `${problem} Trying the relay ${url} again for some seconds.`,
      `${problem} The relay is ${url}. Choose another one with --relay or WAXWING_RELAY.`,
    ].join('\n');

  test('for a closed port', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const expected = sentences('No relay answers at this address.', url);
    expect(await failure(['send', PERSON, 'hi', '--relay', url])).toEqual([4, expected]);
  });

  test('for another server', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('<html>'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const expected = sentences('There is no Waxwing relay at this address.', url);
    expect(await failure(['send', PERSON, 'hi', '--relay', url])).toEqual([4, expected]);
    const [code, sentence] = await failure(['send', PERSON, 'hi', '--relay', url, '--json']);
    expect([code, JSON.parse(sentence)]).toMatchObject([4, { error: { code: 'unreachable' } }]);
    await promisify(server.close.bind(server))();
  });
});
