/**
 * The log of commands, in its files and with `--verbose`.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, waxwing, waxwingProcess } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

function recordsIn(folder: string): LogRecord[] {
  return readFileSync(join(folder, 'command.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogRecord);
}

test('C17: content, people, places and secrets are neither in the log of commands nor printed by --verbose', async () => {
  using folder = temporaryFolder();
  const logs = join(folder.path, 'logs');
  const env = {
    WAXWING_RELAY: relay.url,
    WAXWING_IDENTITY: join(folder.path, 'identity.json'),
    WAXWING_LOG: logs,
  };
  const made = await answer<{ address: string; phrase: string }>(
    ['init', '--handle', 'marker_me', '--show-phrase'],
    { env },
  );
  const group = await answer<{ id: string }>(['groups', 'create', 'MARKERgroup'], {
    env: { ...env, WAXWING_GROUP_PASSWORD: 'MARKERpassword' },
  });
  const token = await answer<{ secret: string }>(['groups', 'token', 'create', group.id, 'MARKERtoken'], {
    env,
  });
  const peer = { ...env, WAXWING_IDENTITY: join(folder.path, 'peer.json'), WAXWING_LOG: 'off' };
  await answer(['init', '--handle', 'marker_peer'], { env: peer });
  await answer(['groups', 'join', group.id], { env: { ...peer, WAXWING_GROUP_PASSWORD: 'MARKERpassword' } });
  const stdout = [
    await waxwingProcess(['send', '@marker_peer', 'MARKERtext', '--verbose'], { env }),
    await waxwing(['send', '--verbose', '--group', group.id, '-'], { env, input: 'MARKERtext' }),
    await waxwing(['inbox', '--verbose'], { env: peer }),
    await waxwing(['resolve', '@marker_nobody', '--verbose'], { env }),
    await waxwing(['groups', 'token', 'list', group.id, '--verbose'], { env }),
  ];
  expect(stdout.map(({ code }) => code)).toEqual([0, 0, 0, 5, 0]);
  expect(stdout[2]?.stdout).toContain('MARKERtext');
  const outputs = stdout.map(({ stderr }) => stderr);
  expect(outputs[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}debug {2}relay\.called {2}sendEnvelopes {2}\d+ ms$/m);
  expect(outputs[0]).toMatch(/info {3}command\.ended {2}send {2}\d+ ms$/m);
  expect(outputs[3]).toMatch(/warn {3}command\.ended {2}resolve {2}not_found {2}\d+ ms$/m);
  expect(outputs[4]).toMatch(/info {3}command\.ended {2}groups token list {2}\d+ ms$/m);

  const records = recordsIn(logs);
  expect(records.filter(({ event }) => event === 'command.ended')).toHaveLength(7);
  expect(records.filter(({ level }) => level === 'debug')).toEqual([]);
  const text = readFileSync(join(logs, 'command.log'), 'utf8');
  // A refusal is a sentence for the person, who gave the name.
  const verbose = outputs.join('\n').replaceAll(/^[^0-9 ].*$/gm, '');
  const secrets = [
    'MARKER',
    'marker_',
    made.address.slice(2),
    made.address.slice(2).toLowerCase(),
    made.phrase,
    group.id,
    token.secret,
    new URL(relay.url).host,
    folder.path,
  ];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5);
    expect(text).not.toContain(secret);
    expect(verbose).not.toContain(secret);
  }
  if (process.platform !== 'win32') {
    expect(statSync(logs).mode & 0o777).toBe(0o700);
    expect(statSync(join(logs, 'command.log')).mode & 0o777).toBe(0o600);
  }
});

test('simultaneous commands write whole lines, and the common log is bounded', async () => {
  using folder = temporaryFolder();
  const line = `${JSON.stringify({ level: 'info', event: 'x'.repeat(100) })}\n`;
  writeFileSync(join(folder.path, 'command.log'), line.repeat(Math.ceil(2 ** 20 / line.length)));
  for (let file = 1; file <= 4; file++) writeFileSync(join(folder.path, `command.${file}.log`), line);
  const env = {
    WAXWING_LOG: folder.path,
    WAXWING_RELAY: 'http://127.0.0.1:9',
    WAXWING_API_KEY: `sk_live_${'a'.repeat(43)}`,
  };
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => waxwingProcess(['me'], { env })));
  expect(outcomes.map(({ code }) => code)).toEqual([4, 4, 4, 4]);
  expect(outcomes.map(({ stderr }) => stderr).join('')).not.toContain('command.ended');
  expect(readdirSync(folder.path).length).toBeLessThanOrEqual(5);
  const sizes = readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).size);
  expect(Math.max(...sizes)).toBeLessThan(1.1 * 2 ** 20);
  for (const record of recordsIn(folder.path)) expect(record.event).toBe('command.ended');
});

test('a command whose log cannot be written does its work', async () => {
  using folder = temporaryFolder();
  const inTheWay = join(folder.path, 'file');
  writeFileSync(inTheWay, '');
  const env = { WAXWING_LOG: join(inTheWay, 'logs'), WAXWING_RELAY: relay.url };
  const { code, stderr } = await waxwing(['me'], { env });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^No credential found\./)]);
});
