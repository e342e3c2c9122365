import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_NAMES } from '../../../src/cli/all-commands.ts';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { waxwing, waxwingProcess } from '../../support/waxwing-command.ts';
import { refusal } from './waxwing.ts';

/** The error message of an invalid command. */
async function misuse(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await waxwing(args);
  expect([code, stdout]).toEqual([2, '']);
  return stderr.trim();
}

describe('help', () => {
  test('the commands are listed', async () => {
    const { code, stdout } = await waxwingProcess(['--help']);
    expect(code).toBe(0);
    for (const command of COMMAND_NAMES) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  test.each(COMMAND_NAMES)('%s has help with an example', async (command) => {
    const { code, stdout, stderr } = await waxwing([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: waxwing ${command}`);
    expect(stdout).toContain(`  $ waxwing ${command}`);
  });

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(await waxwing(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('wrong usage is refused with the right usage', () => {
  const invalid = (option: string, value: string, sentence: string) =>
    `error: option '${option}' argument '${value}' is invalid. ${sentence}\nAdd --help for all commands and options.`;
  const port = 'A port is a number from 0 to 65535.';
  const empty = 'The path is empty.';
  const name = 'A name has 1 to 80 characters, and no control characters.';
  const proxy = 'A proxy is an address like 127.0.0.1, or a range like 10.0.0.0/8.';
  const url = 'It has to look like https://relay.example, with nothing after the host.';

  test.each<[string, string]>([
    ['nonsense', "error: unknown command 'nonsense'\nAdd --help for all commands and options."],
    [
      'serv',
      "error: unknown command 'serv'\n(Did you mean serve?)\nAdd --help for all commands and options.",
    ],
    ['serve --port web', invalid('--port <number>', 'web', port)],
    ['relay --data x --port 65536', invalid('--port <number>', '65536', port)],
    ['relay --data x --public-url example', invalid('--public-url <url>', 'example', url)],
    [
      'serve --relay ftp://example.org',
      invalid(
        '--relay <url>',
        'ftp://example.org',
        'This is not the address of a relay. An address looks like https://relay.example.',
      ),
    ],
    [
      'serve --relay http://example.org',
      invalid('--relay <url>', 'http://example.org', 'A relay on another computer needs https.'),
    ],
    ['relay --data x --metrics-port web', invalid('--metrics-port <number>', 'web', port)],
    ['relay --data x --trusted-proxy proxy', invalid('--trusted-proxy <address>', 'proxy', proxy)],
    [
      'relay --data x --trusted-proxy 10.0.0.0/33',
      invalid('--trusted-proxy <address>', '10.0.0.0/33', proxy),
    ],
    ['relay --data ', invalid('--data <folder>', '', empty)],
    ['serve --data ', invalid('--data <folder>', '', empty)],
    ['relay admin stats --data ', invalid('--data <folder>', '', empty)],
    ['inbox --save ', invalid('--save <folder>', '', empty)],
    ['relay --data x --name ', invalid('--name <text>', '', name)],
    [`relay --data x --name ${'x'.repeat(81)}`, invalid('--name <text>', 'x'.repeat(81), name)],
    ['relay --data x --log loud', invalid('--log <form>', 'loud', 'Allowed choices are json, pretty, off.')],
    [
      'relay',
      "error: required option '--data <folder>' not specified\nAdd --help for all commands and options.",
    ],
  ])('waxwing %s', async (command, sentence) => {
    expect(await misuse(...command.split(' '))).toBe(sentence);
  });
});

describe('a failed start prints an error', () => {
  const blocker = createServer();
  let port = 0;
  beforeAll(async () => {
    blocker.listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    if (address !== null && typeof address === 'object') port = address.port;
  });
  afterAll(() => {
    blocker.close();
  });

  test.each(['serve', 'relay'])('%s on a port in use', async (command) => {
    using folder = temporaryFolder();
    expect(await refusal(command, '--data', folder.path, '--port', `${port}`)).toBe(
      `Port ${port} is in use by another program. Choose another with --port; 0 for any free port.`,
    );
  });

  test('the metrics of a relay on a port in use', async () => {
    using folder = temporaryFolder();
    expect(
      await refusal(
        'relay',
        '--data',
        folder.path,
        '--port',
        '0',
        '--metrics-port',
        `${port}`,
        '--log',
        'off',
      ),
    ).toMatch(
      new RegExp(
        `^The relay cannot serve metrics on port ${port} of 127\\.0\\.0\\.1: another program uses it\\. Choose`,
      ),
    );
  });

  test('a relay whose metrics have its own port', async () => {
    using folder = temporaryFolder();
    const args = ['--data', folder.path, '--port', '9464', '--metrics-port', '9464', '--log', 'off'];
    expect(await waxwingProcess(['relay', ...args])).toMatchObject({
      code: 2,
      stderr:
        'The relay itself listens on port 9464. Choose another one with --metrics-port, such as 9465.\n',
    });
  });

  test('a relay on an address of another computer', async () => {
    using folder = temporaryFolder();
    // Reserved for documentation by RFC 5737: no computer has it.
    expect(await refusal('relay', '--data', folder.path, '--port', '0', '--host', '192.0.2.1')).toBe(
      '192.0.2.1 is not an address of this computer. Choose another with --host.',
    );
  });

  test.each(['serve', 'relay'])('%s with a file where its folder should be', async (command) => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, 'mine');
    expect(await waxwingProcess([command, '--data', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `The folder ${file} cannot be used: it is a file.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  // Root may write everywhere.
  test.skipIf(process.getuid?.() === 0)('a folder that may not be written', async () => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o500);
    expect(await waxwingProcess(['relay', '--data', folder.path])).toEqual({
      code: 2,
      stdout: '',
      stderr: `The folder ${folder.path} cannot be used: your account is not allowed to write there.\n`,
    });
  });

  test('invalid settings are kept unchanged', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'settings.json');
    writeFileSync(file, '{"theme": dark}');
    expect(await refusal('serve', '--data', folder.path)).toMatch(
      `The settings in ${file} cannot be read. Correct the file, or delete it to start with the default settings.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('{"theme": dark}');
  });

  test('a damaged key is kept unchanged', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'database.key');
    writeFileSync(file, 'short');
    expect(await refusal('serve', '--data', folder.path)).toBe(
      `The key file ${file} is damaged, or a newer version of Waxwing wrote it. Restore it from a copy; without it the messages cannot be read. Nothing was changed.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('short');
  });
});

describe('relay', () => {
  test('answers as a relay, closes its folder to others, and stops with SIGTERM', async () => {
    using folder = temporaryFolder();
    const args = ['relay', '--port', '0', '--data', folder.path, '--name', 'Test', '--log', 'off'];
    const relay = new WaxwingProcess(args);
    const url = await relay.url();
    expect(await (await fetch(`${url}/api/v1`)).json()).toMatchObject({ name: 'Test', apiVersion: '1' });
    expect(await refusal('relay', '--port', '0', '--data', folder.path)).toBe(
      `Waxwing is already running with the data in ${folder.path}. Close it first, or choose another folder with --data.`,
    );
    await relay.stop('SIGTERM');
    const output = [
      `The relay listens on ${url}`,
      'Registration is open: everyone who reaches this relay can open an account.',
      'Press Ctrl+C to stop.',
    ];
    expect([relay.exitCode, relay.output]).toEqual([0, output.join('\n')]);
  });

  test('prints its URL for clients', async () => {
    using folder = temporaryFolder();
    const name = ['--log', 'off', '--public-url', 'https://relay.example/'];
    const relay = new WaxwingProcess(['relay', '--port', '0', '--data', folder.path, ...name]);
    await expect.poll(() => relay.output).toContain('Clients know it as https://relay.example\n');
    await relay.stop();
  });
});

describe('demo', () => {
  test('shows the flow of a client, a group and a bot, and ends with 0', async () => {
    const { code, stdout, stderr } = await waxwingProcess(['demo']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = [
      /^A relay listens on http:\/\/127\.0\.0\.1:\d+$/m,
      /^ {2}1 {3}Create an API key +sk_live_/m,
      /^ {2}2 {3}GET \/api\/v1\/me +0x/m,
      /^ {2}3 {3}GET \/api\/v1\/handles\/bob_demo +0x/m,
      /^ {2}4 {3}GET \/api\/v1\/keys\/0x\S+ +1 device, certified by Bob's wallet$/m,
      /^ {2}5 {3}Seal locally +35 characters became \d+ sealed bytes/m,
      /^ {2}6 {3}POST \/api\/v1\/envelopes +201 \S+, durable$/m,
      /^ {2}7 {3}GET \/api\/v1\/inbox, opened locally +“Hello Bob, can the relay read this\?” {2}signed by Alice’s device$/m,
      /“No\. It carried bytes\. Only my device could open them\.” {2}signed by Bob’s device$/m,
      /^ {6}Plaintext instead of ciphertext +422 plaintext_rejected$/m,
      /^ {6}POST …\/roster +Carol has signed to join; 3 members$/m,
      /^ {6}Carol opens +“Welcome, all of you\.” {2}signed by Alice’s device$/m,
      /^ {6}GET \/api\/v1\/groups\?mine=1 +403 group_token_not_allowed$/m,
      /^ {6}Carol opens +“Build 214 is green\.” {2}signed by ci, a bot of Alice$/m,
      /^ {6}DELETE …\/tokens\/… +the next call of the bot: 401 unauthorized$/m,
      /^Every message arrived sealed, verified and exactly once\. The relay refused the invalid calls\.$/m,
    ];
    for (const line of lines) expect(stdout).toMatch(line);
  });
});
