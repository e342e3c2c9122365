import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3-multiple-ciphers';
import { describe, expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { startRelay } from '../../../src/relay/index.ts';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { waxwingProcess } from '../../support/waxwing-command.ts';

/** A person at a relay that has stopped: the session stays valid for the next relay on its folder. */
async function personAtStoppedRelay(): Promise<{ relay: TestRelay; person: Person } & AsyncDisposable> {
  const relay = await new TestRelay().start();
  const person = await newPerson(relay);
  await relay.stop();
  return { relay, person, [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose]() };
}

function authorised({ token }: Person): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

test('SIGTERM answers open polls, and the relay ends with 0', async () => {
  await using before = await personAtStoppedRelay();
  const { person } = before;
  const folder = before.relay.folder.path;
  await using relay = new WaxwingProcess(['relay', '--data', folder, '--port', '0', '--log', 'off']);
  const url = await relay.url();
  const inbox = `${url}/api/v1/inbox?device=${person.device.id}&wait=25`;
  const openPoll = Array.from({ length: 5 }, () => fetch(inbox, authorised(person)));
  const stats = () => runAdminCommand(folder, 'stats', {});
  await eventually(stats, ({ heldPolls }) => heldPolls === 5);

  await relay.stop('SIGTERM');
  expect(relay.exitCode).toBe(0);
  for (const response of await Promise.all(openPoll)) {
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ device: person.device.id, envelopes: [], more: false });
  }
});

test('with --drain it continues after SIGTERM, is alive and no longer ready', async () => {
  using folder = temporaryFolder();
  const args = ['relay', '--data', folder.path, '--port', '0', '--log', 'off', '--drain', '300'];
  await using relay = new WaxwingProcess(args);
  const url = await relay.url();
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  expect(await statusOf('/readyz')).toBe(200);
  const ended = relay.stop('SIGTERM');
  await eventually(
    () => statusOf('/readyz'),
    (status) => status === 503,
  );
  expect([await statusOf('/healthz'), await statusOf('/api/v1')]).toEqual([200, 200]);
  await relay.stop('SIGKILL');
  await ended;
});

test('a database of a newer relay stays unchanged, and the operator gets instructions', async () => {
  using folder = temporaryFolder();
  await (await startRelay({ dataDirectory: folder.path })).close();
  const database = new Database(join(folder.path, 'relay.db'));
  database.pragma('user_version = 999');
  database.close();
  const { code, stderr } = await waxwingProcess([
    'relay',
    '--data',
    folder.path,
    '--port',
    '0',
    '--log',
    'off',
  ]);
  expect([code, stderr.trim()]).toEqual([
    2,
    expect.stringMatching(
      /^The relay's database has version 999, and this relay supports version \d+\. Use a newer relay\.$/,
    ),
  ]);
});

describe('a damaged database', () => {
  const damages: [string, (file: string) => void][] = [
    ['without its beginning', (file) => writeFileSync(file, 'not a database'.repeat(1_000))],
    [
      'with foreign pages',
      (file) => {
        const bytes = readFileSync(file);
        bytes.fill(0xa5, 2 * 4_096);
        writeFileSync(file, bytes);
      },
    ],
  ];

  test.each(damages)('%s ends the relay with 2, so that it is not restarted', async (_, damage) => {
    using folder = temporaryFolder();
    await (await startRelay({ dataDirectory: folder.path })).close();
    const file = join(folder.path, 'relay.db');
    damage(file);
    const args = ['relay', '--data', folder.path, '--port', '0', '--log', 'off'];
    const { code, stderr } = await waxwingProcess(args);
    expect(stderr).toContain(`${file} is damaged (`);
    expect(stderr).not.toContain('No confirmed data is lost');
    expect(code).toBe(2);
  });
});

describe('the log', () => {
  async function logOf(...args: string[]): Promise<string[]> {
    using folder = temporaryFolder();
    await using relay = new WaxwingProcess(['relay', '--data', folder.path, '--port', '0', ...args]);
    await fetch(`${await relay.url()}/api/v1/handles/somebody`);
    await relay.stop();
    return relay.output.split('\n').filter((line) => line.includes('/handles/'));
  }

  test('is lines of JSON without a terminal', async () => {
    const lines = await logOf();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ route: '/api/v1/handles/:handle', status: 401 });
  });

  test('is short lines in a terminal, or off', async () => {
    const [line, ...others] = await logOf('--log', 'pretty');
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d {2}GET {2}\/api\/v1\/handles\/:handle {2}401 {2}[\d.]+ ms {2}unauthorized$/,
    );
    expect(others).toEqual([]);
    expect(await logOf('--log', 'off')).toEqual([]);
  });
});

describe('registration', () => {
  async function startOf(...args: string[]): Promise<{ output: string; registration: string }> {
    using folder = temporaryFolder();
    await using relay = new WaxwingProcess([
      'relay',
      '--data',
      folder.path,
      '--port',
      '0',
      '--log',
      'off',
      ...args,
    ]);
    const info = (await (await fetch(`${await relay.url()}/api/v1`)).json()) as { registration: string };
    await relay.stop();
    return { output: relay.output, registration: info.registration };
  }

  test('is open at a relay on loopback, and the relay reports it', async () => {
    const { output, registration } = await startOf();
    expect(registration).toBe('open');
    expect(output).toContain('Registration is open');
  });

  test('needs a code at a public relay, and the relay reports how to make one', async () => {
    for (const args of [
      ['--public-url', 'https://relay.example'],
      ['--host', '0.0.0.0'],
      ['--accept-host', 'relay.internal'],
    ]) {
      const { output, registration } = await startOf(...args);
      expect(registration).toBe('code');
      expect(output).toContain('Make one with: waxwing relay admin invite --data ');
    }
  });

  test('is the operator’s choice', async () => {
    expect(
      (await startOf('--public-url', 'https://relay.example', '--registration', 'open')).registration,
    ).toBe('open');
    const { output, registration } = await startOf('--registration', 'list');
    expect(registration).toBe('list');
    expect(output).toContain('Name one with: waxwing relay admin admit ADDRESS --data ');
  });
});

describe('the public URL', () => {
  test('must be https unless the operator accepts the risk', async () => {
    using folder = temporaryFolder();
    const args = ['relay', '--data', folder.path, '--port', '0', '--public-url', 'http://relay.example'];
    expect(await waxwingProcess(args)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Clients would send their credentials unprotected to http://relay.example. Put a proxy with TLS in front of the relay and give its https URL, or accept this with --insecure-http.\n',
    });
    await using relay = new WaxwingProcess([...args, '--insecure-http']);
    const response = await fetch(`${await relay.url()}/api/v1`);
    expect(response.headers.get('strict-transport-security')).toBeNull();
  });

  test('with https browsers get a header to use TLS only; an unnamed proxy is reported', async () => {
    using folder = temporaryFolder();
    const args = ['relay', '--data', folder.path, '--port', '0', '--public-url', 'https://relay.example'];
    const remark = 'Name the proxy with --trusted-proxy.';
    await using relay = new WaxwingProcess(args);
    const response = await fetch(`${await relay.url()}/api/v1`);
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    await relay.stop();
    expect(relay.output).toContain(remark);

    await using behind = new WaxwingProcess([
      ...args,
      '--trusted-proxy',
      '127.0.0.1',
      '--trusted-proxy',
      '::1',
    ]);
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    await fetch(`${await behind.url()}/api/v1`, forwarded);
    await behind.stop();
    expect(behind.output).not.toContain(remark);
    expect(behind.output).toContain('"network":"203.0.113.0/24"');
  });

  test('a forwarded address is accepted from a trusted proxy only', async () => {
    using folder = temporaryFolder();
    await using relay = new WaxwingProcess(['relay', '--data', folder.path, '--port', '0']);
    await fetch(`${await relay.url()}/api/v1`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    await relay.stop();
    expect(relay.output).toContain('"network":"127.0.0.0/24"');
  });
});

test('metrics are at the address in the first lines', async () => {
  using folder = temporaryFolder();
  await using relay = new WaxwingProcess([
    'relay',
    ...['--data', folder.path, '--port', '0', '--metrics-port', '0', '--log', 'off'],
  ]);
  await relay.url();
  await eventually(
    async () => relay.output,
    (output) => output.includes('Press Ctrl+C'),
  );
  const [, url = ''] = /^Metrics are at (\S+)$/m.exec(relay.output) ?? [];
  expect(await (await fetch(url)).text()).toContain('waxwing_held_polls 0');
});

describe('limits in a file', () => {
  test('apply, and are reported to clients', async () => {
    await using before = await personAtStoppedRelay();
    const folder = before.relay.folder.path;
    const file = join(folder, 'limits.json');
    writeFileSync(file, '{"batchEnvelopes": 7}');
    await using relay = new WaxwingProcess(['relay', '--data', folder, '--port', '0', '--limits', file]);
    const response = await fetch(`${await relay.url()}/api/v1/me`, authorised(before.person));
    expect(await response.json()).toMatchObject({ limits: { batchEnvelopes: 7, groupEnvelopes: 5_000 } });
  });

  test('are refused with their name if invalid', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'limits.json');
    writeFileSync(file, '{"batchEnvelops": 7}');
    for (const [path, sentence] of [
      [file, 'Unknown limit: “batchEnvelops”.'],
      [join(folder.path, 'missing.json'), 'It cannot be read: there is no such file.'],
    ] as const) {
      const { code, stderr } = await waxwingProcess(['relay', '--data', folder.path, '--limits', path]);
      expect(code).toBe(2);
      expect(stderr).toContain(sentence);
    }
  });
});

describe('under Node’s permission model, with write access to the data folder only', () => {
  const root = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)));
  const modules = realpathSync(join(root, 'node_modules'));

  function startConfined(folder: string): WaxwingProcess {
    const permissions = [
      '--permission',
      ...[root, modules, folder].map((path) => `--allow-fs-read=${path}`),
      `--allow-fs-write=${folder}`,
      '--allow-addons',
      '--allow-worker',
    ];
    return new WaxwingProcess(['relay', '--data', folder, '--port', '0'], permissions);
  }

  test('the relay accepts envelopes, serves its operator, and stops in order', async () => {
    await using before = await personAtStoppedRelay();
    const { person } = before;
    const folder = realpathSync(before.relay.folder.path);
    await using relay = startConfined(folder);
    const response = await fetch(`${await relay.url()}/api/v1/envelopes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(person.seal(person, person.device, 'from within')),
    });
    expect(response.status).toBe(201);
    expect(await runAdminCommand(folder, 'stats', {})).toMatchObject({ waitingEnvelopes: 1 });
    const inside = join(folder, 'copy.db');
    expect(await runAdminCommand(folder, 'backup', { file: inside })).toMatchObject({ file: inside });
    using elsewhere = temporaryFolder();
    const outside = runAdminCommand(folder, 'backup', { file: join(elsewhere.path, 'copy.db') });
    await expect(outside).rejects.toThrow(/could not be written: Node's permissions do not allow this path/);
    await relay.stop('SIGTERM');
    expect(relay.exitCode).toBe(0);
  });
});
