/** Variables of the environment that are set and empty, as by a line `NAME=` in a file of variables. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { waxwing, waxwingProcess } from '../../support/waxwing-command.ts';

test('an empty WAXWING_DATABASE_URL starts the relay on its file', async () => {
  using folder = temporaryFolder();
  // The relay ends with the name of the file that it cannot open.
  const file = join(folder.path, 'relay.db');
  mkdirSync(file);
  const args = ['relay', '--data', folder.path, '--port', '0', '--log', 'off'];
  const { code, stderr } = await waxwingProcess(args, { env: { WAXWING_DATABASE_URL: '' } });
  expect(stderr).toContain(`${file} is a folder`);
  expect(code).toBe(2);
});

test('an empty WAXWING_DATABASE_URL is no target of a migration', async () => {
  const args = ['relay', 'migrate', '--from', '/nonexistent/relay.db'];
  const { code, stderr } = await waxwing(args, { env: { WAXWING_DATABASE_URL: '' } });
  expect(stderr).toContain("required option '--to <url>' not specified");
  expect(code).toBe(2);
});

test('a malformed WAXWING_DATABASE_URL is named', async () => {
  using folder = temporaryFolder();
  const args = ['relay', '--data', folder.path, '--port', '0', '--log', 'off'];
  const { code, stderr } = await waxwingProcess(args, { env: { WAXWING_DATABASE_URL: 'mysql://x' } });
  expect(stderr).toContain(
    'The URL of the database, in --database, --to or WAXWING_DATABASE_URL, is malformed.',
  );
  expect(code).toBe(2);
});

test('an empty WAXWING_RELAY is missing, and not malformed', async () => {
  const env = { WAXWING_RELAY: '', WAXWING_API_KEY: `sk_live_${'A'.repeat(43)}` };
  const { code, stderr } = await waxwing(['me'], { env });
  expect(stderr).toContain('No relay given. Add --relay with its address, or set WAXWING_RELAY.');
  expect(code).toBe(2);
});
