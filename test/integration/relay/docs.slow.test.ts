import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newBotSecret, readBotSecret } from '../../../src/protocol/bots.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { start } from '../../support/programs.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { ENTRY } from '../../support/waxwing-command.ts';

import { blockIn, newApiKey, open } from './docs.ts';

test('the lines of the quick start can be pasted from top to bottom', async () => {
  await using relay = await new TestRelay().start();
  using folder = temporaryFolder();
  const [ann, bob] = await Promise.all([newPerson(relay), newPerson(relay)]);
  await relay.call('putHandle', { token: bob.token, body: { handle: 'bob' } });
  const page = await (await fetch(relay.url)).text();
  writeFileSync(join(folder.path, 'send.mjs'), blockIn(page, 'send.mjs'));
  const group = await TestRoster.begin(ann, { name: 'Pasted' }, [bob]);
  const { params } = group;
  const { body: token } = await relay.call('createToken', {
    token: ann.token,
    params,
    body: { name: 'bot' },
  });
  const botKey = newBotSecret();
  const key = encodeBase64Url(readBotSecret(botKey)?.publicKey ?? new Uint8Array());
  await group.change(ann, { bots: [{ key, name: 'bot' }] });
  const values = {
    'wxb_…': botKey,
    'sk_live_…': await newApiKey(relay, ann),
    'gtk_live_…': token.secret,
    'GROUP_ID="…': `GROUP_ID="${group.id}`,
  };
  const section = page.slice(page.indexOf('id="quick-start"'), page.indexOf('id="with-the-library"'));
  const shell = [...section.matchAll(/<figcaption>([^<]+)<\/figcaption><pre[^>]*><code class="shell">/g)];
  const script = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    ['set -e', ...shell.map(([, caption = '']) => blockIn(page, caption))].join('\n\n'),
  );
  expect(script).not.toContain('…');
  writeFileSync(join(folder.path, 'waxwing'), `#!/bin/sh\nexec "${process.execPath}" "${ENTRY}" "$@"\n`, {
    mode: 0o755,
  });
  const before = (await bob.inbox()).length;
  const PATH = [folder.path, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH, XDG_CONFIG_HOME: folder.path, WAXWING_LOG: 'off' };
  await promisify(execFile)('sh', ['-c', script], { cwd: folder.path, env });
  const texts = (await bob.inbox()).slice(before).map((envelope) => open(bob, envelope).body.text);
  expect(texts.slice(0, 4)).toEqual([
    'Hello',
    'Version 2.4 is out',
    'Hello from a script',
    'Version 2.4 is out',
  ]);
  expect(texts).toHaveLength(5);
  const signers = (await bob.inbox()).slice(before).map((envelope) => open(bob, envelope).botId);
  expect(signers.map((id) => id !== null)).toEqual([false, true, false, true, true]);
});

/** A checkout of links, in which Node finds all files by their own places. */
function linkedCheckout(folder: string): void {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const link = (path: string) => symlinkSync(join(root, path), join(folder, path));
  for (const path of ['src', 'docs']) mkdirSync(join(folder, path));
  const sources = readdirSync(join(root, 'src')).map((name) => `src/${name}`);
  for (const path of [
    ...sources,
    'docs/protocol.md',
    'docs/vectors',
    'scripts',
    'node_modules',
    'package.json',
  ])
    link(path);
}

test('a relay without the files answers 404 with the command that makes them, and serves them without its sources', async () => {
  using folder = temporaryFolder();
  linkedCheckout(folder.path);
  const NODE_OPTIONS = '--preserve-symlinks --preserve-symlinks-main';
  const args = ['relay', '--port', '0', '--data', join(folder.path, 'data'), '--name', 'A & B'];
  const relay = start('src/cli/waxwing.ts', folder.path, { NODE_OPTIONS }, args);
  const url = await relay.prints(/listens on (\S+)/);
  for (const path of ['/', '/openapi.json']) {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(404);
    const { reason, detail } = (await answer.json()) as { reason: string; detail: string };
    expect({ reason, detail }).toEqual({
      reason: 'page',
      detail: expect.stringContaining('`node scripts/make-relay-docs.ts`'),
    });
  }
  expect((await fetch(`${url}/protocol.md`)).status).toBe(200);
  await promisify(execFile)(process.execPath, ['scripts/make-relay-docs.ts'], {
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS },
  });
  rmSync(join(folder.path, 'src/relay-docs'));
  expect(await (await fetch(url)).text()).toContain('<h1>A &#38; B</h1>');
  relay.child.kill('SIGTERM');
  await relay.output;
  const second = start('src/cli/waxwing.ts', folder.path, { NODE_OPTIONS }, args);
  const response = await fetch(`${await second.prints(/listens on (\S+)/)}/openapi.json`);
  expect(await response.json()).toMatchObject({ info: { title: 'A & B' } });
  second.child.kill('SIGTERM');
  await second.output;
});
