import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Identity, type Message } from '../../../src/client/index.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { eventually } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';
import { buildLibrary, newProject, start, typeErrors } from '../../support/programs.ts';
import { TestRelay } from '../../support/relay.ts';

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const GUIDE = readFileSync(file('docs/library.md'), 'utf8');
const PASSPHRASE = 'a passphrase for a bot';

// Identities pass between this process and programs that run without the cheap scrypt of tests.
payFullScrypt();

const relay = new TestRelay();
let alice: Bot;
beforeAll(async () => {
  buildLibrary();
  await relay.start();
  alice = await newBot(relay, { handle: 'alice' });
});
afterAll(() => relay[Symbol.asyncDispose]());

/** The programs of the guide by the name in their first line. */
function programsOfTheGuide(): Map<string, string> {
  const blocks = GUIDE.matchAll(/```js\n(\/\/ (\S+\.mjs)\n[^`]*(?:`[^`]+)*?)```/g);
  return new Map(Array.from(blocks, ([, source = '', name = '']) => [name, source]));
}

/** The `@example`s of the library's sources, each as a module of its own with the omitted declarations. */
function examplesOfTheTypes(): string[] {
  const sources = readdirSync(file('src/client'), { recursive: true, encoding: 'utf8' });
  const comments = sources
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => readFileSync(file(`src/client/${name}`), 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? []);
  return comments
    .filter((comment) => comment.includes('@example'))
    .map((comment) => {
      const lines = comment.slice(comment.indexOf('@example') + '@example'.length, -'*/'.length).split('\n');
      return `import { existsSync } from 'node:fs';
import { Identity, type Message, RelayClient } from 'waxwing';
declare const client: RelayClient, message: Message, signal: AbortSignal;
export async function example() {${lines.map((line) => line.replace(/^\s*\* ?/, '')).join('\n')}}`;
    });
}

/** A program in TypeScript: the types reject wrong use. */
const TYPED = `import { Identity, type Message, RelayClient, type Sent } from 'waxwing';
export async function program(client: RelayClient): Promise<Sent> {
  for await (const message of client.messages({ follow: false })) {
    const text: string | null = (message satisfies Message).text;
    if (text !== null) await client.react(message, ['👍']);
    if (message.control?.kind === 'edit') console.log(message.control.text satisfies string);
    if (text !== null) return client.edit(await client.reply(message, text), 'edited');
  }
  // @ts-expect-error there is no such option
  new RelayClient({ relay: 'https://relay.example' });
  // @ts-expect-error an address is a text
  const address: number = Identity.create().address;
  return client.send('@alice', String(address));
}`;

async function run(
  name: string,
  cwd: string,
  env: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  return start(name, cwd, { WAXWING_RELAY: relay.url, WAXWING_PASSPHRASE: PASSPHRASE, ...env }, args).output;
}

test('programs outside the repository import the library: the examples of the guide type-check and work', async () => {
  using project = newProject();
  const programs = programsOfTheGuide();
  expect([...programs.keys()]).toEqual([
    'send.mjs',
    'status.mjs',
    'post.mjs',
    'pictures.mjs',
    'save.mjs',
    'file.mjs',
    'register.mjs',
    'group.mjs',
    'receive.mjs',
    'careful.mjs',
  ]);
  expect(GUIDE.match(/```js/g)).toHaveLength(programs.size);
  for (const [name, source] of programs) writeFileSync(join(project.path, name), source);
  writeFileSync(join(project.path, 'program.ts'), TYPED);
  expect(typeErrors(project.path)).toBe('');

  expect(await run('register.mjs', project.path, {})).toMatch(/^I am @my_bot, at 0x[0-9a-f]{40}\.\n$/);
  const made = await run('group.mjs', project.path, {});
  const [, id = '', token = '', key = ''] =
    made.match(/^Builds has the id (\S+)\. Its bot, .* (gtk_live_\S+) (wxb_\S+)\n$/) ?? [];
  const apiKey = Identity.open(join(project.path, 'my-bot.json'), { passphrase: PASSPHRASE }).apiKey ?? '';
  expect(await run('send.mjs', project.path, { WAXWING_API_KEY: apiKey })).toMatch(
    /^I am my_bot, .* Sealed copies: 2\.\n$/s,
  );
  expect(await waitingTexts(alice)).toEqual(['The nightly build is green.']);
  expect(await run('status.mjs', project.path, { WAXWING_API_KEY: apiKey })).toMatch(/ wxm_\S+\.\n$/);
  expect(
    (await waiting(alice, { controls: true })).map(({ text, control }) => control ?? text),
  ).toMatchObject([
    'Build 214 is running.',
    { kind: 'edit', text: 'Build 214 is green.' },
    { kind: 'reaction', emoji: ['✅'] },
  ]);

  await alice.client.joinGroup(id);
  expect(await run('post.mjs', project.path, { WAXWING_GROUP_TOKEN: token, WAXWING_BOT_KEY: key })).toBe(
    'Sealed copies: 2. Members without one: 0.\n',
  );
  expect(await waiting(alice)).toMatchObject([
    { text: 'Version 1.4 is out.', groupId: id, bot: { name: 'ci' } },
  ]);
  // The second run finds the files of the first.
  for (const report of ['a report', 'a newer report']) {
    writeFileSync(join(project.path, 'report.pdf'), report);
    const tokens = { WAXWING_GROUP_TOKEN: token, WAXWING_API_KEY: token };
    expect(await run('file.mjs', project.path, tokens)).toBe('');
    expect(readFileSync(join(project.path, 'copy.pdf'), 'utf8')).toBe(report);
  }
  writeFileSync(join(project.path, 'front.jpg'), 'GIF89a, a picture');
  expect(await run('pictures.mjs', project.path, { WAXWING_API_KEY: apiKey })).toBe('');
  expect(await waiting(alice)).toMatchObject([
    { text: 'The report of this week.', files: [{ name: 'report.pdf', mediaType: 'application/pdf' }] },
    {
      text: null,
      files: [
        { name: 'front.jpg', mediaType: 'image/gif', alt: 'The front of the house' },
        { name: 'table.csv', mediaType: 'text/csv', size: 8 },
      ],
    },
  ]);
  await alice.client.sendFile('@my_bot', { bytes: Buffer.from('GIF89a…'), name: '../x.gif' });
  const saved = await run('save.mjs', project.path, {});
  expect(saved).toMatch(/^x\.gif: 9 bytes of image\/gif in [\w-]{22}-0\n$/);
  expect(readFileSync(join(project.path, saved.trim().split(' in ')[1] ?? ''), 'utf8')).toBe('GIF89a…');
  expect(await run('careful.mjs', project.path, { WAXWING_API_KEY: apiKey })).toBe(
    'There is no such handle.\n',
  );

  await alice.client.send('@my_bot', 'hello', { automated: false });
  const receiving = start('receive.mjs', project.path, { WAXWING_PASSPHRASE: PASSPHRASE });
  expect(
    await eventually(
      () => waitingTexts(alice),
      ({ length }) => length > 0,
    ),
  ).toEqual(['You wrote: hello']);
  receiving.child.kill('SIGTERM');
  expect(await receiving.output).toContain(`${alice.identity.address}: hello\n`);
  expect(receiving.child.exitCode).toBe(0);
});

test('the examples in the types compile unchanged in strict mode', () => {
  using project = newProject();
  const examples = examplesOfTheTypes();
  expect(examples.length).toBeGreaterThan(5);
  for (const [n, source] of examples.entries()) writeFileSync(join(project.path, `example-${n}.ts`), source);
  expect(typeErrors(project.path)).toBe('');
});

test('examples/ci-post posts its input, and reports missing settings', async () => {
  const ann = await newBot(relay);
  const { id } = await ann.client.createGroup('Builds', { open: true });
  const { secret, botKey } = await ann.client.createBot(id, 'ci');
  await alice.client.joinGroup(id);

  const example = file('examples/ci-post/post.mjs');
  const env = { WAXWING_GROUP_TOKEN: secret, WAXWING_BOT_KEY: botKey ?? '' };
  expect(await run(example, '.', env, ['Build', '214', 'is green.'])).toBe('Posted, sealed for 2 devices.\n');
  expect(await waiting(alice)).toMatchObject([{ text: 'Build 214 is green.', bot: { name: 'ci' } }]);
  await alice.client.leaveGroup(id);
  expect(await run(example, '.', env, ['Build', '215'])).toBe('Posted, sealed for 1 device.\n');
  expect(await run(example, '.', env)).toMatch(/^Set WAXWING_RELAY/);
  expect(await run(example, '.', { WAXWING_GROUP_TOKEN: ann.identity.apiKey ?? '' }, ['x'])).toContain(
    'not a group token',
  );
});

test('the examples print one line for a relay that is off and for a wrong secret', async () => {
  using project = newProject();
  const off = `http://127.0.0.1:${await freePort()}`;
  const token = `gtk_live_${'A'.repeat(43)}`;
  const post = file('examples/ci-post/post.mjs');
  const silent = 'No relay answers at this address.\n';
  expect(await run(post, '.', { WAXWING_RELAY: off, WAXWING_GROUP_TOKEN: token }, ['x'])).toBe(silent);
  expect(await run(post, '.', { WAXWING_GROUP_TOKEN: token }, ['x'])).toMatch(/^[A-Z][^\n]+[.…]\n$/);
  expect(await run(post, '.', { WAXWING_GROUP_TOKEN: 'gtk_live_x' }, ['x'])).toMatch(/^[A-Z][^\n]+[.…]\n$/);
  for (const bot of ['echo-bot', 'picture-bot']) {
    copyFileSync(file(`examples/${bot}/bot.mjs`), join(project.path, `${bot}.mjs`));
    const env = { WAXWING_RELAY: off, WAXWING_HANDLE: 'example_off' };
    expect(await run(`${bot}.mjs`, project.path, env)).toBe(silent);
  }
});

test('examples/echo-bot answers, also after a kill', async () => {
  using project = newProject();
  copyFileSync(file('examples/echo-bot/bot.mjs'), join(project.path, 'bot.mjs'));
  const env = { WAXWING_RELAY: relay.url, WAXWING_HANDLE: 'example_echo', WAXWING_PASSPHRASE: PASSPHRASE };
  const first = start('bot.mjs', project.path, env);
  const isThere = () => alice.client.searchHandles('example_echo');
  await eventually(isThere, ({ length }) => length === 1);
  await alice.client.send('@example_echo', 'one');
  expect(
    await eventually(
      () => waiting(alice),
      ({ length }) => length > 0,
    ),
  ).toMatchObject([{ text: 'one', proof: 'signed', replyTo: { sender: alice.identity.address } }]);
  first.child.kill('SIGKILL');
  await first.output;
  await alice.client.send('@example_echo', 'two');
  const second = start('bot.mjs', project.path, env);
  expect(
    await eventually(
      () => waitingTexts(alice),
      ({ length }) => length > 0,
    ),
  ).toEqual(['two']);
  second.child.kill('SIGTERM');
  expect(await second.output).toContain('@example_echo listens');
  expect(second.child.exitCode).toBe(0);
});

test('examples/picture-bot sends a picture back, and nothing that only claims to be one', async () => {
  using project = newProject();
  copyFileSync(file('examples/picture-bot/bot.mjs'), join(project.path, 'bot.mjs'));
  expect(typeErrors(project.path)).toBe('');
  const env = { WAXWING_RELAY: relay.url, WAXWING_HANDLE: 'example_mirror', WAXWING_PASSPHRASE: PASSPHRASE };
  const running = start('bot.mjs', project.path, env);
  await eventually(
    () => alice.client.searchHandles('example_mirror'),
    ({ length }) => length === 1,
  );
  const gif = Buffer.from('GIF89a, a picture');
  const byHand = { automated: false };
  await alice.client.sendFile('@example_mirror', { bytes: gif, name: '../cat.gif', alt: 'a cat' }, byHand);
  const script = { bytes: Buffer.from('#!/bin/sh'), name: 'cat.png', mediaType: 'image/png' };
  await alice.client.sendFile('@example_mirror', script, byHand);
  await alice.client.send('@example_mirror', 'hello', byHand);
  const answers: Message[] = [];
  await eventually(
    async () => answers.push(...(await waiting(alice))),
    (length) => length >= 3,
  );
  expect(answers).toMatchObject([
    {
      text: '17 bytes of image/gif',
      replyTo: { sender: alice.identity.address },
      files: [{ name: 'cat.gif', mediaType: 'image/gif', alt: 'a cat', size: 17 }],
    },
    { text: 'This is no picture.', files: [] },
    { text: 'Send me a picture.' },
  ]);
  const target = join(project.path, 'back.gif');
  await alice.client.fetchFile(answers[0]?.files[0]?.reference ?? never(), target);
  expect(readFileSync(target).equals(gif)).toBe(true);
  running.child.kill('SIGTERM');
  expect(await running.output).toContain('@example_mirror listens');
  expect(running.child.exitCode).toBe(0);
});

function never(): never {
  throw new Error('missing');
}
