/**
 * The command line as a developer uses it: from a key in the environment to messages of people, groups and bots.
 */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { apiKeyOf, newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { type Outcome, startWaxwing, waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
const folder = temporaryFolder();
/** Where no identity is, so that the tester's own counts for nothing. */
const nowhere = { XDG_DATA_HOME: folder.path, HOME: folder.path };

/** Runs a command in somebody's name. */
function as(
  who: string | null,
  args: string[],
  env: Record<string, string> = {},
  input?: string,
): Promise<Outcome> {
  const identity = who === null ? {} : { WAXWING_IDENTITY: join(folder.path, `${who}.json`) };
  const all = { ...nowhere, WAXWING_RELAY: relay.url, ...identity, ...env };
  return waxwing(args, { env: all, ...(input !== undefined && { input }) });
}

/** The JSON that a command prints. */
async function jsonOf<T>(outcome: Promise<Outcome>): Promise<T> {
  const { code, said, complained } = await outcome;
  expect([code, complained]).toEqual([0, '']);
  return JSON.parse(said) as T;
}

interface PrintedMessage {
  text: string;
  from: string;
  proof: string;
  groupId: string | null;
}

async function inboxOf(who: string): Promise<PrintedMessage[]> {
  const { code, said } = await as(who, ['inbox', '--json']);
  expect(code).toBe(0);
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PrintedMessage);
}

beforeAll(async () => {
  await relay.start();
  for (const who of ['ann', 'ben', 'cat']) {
    const { code, complained } = await as(who, ['init', '--handle', `${who}_cli`]);
    expect([code, complained]).toEqual([0, '']);
  }
}, 60_000);
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('an identity', () => {
  test('is a file for its owner alone, and is never overwritten', async () => {
    const file = join(folder.path, 'ann.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file);
    const again = await as('ann', ['init', '--handle', 'ann_two']);
    expect(again).toMatchObject({ code: 1, said: '' });
    expect(again.complained).toContain(`There is an identity in ${file} already`);
    expect(readFileSync(file)).toEqual(before);
  });

  test('shows its recovery phrase only when asked, and comes back from it', async () => {
    const silent = await as('dan', ['init', '--json']);
    expect(Object.keys(JSON.parse(silent.said))).toEqual(['address', 'handle', 'relay', 'file']);
    const { phrase, address } = await jsonOf<{ phrase: string; address: string }>(
      as('eve', ['init', '--json', '--show-phrase']),
    );
    expect(phrase.split(' ')).toHaveLength(12);
    const back = await jsonOf<{ address: string }>(
      as('eve_two', ['init', '--json', '--import', '-'], {}, ` ${phrase}\n`),
    );
    expect(back.address).toBe(address);
    const wrong = await as('eve_three', ['init', '--import', '-'], {}, 'these are no words');
    expect(wrong).toMatchObject({ code: 1, said: '' });
    expect(wrong.complained).toContain('Is it spelled right?');
    expect(existsSync(join(folder.path, 'eve_three.json'))).toBe(false);
  });

  test('a handle that is taken can be tried with another, and nothing is lost', async () => {
    const taken = await as('fay', ['init', '--handle', 'ann_cli']);
    expect(taken).toMatchObject({
      code: 1,
      complained: '@ann_cli belongs to somebody else. Choose another.\n',
    });
    const again = await jsonOf<{ handle: string }>(as('fay', ['init', '--handle', '@fay_cli', '--json']));
    expect(again.handle).toBe('fay_cli');
  });

  test.runIf(process.platform !== 'win32')('that others can read is not used', async () => {
    const file = join(folder.path, 'open.json');
    writeFileSync(file, readFileSync(join(folder.path, 'cat.json')), { mode: 0o600 });
    chmodSync(file, 0o644);
    const { code, complained } = await as('open', ['me']);
    expect(code).toBe(1);
    expect(complained).toContain(`chmod 600 ${file}`);
  });
});

test('ten minutes with an API key: me, resolve, keys, send, and the message is there', async () => {
  const person = await newPerson(relay);
  const env = { WAXWING_API_KEY: await apiKeyOf(person) };
  const me = await jsonOf<{ address: string; credential: { type: string } }>(as(null, ['me', '--json'], env));
  expect(me).toMatchObject({ address: person.address, credential: { type: 'api_key' } });
  const ben = await jsonOf<{ address: string }>(as(null, ['resolve', '@ben_cli', '--json'], env));
  const keys = await jsonOf<{ address: string; devices: object[] }>(
    as(null, ['keys', '@ben_cli', '--json'], env),
  );
  expect(keys.address).toBe(ben.address);
  expect(keys.devices).toHaveLength(1);
  // Whoever has not allowed unsigned messages is believed by nobody without a signature.
  const sent = await jsonOf<{ envelopeIds: string[] }>(
    as(null, ['send', ben.address, 'unsigned', '--json'], env),
  );
  expect(sent.envelopeIds.length).toBeGreaterThan(0);
  const refused = await as('ben', ['inbox', '--json']);
  expect(refused.said).toBe('');
  expect(refused.complained).toContain('unsigned, which its sender does not allow (api)');

  const key = await jsonOf<{ secret: string }>(
    as('ann', ['api-keys', 'create', 'job', '--expires', '90', '--json']),
  );
  const job = { WAXWING_API_KEY: key.secret };
  expect((await as(null, ['send', '@ben_cli', 'from a job'], job)).said).toContain('Sent to @ben_cli');
  expect(await inboxOf('ben')).toMatchObject([{ text: 'from a job', proof: 'api' }]);
});

test('a text comes from an argument or a pipe, and arrives as it was, signed', async () => {
  await as('ann', ['send', '@ben_cli', 'as an argument']);
  await as('ann', ['send', '@ben_cli'], {}, 'two\nlines\n');
  await as('ann', ['send', '@ben_cli', '-'], {}, 'with a dash');
  const messages = await inboxOf('ben');
  expect(messages.map(({ text, proof }) => [text, proof])).toEqual([
    ['as an argument', 'signed'],
    ['two\nlines', 'signed'],
    ['with a dash', 'signed'],
  ]);
  expect(await inboxOf('ben'), 'each once').toEqual([]);
});

test('what strangers write cannot move the cursor or turn the writing round', async () => {
  await as('ann', ['send', '@cat_cli', '\u001b[2J\u001b]0;title\u0007red\u202eback\rover']);
  const { said } = await as('cat', ['inbox']);
  expect(said).toContain('@ann_cli  (verified)');
  expect(said).toContain('\\u{1b}[2J\\u{1b}]0;title\\u{7}red\\u{202e}back\\u{d}over');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that none comes through is what is tested
  expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
});

test('a group of three and a bot: each message once, with its proof; a revoked token is refused', async () => {
  for (const who of ['ann', 'ben', 'cat']) await inboxOf(who);
  const { id } = await jsonOf<{ id: string }>(as('ann', ['groups', 'create', 'The CLI group', '--json']));
  for (const who of ['ben', 'cat']) expect((await as(who, ['groups', 'join', id])).code).toBe(0);
  const listed = await jsonOf<{ groups: { id: string }[] }>(
    as('ben', ['groups', 'list', '--mine', '--json']),
  );
  expect(listed.groups.map((group) => group.id)).toEqual([id]);

  const { secret, id: tokenId } = await jsonOf<{ secret: string; id: string }>(
    as('ann', ['groups', 'token', 'create', id, 'bot', '--json']),
  );
  await as('ben', ['send', '--group', id, 'from ben']);
  const bot = { WAXWING_GROUP_TOKEN: secret };
  expect((await as(null, ['send', 'from the bot'], bot)).said).toContain('sealed for 3 devices');
  const texts = async (who: string) =>
    (await inboxOf(who)).map(({ text, proof, groupId }) => [text, proof, groupId]);
  expect(await texts('cat')).toEqual([
    ['from ben', 'signed', id],
    ['from the bot', 'bots', id],
  ]);
  expect(await texts('ben')).toEqual([['from the bot', 'bots', id]]);
  expect(await texts('ann')).toEqual([
    ['from ben', 'signed', id],
    ['from the bot', 'bots', id],
  ]);

  expect((await as(null, ['groups', 'list', '--mine'], bot)).code).toBe(3);
  expect((await as(null, ['send', '--group', 'another', 'x'], bot)).complained).toContain(
    `for the group ${id}`,
  );
  expect((await as('ann', ['groups', 'token', 'list', id])).said).toContain('bot');
  expect((await as('ann', ['groups', 'token', 'revoke', id, tokenId])).code).toBe(0);
  const late = await as(null, ['send', 'too late'], bot);
  expect(late).toMatchObject({ code: 3, said: '' });
  expect((await as('cat', ['groups', 'leave', id])).code).toBe(0);
  expect((await as('cat', ['groups', 'show', id])).code).toBe(3);
});

test('a group with a password takes it from a file', async () => {
  const file = join(folder.path, 'password');
  writeFileSync(file, 'open sesame\n');
  const { id } = await jsonOf<{ id: string }>(
    as('ann', ['groups', 'create', 'Closed', '--password-file', file, '--json']),
  );
  expect((await as('ben', ['groups', 'join', id])).code).toBe(3);
  expect((await as('ben', ['groups', 'join', id, '--password-file', file])).said).toContain('one of 2');
});

describe('what is wrong is said in a sentence, and by the exit code', () => {
  const key = `sk_live_${'A'.repeat(43)}`;
  test.each<[string, string[], Record<string, string>, number, string]>([
    ['no credential', ['me'], {}, 1, 'There is no credential.'],
    ['no relay', ['me'], { WAXWING_RELAY: '', WAXWING_API_KEY: key }, 1, 'Which relay?'],
    [
      'a relay that is none',
      ['me'],
      { WAXWING_RELAY: 'ftp://x', WAXWING_API_KEY: key },
      1,
      'WAXWING_RELAY is no relay',
    ],
    ['a key cut short', ['me'], { WAXWING_API_KEY: key.slice(0, 20) }, 1, 'WAXWING_API_KEY is not whole'],
    ['a token for a key', ['me'], { WAXWING_API_KEY: `gtk_live_${'A'.repeat(43)}` }, 1, 'has to be sk_live_'],
    [
      'both',
      ['me'],
      { WAXWING_API_KEY: key, WAXWING_GROUP_TOKEN: `gtk_live_${'A'.repeat(43)}` },
      1,
      'Unset the one',
    ],
    ['a file that is not there', ['me'], { WAXWING_API_KEY_FILE: '/nowhere/key' }, 1, 'cannot be read'],
    ['an unknown key', ['me'], { WAXWING_API_KEY: key }, 3, 'does not accept this credential'],
    ['nobody there', ['me'], { WAXWING_API_KEY: key, WAXWING_RELAY: 'http://127.0.0.1:9' }, 4, 'relay'],
    ['a secret as an argument', ['me', '--relay', key], {}, 2, 'Secrets do not belong in arguments'],
    ['an identity that is not there', ['me', '--identity', '/nowhere/id.json'], {}, 1, 'waxwing init'],
    ['an inbox without identity', ['inbox'], { WAXWING_API_KEY: key }, 1, 'Receiving needs an identity'],
    ['no recipient', ['send'], { WAXWING_API_KEY: key }, 2, 'To whom?'],
    [
      'too many words',
      ['send', '@ben_cli', 'two', 'words'],
      { WAXWING_API_KEY: key },
      2,
      'too many arguments',
    ],
  ])('%s', async (_, args, env, code, sentence) => {
    const outcome = await as(null, args, env);
    expect(outcome).toMatchObject({ code, said: '' });
    expect(outcome.complained).toContain(sentence);
    expect(outcome.complained).not.toMatch(/should not have happened|\n {4}at /);
    expect(outcome.complained).not.toContain(key.slice(0, 20));
  });

  test.each<[string, string[], number, string]>([
    ['nobody has the handle', ['send', '@nobody_cli', 'x'], 5, 'Nobody has the public handle'],
    ['a mistyped address', ['send', '0x123', 'x'], 1, 'address'],
    ['an address without devices', ['send', `0x${'1'.repeat(40)}`, 'x'], 5, 'no device'],
    ['an empty text', ['send', '@ben_cli', ' '], 1, 'the text is empty'],
    ['a group that is not there', ['groups', 'show', 'nothing'], 5, 'no group'],
    ['a key that is not there', ['api-keys', 'revoke', 'nothing'], 5, 'no API key'],
    [
      'an entitlement that is none',
      ['api-keys', 'create', 'x', '--only', 'everything'],
      2,
      'There are: directory:read',
    ],
  ])('%s', async (_, args, code, sentence) => {
    const outcome = await as('ann', args);
    expect(outcome).toMatchObject({ code, said: '' });
    expect(outcome.complained).toContain(sentence);
  });

  test('with --json, errors are JSON as well', async () => {
    const { code, complained } = await as('ann', ['send', '@nobody_cli', 'x', '--json']);
    expect(code).toBe(5);
    expect(JSON.parse(complained)).toEqual({
      error: { code: 'not_found', message: 'Nobody has the public handle @nobody_cli here.' },
    });
  });

  test('a missing entitlement is named, with where to get it', async () => {
    const { secret } = await jsonOf<{ secret: string }>(
      as('ann', ['api-keys', 'create', 'narrow', '--only', 'directory:read', '--json']),
    );
    const outcome = await as(null, ['send', '@ben_cli', 'x'], { WAXWING_API_KEY: secret });
    expect(outcome).toMatchObject({ code: 3, said: '' });
    expect(outcome.complained).toContain('envelopes:send');
    expect(outcome.complained).toContain('waxwing api-keys create');
  });
});

test('--follow goes on while the relay is away, and ends with Ctrl+C', { timeout: 60_000 }, async () => {
  await inboxOf('ben');
  const env = { ...nowhere, WAXWING_RELAY: relay.url, WAXWING_IDENTITY: join(folder.path, 'ben.json') };
  const following = startWaxwing(['inbox', '--follow', '--json'], env);
  const lines = createInterface(following.stdout)[Symbol.asyncIterator]();
  const nextText = async () => (JSON.parse((await lines.next()).value ?? '{}') as PrintedMessage).text;
  await as('ann', ['send', '@ben_cli', 'before']);
  expect(await nextText()).toBe('before');
  const complaint = createInterface(following.stderr)[Symbol.asyncIterator]().next();
  await relay.stop();
  expect((await complaint).value).toContain('Trying on.');
  await relay.start();
  await as('ann', ['send', '@ben_cli', 'after']);
  expect(await nextText()).toBe('after');
  following.kill('SIGINT');
  const code = await new Promise((resolve) => following.once('close', resolve));
  expect(code).toBe(0);
});

test('completion is a script for the shell, and knows the commands', async () => {
  expect((await waxwing(['completion', 'bash'])).said).toContain('complete -F __waxwing_complete waxwing');
  const { said } = await waxwing(['complete', '--', 'groups', 'token', '']);
  for (const command of ['create', 'list', 'revoke']) expect(said).toMatch(new RegExp(`^${command}\t`, 'm'));
  expect((await waxwing(['completion', 'tcsh'])).code).toBe(2);
});

test('docs/cli.md names every command', async () => {
  const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
  const commandsOf = async (path: string[]): Promise<string[]> => {
    const { said } = await waxwing([...path, '--help']);
    const names = [...said.matchAll(/^ {2}([a-z-]+)(?: \[| <| {2,}|$)/gm)].map(([, name]) => name ?? '');
    return names.filter((name) => name !== 'help');
  };
  const paths = (await commandsOf([])).map((name) => [name]);
  for (const parent of [['groups'], ['groups', 'token'], ['api-keys']]) {
    paths.push(...(await commandsOf(parent)).map((name) => [...parent, name]));
  }
  for (const path of paths) expect(page).toContain(`waxwing ${path.join(' ')}`);
});
