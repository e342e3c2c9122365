/**
 * Posts to a large group: the longest delay of the answering thread by a post of 1,000 and of 5,000 copies, beside that of
 * an idle relay.
 *
 *   node bench/group-posts.ts [posts of each size]
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3-multiple-ciphers';
import { bucketOf, queueKey } from '../src/relay/store/sql/queue-keys.ts';
import { temporaryFolder } from '../test/support/engine.ts';
import { newPerson } from '../test/support/person.ts';
import { ROOMY_RATES } from '../test/support/rates.ts';
import { TestRelay } from '../test/support/relay.ts';
import { TestRoster } from '../test/support/relay-rosters.ts';
import { RELAY_OPTIONS } from './support/process.ts';
import { isSmoke, Report, sizeOf } from './support/report.ts';

const POSTS = sizeOf(0, 8, 1);
const MEMBERS = isSmoke ? 50 : 5_000;
const SIZES = [0, MEMBERS / 5, MEMBERS];
const DAY = 24 * 3_600_000;

using folder = temporaryFolder();
const preparing = await new TestRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } }).start();
const ann = await newPerson(preparing);
const group = await TestRoster.begin(ann, { name: 'Large' });
const template = ann.seal(ann, ann.device, 'a short message');
await preparing.stop();

/** Makes members with a device each. @returns the recipient fields of a copy for each of them */
function addMembers(): { toAddress: string; recipientDeviceKey: string }[] {
  const database = new Database(join(folder.path, 'relay.db'));
  const account = database.prepare('INSERT INTO account (address, created_at, queues) VALUES (?, 0, 1)');
  const person = database.prepare("INSERT INTO roster_person VALUES (?, ?, 1, 1, '[]', NULL, 0, 0)");
  const device = database.prepare("INSERT INTO device VALUES (?, ?, randomblob(16), ?, 1, ?, '{}')");
  const queue = database.prepare('INSERT INTO queue VALUES (?, ?, 0, 0)');
  const key = Number(database.prepare('SELECT id FROM chat_group WHERE public_id = ?').pluck().get(group.id));
  const members = database.transaction(() =>
    Array.from({ length: MEMBERS }, () => {
      const [address, sealKey] = [randomBytes(20), randomBytes(32)];
      const id = Number(account.run(address).lastInsertRowid);
      person.run(key, id);
      device.run(queueKey(id, 1), id, sealKey, Date.now() + 30 * DAY);
      queue.run(queueKey(id, 1), bucketOf(id));
      return { toAddress: `0x${address.toString('hex')}`, recipientDeviceKey: sealKey.toString('base64url') };
    }),
  )();
  // Lists of large groups are read on another thread.
  database.prepare('UPDATE chat_group SET member_count = member_count + ? WHERE id = ?').run(MEMBERS, key);
  database.close();
  return members;
}

const members = addMembers();
const entry = new URL('./support/watched-relay.ts', import.meta.url).pathname;
const child = spawn(process.execPath, [...RELAY_OPTIONS, entry, folder.path], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
process.once('exit', () => child.kill());
const lines = createInterface(child.stdout);
const [port] = (await once(lines, 'line')) as [string];

async function longestStall(): Promise<number> {
  child.stdin.write('\n');
  const [line] = (await once(lines, 'line')) as [string];
  return Number(line);
}

async function post(copies: number): Promise<void> {
  const envelopes = members.slice(0, copies).map((member) => ({
    ...template,
    ...member,
    nonce: randomBytes(12).toString('base64url'),
  }));
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/groups/${group.id}/envelopes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ envelopes }),
  });
  const { accepted } = (await answer.json()) as { accepted: number };
  if (accepted !== copies) throw new Error(`${accepted} of ${copies} copies were accepted: ${answer.status}`);
}

const report = new Report(
  'The longest wait of the answering thread during a post to a large group, beside an idle relay',
);
for (const copies of SIZES) {
  const [stalls, times]: [number[], number[]] = [[], []];
  for (let index = 0; index <= POSTS; index++) {
    await longestStall();
    const begin = performance.now();
    if (copies > 0) await post(copies);
    else await sleep(200);
    times.push(performance.now() - begin);
    stalls.push(await longestStall());
  }
  const name = copies === 0 ? 'idle' : `${copies} copies`;
  // The first of a size compiles code.
  report.figure(`${name}: longest wait`, 'ms', stalls.slice(1), copies === MEMBERS ? { atMost: 12 } : null);
  if (copies > 0) report.figure(`${name}: answer`, 'ms', times.slice(1));
}
report.finish();
process.exit();
