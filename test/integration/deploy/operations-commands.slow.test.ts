/**
 * The commands of docs/operations.md about databases, exactly as on the page, run by root on a Debian server.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DebianMachine, missingForMachine } from '../../support/debian/machine.ts';
import { temporaryFolder } from '../../support/engine.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

/** The commands below a heading, up to the next one, one text for each block. */
function commandsOf(heading: string): string[] {
  const [, section] = new RegExp(`^#+ ${heading}\n(.*?)(?=^#{2,3} )`, 'ms').exec(page) ?? [];
  if (section === undefined) throw new Error(`the page has no heading “${heading}”`);
  return Array.from(section.matchAll(/^( *)```sh\n(.*?)^ *```$/gms), ([, indent = '', commands = '']) =>
    commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Commands without those that need the internet, which ran when the machine was created. */
function withoutInstallation(commands: string): string {
  return commands.replace(/^(?:apt-get|npm) .*\n/gm, '');
}

/** The same commands with other values in place of the page's examples. Each example must occur. */
function withValues(commands: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, () => to);
  }, commands);
}

/** Waits until the relays at these ports are ready; fails with their logs. */
function ready(...ports: number[]): string {
  const urls = ports.map((port) => `http://127.0.0.1:${port}/readyz`).join(' ');
  return `curl -fs --retry 30 --retry-delay 1 --retry-connrefused ${urls} || { tail -n 20 /run/*.log; false; }`;
}

/** Runs commands, the last of which starts a relay; waits until that is ready, and stops it. */
async function runRelay(machine: DebianMachine, commands: string): Promise<void> {
  await machine.run(`${commands.trimEnd()} > /run/relay.log 2>&1 & relay=$!`);
  await machine.run(ready(8787));
  await machine.run('kill $relay && wait $relay');
}

/** Number of valid invitation codes at the relay of a data folder. */
async function countCodes(machine: DebianMachine, relay: string): Promise<number> {
  const data = `/var/lib/waxwing/${relay}`;
  const listed = await machine.run(`sudo -u waxwing waxwing relay admin invitations --json --data ${data}`);
  return (JSON.parse(listed) as unknown[]).length;
}

/** Number of command blocks in each chapter about databases. The tests below run all of them. */
const BLOCKS = {
  PostgreSQL: 3,
  'A standby that takes over': 1,
  'Mail on several servers': 0,
  'Moving a relay from its file to PostgreSQL': 2,
  'Backup and restore': 3,
  'With PostgreSQL': 7,
};

test.each(Object.entries(BLOCKS))('the tests cover all commands of the chapter “%s”', (heading, count) => {
  expect(commandsOf(heading)).toHaveLength(count);
});

/** The relays stop cleanly many times, and drain. */
const LIMIT = 300_000;

const missing = missingForMachine();
if (missing !== null) console.warn(`The commands of docs/operations.md are not run: ${missing}.`);

describe.skipIf(missing !== null)('the commands of docs/operations.md', () => {
  const folder = temporaryFolder();
  let tarball: string;
  beforeAll(() => {
    const packed = spawnSync(process.execPath, ['scripts/pack.mjs', folder.path], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(packed.stderr).toBe('');
    tarball = packed.stdout.trim().split('\n').at(-1) ?? '';
  });
  afterAll(() => folder[Symbol.dispose]());

  test(
    'two relays are installed, dumped, restored, and returned to a point in time',
    async () => {
      await using machine = await new DebianMachine(tarball).start();
      // The first block builds the package; the one before the last needs a certificate of the internet for Caddy.
      const [, install = '', makeDatabase = '', configure = '', , invite = ''] = commandsOf(
        'From nothing to two relays with TLS, in half an hour',
      );
      await machine.run(withoutInstallation(install));
      await machine.run(makeDatabase);
      await machine.run(configure);
      await machine.run(invite);

      const [dump = '', restore = '', point = '', archive = '', role = '', base = '', goBack = ''] =
        commandsOf('With PostgreSQL');
      await machine.run(dump);
      expect(await machine.run('stat -c %a /srv/waxwing/waxwing.dump')).toBe('600');
      await machine.run(invite);
      expect(await countCodes(machine, 'one')).toBe(2);
      await machine.run(restore);
      await machine.run(point);
      await machine.run(ready(8787, 8788));
      expect(await countCodes(machine, 'two')).toBe(1);

      await machine.run('systemctl stop "waxwing-relay@*"');
      await machine.run(archive);
      await machine.run('systemctl start waxwing-relay@one waxwing-relay@two');
      await machine.run(ready(8787, 8788));
      await machine.run(role);
      await machine.run(base);
      const backup = await machine.run('ls -d /srv/waxwing/base/*');
      await machine.run(invite);
      const moment = await machine.run("sudo -u postgres psql -Atc 'SELECT clock_timestamp()'");
      await machine.run(invite);
      expect(await countCodes(machine, 'one')).toBe(3);
      // The archive has everything committed by now.
      await machine.run("sudo -u postgres psql -Atc 'SELECT pg_switch_wal()'");
      await machine.run(
        withValues(goBack, {
          '/srv/waxwing/base/20270131T020000Z': backup,
          '2027-01-31 12:00:00+00': moment,
        }),
      );
      await machine.run(ready(8787, 8788));
      expect(await countCodes(machine, 'two')).toBe(2);
      await machine.run(base);
      expect(await machine.run('ls -d /srv/waxwing/base/*')).not.toBe(backup);
    },
    LIMIT,
  );

  test(
    'a relay on a file is backed up and restored by root',
    async () => {
      await using machine = await new DebianMachine(tarball).start();
      const [install = ''] = commandsOf('systemd');
      await machine.run(withoutInstallation(install));
      const invite = 'sudo -u waxwing waxwing relay admin invite --data /var/lib/waxwing/main';
      await machine.run(invite);
      const [restore = '', backUp = '', newest = ''] = commandsOf('Backup and restore');
      const [, makeFolder = ''] = /# once: (.*)/.exec(backUp) ?? [];
      await machine.run(makeFolder);
      await machine.run(backUp);
      await machine.run(invite);
      expect(await countCodes(machine, 'main')).toBe(2);
      const backup = await machine.run(withValues(newest, { '20270131T120000Z': '99991231T120000Z' }));
      await machine.run(withValues(restore, { '/var/lib/waxwing/main/backups/20270131T120000Z.db': backup }));
      await machine.run(ready(8787));
      expect(await countCodes(machine, 'main')).toBe(1);
    },
    LIMIT,
  );

  test(
    'a relay moves from its file to PostgreSQL',
    async () => {
      await using machine = await new DebianMachine(tarball).start();
      const [install = ''] = commandsOf('systemd');
      await machine.run(withoutInstallation(install));
      await machine.run(ready(8787));
      const [stats = ''] = commandsOf('Administration');
      expect(await machine.run(stats)).toContain('running for');
      await machine.run('sudo -u waxwing waxwing relay admin invite --data /var/lib/waxwing/main');

      const [makeDatabase = '', admit = '', begin = ''] = commandsOf('PostgreSQL');
      await machine.run(makeDatabase);
      await machine.run(admit);
      const [move = '', start = ''] = commandsOf('Moving a relay from its file to PostgreSQL');
      expect(await machine.run(move)).toContain('Each is in PostgreSQL as it is in the file.');
      await machine.run(start);
      await machine.run(ready(8787));
      expect(await countCodes(machine, 'main')).toBe(1);

      await machine.run('systemctl stop waxwing-relay@main');
      const relay = 'waxwing relay --data /var/lib/waxwing';
      await runRelay(machine, begin);
      const [standbys = ''] = commandsOf('A standby that takes over');
      await runRelay(machine, `${standbys}${relay}`);
    },
    LIMIT,
  );
});
