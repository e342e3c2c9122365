/**
 * Creating an identity with the command: new or imported, private, resumed, never overwritten.
 */
import { appendFileSync, chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generatePhrase, walletFromPhrase } from '../../../src/protocol/wallet.ts';
import { newBot } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, waxwing, waxwingProcess } from '../../support/waxwing-command.ts';

const PHRASE = /\b(?:[a-z]{3,8} ){11}[a-z]{3,8}\b/;

const relay = new TestRelay();
const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
let env: Record<string, string>;
beforeAll(async () => {
  await relay.start();
  env = { WAXWING_RELAY: relay.url };
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('a new identity', () => {
  test('is created in the usual place, for its owner only, and works at once', async () => {
    const own = { env: { ...env, XDG_CONFIG_HOME: at('config') } };
    const { code, stdout, stderr } = await waxwingProcess(
      ['init', '--handle', 'init_bot', '--name', 'Bot'],
      own,
    );
    const file = join(at('config'), 'waxwing', 'identity.json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(file);
    expect(stdout).not.toMatch(PHRASE);
    expect([statSync(file).mode & 0o777, statSync(join(at('config'), 'waxwing')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);

    const me = await answer(['me'], { env: { XDG_CONFIG_HOME: at('config') } });
    expect(me).toMatchObject({ handle: 'init_bot', displayName: 'Bot', developerApi: true });
    expect(await answer(['keys', '@init_bot'], own)).toMatchObject({ deviceList: { unsigned: ['api'] } });
  });

  test('shows its phrase on request, and the phrase has the same address', async () => {
    const { stdout } = await waxwing(['init', '--file', at('phrase.json'), '--show-phrase'], { env });
    const [phrase = ''] = PHRASE.exec(stdout) ?? [];
    const { address } = JSON.parse(readFileSync(at('phrase.json'), 'utf8')) as { address: string };
    expect(walletFromPhrase(phrase).address).toBe(address);
  });

  test('without a terminal names the place of its phrase, and a command shows it again', async () => {
    const file = at('again.json');
    const { stdout } = await waxwing(['init', '--file', file], { env });
    expect(stdout).toContain(`To write it down: waxwing identity phrase --identity ${file}\n`);
    const shown = await waxwing(['identity', 'phrase', '--identity', file]);
    const { address } = JSON.parse(readFileSync(file, 'utf8')) as { address: string };
    expect(walletFromPhrase(shown.stdout.trim()).address).toBe(address);
  });

  test('keeps its phrase out of JSON by default', async () => {
    expect(await answer(['init', '--file', at('quiet.json')], { env })).not.toHaveProperty('phrase');
    const printed = await answer<{ phrase: string; address: string }>(
      ['init', '--file', at('printed.json'), '--show-phrase'],
      { env },
    );
    expect(walletFromPhrase(printed.phrase).address).toBe(printed.address);
  });

  test('never overwrites another one', async () => {
    await newBot(relay, { file: at('mine.json') });
    const before = readFileSync(at('mine.json'));
    const { code, stderr } = await waxwing(['init', '--file', at('mine.json')], { env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/mine\.json already contains an identity\./)]);
    expect(readFileSync(at('mine.json'))).toEqual(before);
  });

  test('continues where it stopped after a taken handle', async () => {
    await newBot(relay, { handle: 'init_taken' });
    const args = ['init', '--file', at('half.json'), '--handle'];
    const failed = await waxwing([...args, 'init_taken'], { env });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/then run the command again:\n.*init_taken/);
    const { address } = JSON.parse(readFileSync(at('half.json'), 'utf8')) as { address: string };
    expect(await answer([...args, 'init_free'], { env })).toMatchObject({ address, handle: 'init_free' });
  });
});

describe('an imported identity', () => {
  const phrase = generatePhrase();
  const { address, privateKey } = walletFromPhrase(phrase);
  const key = Buffer.from(privateKey).toString('hex');

  test('does not store its phrase', async () => {
    const file = at('imported.json');
    const own = generatePhrase();
    await waxwing(['init', '--file', file, '--import', '-'], { env, input: own });
    const { code, stderr } = await waxwing(['identity', 'phrase', '--identity', file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('its wallet was imported')]);
    expect(readFileSync(file, 'utf8')).not.toContain(own);
  });

  test('is read from a file, standard input or the environment', async () => {
    writeFileSync(at('phrase.txt'), `  ${phrase.replaceAll(' ', '\n')}\n`, { mode: 0o600 });
    const fromFile = ['init', '--file', at('from-file.json'), '--import', at('phrase.txt')];
    expect(await answer(fromFile, { env })).toMatchObject({ address });
    const fromInput = ['init', '--file', at('from-input.json'), '--import', '-'];
    expect(await answer(fromInput, { env, input: `0x${key}\n` })).toMatchObject({ address });
    const fromEnvironment = ['init', '--file', at('from-environment.json')];
    expect(await answer(fromEnvironment, { env: { ...env, WAXWING_WALLET: phrase } })).toMatchObject({
      address,
    });
    expect(await answer(['keys', address, '--identity', at('from-input.json')])).toMatchObject({
      deviceList: { sequence: 3, devices: [{}, {}, {}] },
    });
  });

  test.skipIf(process.platform === 'win32')('is refused while others can read the file', async () => {
    writeFileSync(at('open-phrase.txt'), phrase);
    chmodSync(at('open-phrase.txt'), 0o644);
    const args = ['init', '--file', at('none.json'), '--import', at('open-phrase.txt')];
    const { code, stderr } = await waxwing(args, { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`chmod 600 ${at('open-phrase.txt')}`)]);
    expect(existsSync(at('none.json'))).toBe(false);
  });

  test.each([
    ['a phrase with a wrong checksum', `${'abandon '.repeat(11)}abandon`],
    ['a key that is none', '0'.repeat(64)],
    ['nothing', ''],
  ])('is refused if it is %s, without repeating it', async (_, wallet) => {
    const { code, stderr } = await waxwing(['init', '--file', at('none.json'), '--import', '-'], {
      env,
      input: wallet,
    });
    expect([code, stderr]).toEqual([
      2,
      'The value of --import is neither a recovery phrase of 12 to 24 English words with the right checksum nor a private key of 64 hexadecimal digits.\n',
    ]);
    expect(existsSync(at('none.json'))).toBe(false);
  });
});

describe('nothing is created', () => {
  test('without a relay', async () => {
    expect(await waxwing(['init', '--file', at('nowhere.json')])).toMatchObject({
      code: 2,
      stderr: 'No relay given. Add --relay with its address, or set WAXWING_RELAY.\n',
    });
  });

  test('with a handle that is none', async () => {
    const { code, stderr } = await waxwing(['init', '--relay', relay.url, '--handle', 'Build Bot']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('This is not a handle: a handle has 3 to 32 of'),
    ]);
  });

  test('in a folder that cannot be made', async () => {
    const inFile = at('a-file');
    writeFileSync(inFile, '');
    const args = ['init', '--relay', relay.url, '--file', join(inFile, 'identity.json')];
    expect(await waxwing(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `The identity cannot be stored in ${inFile}: it is a file. Choose another place with --file.\n`,
    });
  });

  test('where nothing answers', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await waxwing(['init', '--file', at('nowhere.json'), '--relay', nobody])).toMatchObject({
      code: 4,
      stderr: `No relay answers at this address. (${nobody})\n`,
    });
    expect(existsSync(at('nowhere.json'))).toBe(false);
  });
});

test('a phrase in place of the import file is refused and not repeated', async () => {
  const phrase = generatePhrase();
  const args = ['init', '--import', phrase, '--file', at('echoed.json')];
  const { code, stdout, stderr } = await waxwing(args, { env });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Use waxwing init --import FILE');
  // Two adjacent words of it: a single word may occur in the sentence.
  expect(stderr).not.toContain(phrase.split(' ').slice(0, 2).join(' '));
});

describe('the file of an identity', () => {
  // On Windows a file has no mode with read permissions.
  test.skipIf(process.platform === 'win32')('is refused while others can read it', async () => {
    await newBot(relay, { file: at('open.json') });
    chmodSync(at('open.json'), 0o644);
    expect(await waxwing(['me', '--identity', at('open.json')])).toEqual({
      code: 3,
      stdout: '',
      stderr: `Other accounts of this computer can read the identity in ${at('open.json')} (mode 644). Make it yours alone: chmod 600 ${at('open.json')}\n`,
    });
  });

  test.skipIf(process.platform === 'win32')('closes an open journal', async () => {
    await newBot(relay, { file: at('noted.json') });
    const journal = at('noted.json.journal');
    appendFileSync(journal, '');
    chmodSync(journal, 0o644);
    expect(await waxwing(['me', '--identity', at('noted.json')])).toMatchObject({ code: 0 });
    expect(statSync(journal).mode & 0o777).toBe(0o600);
  });

  test('is reported as damaged or missing', async () => {
    writeFileSync(at('damaged.json'), '{"version":1,', { mode: 0o600 });
    expect(await waxwing(['me', '--identity', at('damaged.json')])).toMatchObject({
      code: 3,
      stderr: `The file ${at('damaged.json')} is not an identity: it is not JSON.\n`,
    });
    expect(await waxwing(['me'], { env: { WAXWING_IDENTITY: at('missing.json') } })).toMatchObject({
      code: 3,
      stderr: `There is no identity in ${at('missing.json')}. Create one with waxwing init, or set its file with --identity or WAXWING_IDENTITY.\n`,
    });
  });
});

describe('the protection of an identity', () => {
  const unprotected = { WAXWING_UNPROTECTED_KEY: '' };
  const sealed = { ...unprotected, WAXWING_PASSPHRASE: 'a passphrase for a bot' };

  // With a key store, the identity would be protected by it.
  test.skipIf(process.platform !== 'linux' || process.env.DBUS_SESSION_BUS_ADDRESS)(
    'needs an explicit option without a key store',
    async () => {
      const file = at('unprotected.json');
      const refused = await waxwing(['init', '--file', file], { env: { ...env, ...unprotected } });
      expect([refused.code, refused.stdout]).toEqual([3, '']);
      expect(refused.stderr).toMatch(
        /^This computer has no key store.*WAXWING_PASSPHRASE.*--unprotected-key/,
      );
      expect(existsSync(file)).toBe(false);
      const args = ['init', '--file', file, '--unprotected-key'];
      expect(await waxwing(args, { env: { ...env, ...unprotected } })).toMatchObject({ code: 0 });
      const used = await waxwing(['me', '--identity', file], { env: { ...env, ...unprotected } });
      expect(used.code).toBe(0);
      expect(used.stderr).toMatch(/^The keys in .*unprotected\.json are not protected/);
    },
  );

  test('reports an unused passphrase also where unprotected keys are allowed', async () => {
    const file = at('allowed.json');
    await newBot(relay, { file });
    const both = { ...sealed, WAXWING_UNPROTECTED_KEY: '1' };
    const { stderr } = await waxwing(['me', '--identity', file], { env: both });
    expect(stderr).toMatch(/WAXWING_PASSPHRASE was not used\..*unset WAXWING_PASSPHRASE\.$/m);
    expect(stderr).not.toContain('WAXWING_UNPROTECTED_KEY=1');
  });

  test('stays unchanged by commands that only read, also with a passphrase set', async () => {
    const file = at('plain.json');
    await newBot(relay, { file });
    const before = readFileSync(file);
    const { code, stderr } = await waxwing(['me', '--identity', file], { env: sealed });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/WAXWING_PASSPHRASE was not used.*identity protect/),
    ]);
    expect(readFileSync(file)).toEqual(before);
  });

  test('is added by a separate command, once', async () => {
    const file = at('later.json');
    const { identity } = await newBot(relay, { file });
    const protect = () => waxwing(['identity', 'protect', '--identity', file], { env: sealed });
    expect(await protect()).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).not.toContain(identity.address.slice(2));
    expect(await answer(['me', '--identity', file], { env: sealed })).toMatchObject({
      address: identity.address,
    });
    expect(await protect()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already protected'),
    });
  });

  // On Windows a file has no mode with read permissions.
  test.skipIf(process.platform === 'win32')('is refused from a file that others can read', async () => {
    const file = at('open-passphrase');
    writeFileSync(file, 'a passphrase for a bot\n');
    // Under any umask: a host that another test started in this process has set it.
    chmodSync(file, 0o644);
    const surroundings = { env: { ...env, ...unprotected, WAXWING_PASSPHRASE_FILE: file } };
    expect(await waxwing(['init', '--file', at('unmade.json')], surroundings)).toMatchObject({
      code: 3,
      stderr: `The passphrase in ${file} can be read by other accounts of this computer (mode 644). Make it yours alone: chmod 600 ${file}\n`,
    });
    expect(existsSync(at('unmade.json'))).toBe(false);
  });

  test.each([
    ['aaaaaaaa', 'it repeats itself'],
    ['short', 'at least 8 characters'],
    ['build_bot_2026', 'it is your own handle or name'],
  ])('is refused for the passphrase %s', async (passphrase, why) => {
    const file = at('guessed.json');
    const refused = await waxwing(['init', '--file', file, '--handle', 'build_bot_2026'], {
      env: { ...env, ...unprotected, WAXWING_PASSPHRASE: passphrase },
    });
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(why) });
    expect(existsSync(file)).toBe(false);
  });

  test('under a passphrase every command needs it', async () => {
    const file = at('sealed.json');
    const { address } = await answer<{ address: string }>(['init', '--file', file], {
      env: { ...env, ...sealed },
    });
    expect(readFileSync(file, 'utf8')).not.toContain(address.slice(2).toLowerCase());
    expect(await answer(['me', '--identity', file], { env: { ...env, ...sealed } })).toMatchObject({
      address,
    });
    const without = await waxwing(['me', '--identity', file], { env });
    expect(without).toMatchObject({ code: 3, stdout: '' });
    expect(without.stderr).toContain('is protected by a passphrase. Set WAXWING_PASSPHRASE');
    const wrong = { env: { ...env, WAXWING_PASSPHRASE: 'another one' } };
    expect((await waxwing(['me', '--identity', file], wrong)).stderr).toContain('the passphrase is wrong');
    writeFileSync(at('passphrase'), 'a passphrase for a bot\n', { mode: 0o600 });
    const fromFile = { env: { ...env, WAXWING_PASSPHRASE_FILE: at('passphrase') } };
    expect(await answer(['me', '--identity', file], fromFile)).toMatchObject({ address });
  });
});
