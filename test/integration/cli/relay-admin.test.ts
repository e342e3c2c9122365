import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { waxwing, waxwingProcess } from '../../support/waxwing-command.ts';

const relay = new TestRelay({ admin: true });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
  await relay.call('putHandle', { token: ann.token, body: { handle: 'ann' } });
});
afterAll(() => relay[Symbol.asyncDispose]());

function admin(...args: string[]): ReturnType<typeof waxwing> {
  return waxwing(['relay', 'admin', ...args, '--data', relay.folder.path]);
}

/** Output of a successful command. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
}

async function doneAsJson(...args: string[]): Promise<unknown> {
  return JSON.parse(await done(...args, '--json'));
}

async function failed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(...args);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.trim();
}

test('stats are a short table, or JSON', async () => {
  const { code, stdout: table } = await waxwingProcess([
    'relay',
    'admin',
    'stats',
    '--data',
    relay.folder.path,
  ]);
  expect(code).toBe(0);
  expect(table).toMatch(/^Relay +Waxwing relay, running for \d+ s$/m);
  expect(table).toMatch(/^Accounts +1, of which 0 suspended$/m);
  expect(await doneAsJson('stats')).toMatchObject({ accounts: 1, waitingEnvelopes: 0 });
});

test('a handle is verified and unverified', async () => {
  const verified = async () =>
    (await relay.call('getHandle', { token: ann.token, params: { handle: 'ann' } })).body.verified;
  expect(await done('verify', '@ann')).toBe('@ann is verified.');
  expect(await verified()).toBe(true);
  expect(await done('handles', 'an')).toMatch(/^@ann +0x[0-9a-f]{40} +verified$/);
  expect(await doneAsJson('unverify', '@ann')).toEqual({ handle: 'ann', verified: false });
  expect(await verified()).toBe(false);
});

test('an account is suspended and gets access again, by handle or by address', async () => {
  expect(await done('suspend', '@ann')).toBe(
    `${ann.address} is suspended: none of its credentials works, and its handle is hidden. Messages to it are still stored.`,
  );
  await relay.refuse('account_suspended', 'getMe', { token: ann.token });
  expect(await done('handles')).toMatch(/ suspended$/);
  expect(await done('unsuspend', ann.address)).toBe(`${ann.address} has access again.`);
  await relay.call('getMe', { token: ann.token });
});

test('an invitation code is made, listed without the code, and revoked', async () => {
  const made = await done('invite', '--uses', '3', '--expires', '2d');
  const [code, explanation, remark] = made.split('\n');
  expect(code).toMatch(/^inv_[\w-]{43}$/);
  expect(explanation).toMatch(/^It opens 3 accounts until .*\. It is shown only now\.$/);
  expect(remark).toBe('This relay does not ask for codes: registration is open to everyone.');
  const [listed] = (await doneAsJson('invitations')) as { id: string }[];
  expect(listed).toMatchObject({ uses: 3, usesLeft: 3, maker: null });
  expect(await done('invitations')).not.toContain(code);
  const id = listed?.id ?? '';
  expect(await done('revoke-invitation', id)).toBe(`The code ${id} can no longer open accounts.`);
  expect(await done('invitations')).toBe('No code can be used.');
  expect(await failed('revoke-invitation', id)).toBe(`There is no invitation code with the id ${id} here.`);
  const expires = new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10);
  expect(await failed('invite', '--expires', expires)).toContain('at most one year ahead');
});

test('an address is added to the list of accounts without codes, and removed', async () => {
  expect(await done('admit', ann.address)).toBe(`${ann.address} may open an account without a code.`);
  expect(await done('admitted')).toMatch(new RegExp(`^${ann.address} +has an account$`));
  expect(await done('unadmit', ann.address)).toContain('is not on the list');
  expect(await done('admitted')).toBe('No address is on the list.');
});

test('a group is removed in two steps, with the second command ready to copy', async () => {
  const name = 'Ann’s & Bob’s "it\'s" group';
  const { id, params } = await TestRoster.begin(ann, { name });
  expect(await done('groups', 'bob')).toMatch(new RegExp(`^${id} +${name} +1 member$`));
  expect(await done('verify', id)).toBe(`The group ${id} is verified.`);
  const preview = await done('remove-group', id);
  expect(preview).toContain(`This would be removed: “${name}” (${id}), owned by ${ann.address}`);
  expect(preview).toContain(`--yes-remove 'Ann’s & Bob’s "it'\\''s" group'`);
  expect(await doneAsJson('remove-group', id)).toMatchObject({ removed: false, group: { id, name } });
  expect(await failed('remove-group', id, '--yes-remove', 'Bob')).toContain('Nothing was removed.');
  await relay.call('getGroup', { token: ann.token, params });
  expect(await done('remove-group', id, '--yes-remove', name)).toMatch(/^Removed: /);
  await relay.refuse('not_found', 'getGroup', { token: ann.token, params });
  expect(await failed('remove-group', id)).toBe(`There is no group with the id ${id} here.`);
});

test('a backup is written once, for its owner only', async () => {
  const file = join(relay.folder.path, 'backup.db');
  expect(await done('backup', file)).toMatch(/backup\.db has \d+\.\d KiB, readable by you alone\.$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await failed('backup', file)).toBe(
    `The backup ${file} could not be written: the file already exists.`,
  );
  const folder = relay.folder.path;
  expect(await failed('backup', folder)).toBe(
    `The backup ${folder} could not be written: it is a folder. Add the name of a file.`,
  );
});

test('the audit log is shown and checked; it contains the actions of the operator', async () => {
  await done('verify', '@ann');
  const newest = await done('audit', '--limit', '1');
  expect(newest).toMatch(/^\d+ +\S+Z +operator +handle\.verified +@ann$/);
  const rows = (await doneAsJson('audit', '--limit', '2')) as object[];
  expect(rows).toHaveLength(2);
  expect(await done('audit', '--verify')).toMatch(/^All \d+ entries are as they were written\./);
  expect(await doneAsJson('audit', '--verify')).toMatchObject({ problem: null });
});

test('empty lists print a sentence', async () => {
  expect(await done('handles', 'zzzz')).toBe('No handle fits.');
  expect(await done('groups', 'zzzz')).toBe('No group fits.');
  expect(await doneAsJson('groups', 'zzzz')).toEqual([]);
});

test.each(['-KulWpNQ1988ePvfdQqSww', '--ulWpNQ1988ePvfdQqSww'])(
  'the id %s of a group or code is requested',
  async (id) => {
    for (const command of ['verify', 'unverify', 'remove-group', 'revoke-invitation'])
      expect(await failed(command, id)).toContain(id);
  },
);

test('an unknown handle, address or relay prints an error', async () => {
  expect(await failed('verify', '@nobody')).toBe('No account here has the handle @nobody.');
  const stranger = `0x${'1'.repeat(40)}`;
  expect(await failed('suspend', stranger)).toBe(`${stranger} has no account here.`);
  const { code, stderr } = await waxwing(['relay', 'admin', 'stats', '--data', '/nowhere/at/all']);
  expect([code, stderr.trim()]).toEqual([
    1,
    'No relay is running with the data in /nowhere/at/all. Start it with: waxwing relay --data /nowhere/at/all',
  ]);
});

describe('wrong usage is refused with 2', () => {
  test.each<[string, string]>([
    ['stats', "error: required option '--data <folder>' not specified"],
    ['verify ann --data x', 'It has to be @handle, or the id of a group, which has 22 characters.'],
    [
      'verify @A --data x',
      'This is not a handle: a handle has 3 to 32 of a-z, 0-9 and _, and begins with a letter.',
    ],
    ['suspend 0x12 --data x', 'An address is 0x and 40 hexadecimal digits. A handle begins with @.'],
    ['audit --limit 0 --data x', 'It has to be a number from 1 to 10000.'],
    ['destroy --data x', "error: unknown command 'destroy'"],
    ['stats --everything --data x', "error: unknown option '--everything'"],
  ])('waxwing relay admin %s', async (command, sentence) => {
    const { code, stdout, stderr } = await waxwing(['relay', 'admin', ...command.split(' ')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });
});

describe('help', () => {
  test('the commands are listed', async () => {
    const { code, stdout } = await waxwing(['relay', 'admin', '--help']);
    expect(code).toBe(0);
    for (const command of ['stats', 'verify', 'suspend', 'remove-group', 'backup', 'audit']) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
  });

  test.each(['stats', 'verify', 'handles', 'remove-group', 'backup', 'audit'])(
    '%s has help with an example',
    async (command) => {
      const { code, stdout, stderr } = await waxwing(['relay', 'admin', command, '--help']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`  $ waxwing relay admin ${command}`);
      expect(stdout).toContain('--data <folder>');
    },
  );
});
