/** The npm package: the real tarball, in empty folders, on each supported Node. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../../scripts/project.mjs';
import { newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { type InstalledPackage, installPackage, nodeOfVersion } from '../../support/installed-package.ts';
import { type Running, start, typeErrors } from '../../support/programs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = temporaryFolder();
/** The lowest supported version of Node. */
let oldest: string;
let tarball: string;
/** Installed once: the runs write to other folders. */
let project: InstalledPackage;
beforeAll(async () => {
  tarball = execFileSync(process.execPath, [join(root, 'scripts/pack.mjs'), folder.path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
  oldest = await nodeOfVersion('22.23.3');
  project = await installPackage(tarball, [oldest, process.execPath]);
});
afterAll(() => {
  folder[Symbol.dispose]();
  project[Symbol.dispose]();
});

test('the tarball contains only the library, the command and the relay', () => {
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  const inLib = files.filter((file) => file.startsWith('package/lib/'));
  const others = files.filter((file) => !inLib.includes(file) && !file.startsWith('package/docs/vectors/'));
  expect(others.sort()).toEqual([
    'package/CHANGELOG.md',
    'package/LICENSE',
    'package/README.md',
    'package/docs/protocol.md',
    'package/docs/relay/openapi.json',
    'package/docs/relay/page-policy.txt',
    'package/docs/relay/page.html',
    'package/package.json',
  ]);
  for (const file of ['client/index.js', 'client/index.d.ts', 'cli/packaged.js', 'relay/index.d.ts'])
    expect(inLib).toContain(`package/lib/${file}`);
  for (const room of ['main', 'renderer', 'preload', 'browser-host', 'relay-docs'])
    expect(inLib.filter((file) => file.startsWith(`package/lib/${room}/`))).toEqual([]);
  expect(inLib.length).toBeLessThan(800);
});

test('a too old Node is reported before native code is loaded', () => {
  const { engines } = JSON.parse(readFileSync(join(folder.path, 'package/package.json'), 'utf8'));
  expect(engines.node).toBe('>=22.12');
  const old = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.18.0" })';
  for (const entry of ['client/index.js', 'relay/index.js', 'cli/packaged.js']) {
    const file = join(project.path, 'node_modules/waxwing/lib', entry);
    const { status, stderr } = spawnSync(process.execPath, ['--import', old, file], { encoding: 'utf8' });
    expect(stderr).toContain('Error: Waxwing needs Node 22.12 or later. This is Node 20.18.0.');
    expect(status).toBe(1);
  }
});

test('the package depends on its imports, and on nothing of the app', () => {
  const read = (place: string, file: string) => JSON.parse(readFileSync(join(place, file), 'utf8'));
  const manifest = read(folder.path, 'package/package.json');
  const known = read(root, 'package.json').dependencies;
  expect(manifest).not.toHaveProperty('devDependencies');
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(known[name]).toBe(version);
  expect(manifest.optionalDependencies).toEqual({ 'sodium-native': known['sodium-native'] });
  for (const name of ['fastify', 'zod', 'commander']) expect(manifest.dependencies).toHaveProperty(name);
  expect(Object.keys(manifest.dependencies).join(' ')).not.toMatch(/electron|react|conf|birpc|vitest|play/);
});

describe.each([
  { name: 'Node 22', isOldest: true },
  { name: 'Node 24', isOldest: false },
])('installed in an empty folder on $name', ({ isOldest }) => {
  let node: string;
  let relay: Running;
  let url: string;
  const command = (...args: string[]) => [
    join(project.path, 'node_modules/waxwing/lib/cli/packaged.js'),
    ...args,
  ];
  const startIn = (args: string[], env: Record<string, string> = {}) => {
    const [file = '', ...rest] = args;
    return start(file, project.path, { WAXWING_UNPROTECTED_KEY: '1', ...env }, rest, node);
  };

  beforeAll(async () => {
    node = isOldest ? oldest : process.execPath;
    relay = startIn(command('relay', '--data', join(folder.path, `relay-${isOldest}`), '--port', '0'));
    url = await relay.prints(/listens on (\S+)/);
    for (const example of ['ci-post/post.mjs', 'echo-bot/bot.mjs'])
      copyFileSync(join(root, 'examples', example), join(project.path, example.split('/')[1] ?? ''));
  });
  afterAll(async () => {
    relay.child.kill('SIGTERM');
    await relay.output;
  });

  test('the command starts by its name, and prints the version', async () => {
    const [npm, ...before]: [string, ...string[]] = programOf('npm');
    const stdout = execFileSync(npm, [...before, 'exec', '--offline', '--', 'waxwing', '--version'], {
      cwd: project.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH },
    });
    expect(stdout).toBe(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`);
    for (const path of ['/', '/openapi.json', '/protocol.md'])
      expect((await fetch(url + path)).status).toBe(200);
    const help = await startIn(command('--help')).output;
    expect(help).toContain('  relay ');
    expect(help).not.toContain('  serve ');
  });

  // Types do not depend on the runtime.
  if (isOldest)
    test('its types compile in a strict program', () => {
      writeFileSync(
        join(project.path, 'program.ts'),
        `import { RelayClient, type Sent } from 'waxwing';
       import { startRelay } from 'waxwing/relay';
       await using stack = new AsyncDisposableStack();
       const relay = await startRelay({ dataDirectory: './other' });
       stack.defer(() => relay.close());
       const sent: Sent = await new RelayClient({ relay: relay.url, secret: 'x' }).send('@alice', 'hello');
       // @ts-expect-error there is no such option
       await startRelay({ data: './other' });
       console.log(sent);`,
      );
      expect(typeErrors(project.path)).toBe('');
    });

  test('examples/ci-post posts', async () => {
    const ann = await newBot({ url });
    const bea = await newBot({ url });
    const { id } = await ann.client.createGroup('Builds', { open: true });
    const { secret, botKey } = await ann.client.createBot(id, 'ci');
    await bea.client.joinGroup(id);
    const env = { WAXWING_RELAY: url, WAXWING_GROUP_TOKEN: secret, WAXWING_BOT_KEY: botKey ?? '' };
    expect(await startIn(['post.mjs', 'Build 214 is green.'], env).output).toBe(
      'Posted, sealed for 2 devices.\n',
    );
    expect(await waitingTexts(bea)).toEqual(['Build 214 is green.']);
  });

  test('examples/echo-bot answers', async () => {
    const bot = startIn(['bot.mjs'], {
      WAXWING_RELAY: url,
      WAXWING_HANDLE: 'packed_echo',
      WAXWING_IDENTITY: join(folder.path, `bot-${isOldest}.json`),
    });
    await bot.prints(/(listens) at/);
    const ann = await newBot({ url });
    await ann.client.send('@packed_echo', 'one');
    const answers = await eventually(
      () => waiting(ann),
      ({ length }) => length > 0,
    );
    expect(answers).toMatchObject([{ text: 'one', proof: 'signed' }]);
    bot.child.kill('SIGTERM');
    expect(await bot.output).toContain('@packed_echo listens');
  });
});
