#!/usr/bin/env node
/**
 * `systemctl` where no systemd is the first process: starts and stops Debian's PostgreSQL, and relays by their unit.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

process.umask(0o022);
const PIDS = '/run/units';
mkdirSync(PIDS, { recursive: true });
if (userInfo().uid !== 0) throw new Error('systemctl: only root may do this');

const [verb, ...names] = process.argv.slice(2).filter((argument) => argument !== '--now');
const units = names.flatMap(matching);
if (verb === 'daemon-reload') process.exit(0);
if (!['enable', 'start', 'stop', 'restart'].includes(verb))
  throw new Error(`systemctl: ${verb} is not known here`);
for (const unit of units) {
  if (verb === 'stop' || verb === 'restart') await stop(unit);
  if (verb !== 'stop') start(unit);
}

/** The running units that match a pattern. */
function matching(name) {
  if (!name.endsWith('*')) return [name];
  return readdirSync(PIDS).filter((unit) => unit.startsWith(name.slice(0, -1)));
}

function start(unit) {
  if (unit === 'postgresql') return cluster('start');
  const [, name] = /^waxwing-relay@(\w+)$/.exec(unit) ?? [];
  if (name === undefined) throw new Error(`systemctl: there is no unit ${unit} here`);
  if (existsSync(`${PIDS}/${unit}`)) return;
  const text = readFileSync('/etc/systemd/system/waxwing-relay@.service', 'utf8')
    .replaceAll('\\\n', ' ')
    .replaceAll('%i', name);
  const setting = (key) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const account = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${setting('User')}:`));
  const [, , uid, gid] = account.split(':').map(Number);
  const folders = [
    ...setting('StateDirectory')
      .split(' ')
      .map((each) => [`/var/lib/${each}`, setting('StateDirectoryMode')]),
    ...setting('LogsDirectory')
      .split(' ')
      .map((each) => [`/var/log/${each}`, setting('LogsDirectoryMode')]),
  ];
  for (const [folder, mode] of folders) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    chmodSync(folder, Number.parseInt(mode, 8));
    chownSync(folder, uid, gid);
  }
  const env = Object.fromEntries(
    readFileSync(setting('EnvironmentFile'), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split(/=(.*)/s, 2)),
  );
  const [file, ...args] = setting('ExecStart')
    .split(/\s+/)
    .flatMap((word) => (word === '$WAXWING_OPTIONS' ? (env.WAXWING_OPTIONS ?? '').split(' ') : [word]));
  const log = openSync(`/run/${unit}.log`, 'a');
  process.umask(Number.parseInt(setting('UMask'), 8));
  const child = spawn(file, args, { uid, gid, env, cwd: '/', detached: true, stdio: ['ignore', log, log] });
  writeFileSync(`${PIDS}/${unit}`, `${child.pid}`);
  child.unref();
}

async function stop(unit) {
  if (unit === 'postgresql') return cluster('stop');
  const file = `${PIDS}/${unit}`;
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}`)) await delay(20);
  rmSync(file);
}

function cluster(verb) {
  const [version] = readdirSync('/etc/postgresql');
  const { status } = spawnSync(
    'pg_ctlcluster',
    ['--skip-systemctl-redirect', version, 'main', verb, '--mode=fast'].slice(0, verb === 'stop' ? 5 : 4),
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (status !== 0) process.exit(1);
}
