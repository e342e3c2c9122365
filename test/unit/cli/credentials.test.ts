import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseMeans, defaultIdentityFile, secretOfEnvironment } from '../../../src/cli/credentials.ts';
import { protectionFor } from '../../../src/cli/identity-protection.ts';
import { Identity } from '../../../src/client/index.ts';
import { temporaryFolder } from '../../support/engine.ts';

const KEY = `sk_live_${'A'.repeat(43)}`;
const TOKEN = `gtk_live_${'A'.repeat(43)}`;

test('the default identity is in the folder for configuration', () => {
  const usual = join(homedir(), '.config', 'waxwing', 'identity.json');
  expect(defaultIdentityFile('linux', {})).toBe(usual);
  expect(defaultIdentityFile('linux', { XDG_CONFIG_HOME: 'relative' })).toBe(usual);
  expect(defaultIdentityFile('linux', { XDG_CONFIG_HOME: '/c' })).toBe('/c/waxwing/identity.json');
});

test('reads a secret from its variable, or from the file that its variable names', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'token');
  writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
  expect(secretOfEnvironment({})).toBeNull();
  expect(secretOfEnvironment({ WAXWING_API_KEY: '' })).toBeNull();
  expect(secretOfEnvironment({ WAXWING_API_KEY: ` ${KEY}\n` })).toEqual({
    value: KEY,
    type: 'api_key',
    variable: 'WAXWING_API_KEY',
    botKey: null,
  });
  expect(secretOfEnvironment({ WAXWING_GROUP_TOKEN_FILE: file })).toEqual({
    value: TOKEN,
    type: 'group_token',
    variable: 'WAXWING_GROUP_TOKEN_FILE',
    botKey: null,
  });
});

test('accepts a bot’s key only with a group token', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'key');
  const key = `wxb_${'A'.repeat(43)}`;
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  const token = { WAXWING_GROUP_TOKEN: TOKEN };
  expect(secretOfEnvironment({ ...token, WAXWING_BOT_KEY: key })).toMatchObject({
    value: TOKEN,
    botKey: key,
  });
  expect(secretOfEnvironment({ ...token, WAXWING_BOT_KEY_FILE: file })).toMatchObject({ botKey: key });
  const wrong = (environment: NodeJS.ProcessEnv, sentence: RegExp) =>
    expect(() => secretOfEnvironment({ ...token, ...environment })).toThrow(sentence);
  wrong({ WAXWING_BOT_KEY: `${key}A` }, /^WAXWING_BOT_KEY is not a bot key/);
  wrong({ WAXWING_BOT_KEY: key, WAXWING_BOT_KEY_FILE: file }, /^Both WAXWING_BOT_KEY/);
  const alone = /^WAXWING_BOT_KEY signs the posts of a group token/;
  wrong({ WAXWING_BOT_KEY: key, WAXWING_GROUP_TOKEN: '' }, alone);
  wrong({ WAXWING_BOT_KEY: key, WAXWING_GROUP_TOKEN: '', WAXWING_API_KEY: KEY }, alone);
});

test('prefers a named identity to a secret, and a secret to the default identity', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'named.json');
  const { address } = Identity.create({ file });
  const plain = { WAXWING_UNPROTECTED_KEY: '1' };
  const environment = { ...plain, WAXWING_API_KEY: KEY, XDG_CONFIG_HOME: folder.path };
  expect(await chooseMeans(file, environment)).toMatchObject({ identity: { address } });
  expect(await chooseMeans(undefined, environment)).toMatchObject({ secret: { value: KEY } });
  expect(await chooseMeans(undefined, { ...plain, WAXWING_IDENTITY: file })).toMatchObject({
    identity: { address },
  });
  await expect(chooseMeans(undefined, { ...environment, WAXWING_IDENTITY: file })).rejects.toThrow(
    /^Both WAXWING_IDENTITY/,
  );
});

test('a file that is no identity is refused before its protection is judged', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'identity.json');
  writeFileSync(file, '{}', { mode: 0o600 });
  await expect(protectionFor(file, {})).rejects.toThrow(
    `The file ${file} is not an identity that this version of Waxwing can read (version: it is missing).`,
  );
});
