/**
 * Opening and ending an account from the command line.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { joinAs, TestRoster } from '../../support/relay-rosters.ts';
import { answer, waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay({ admin: true, registration: 'code', memberInvitations: true });
const folder = temporaryFolder();
beforeAll(() => relay.start());
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function newCode(): Promise<string> {
  const expires = encodeTime(relay.now() + 3_600_000);
  return (await runAdminCommand(relay.folder.path, 'invite', { uses: 1, expires })).code;
}

/** The file of an identity with an account. */
async function registered(handle: string): Promise<string> {
  const file = join(folder.path, `${handle}.json`);
  const args = ['init', '--relay', relay.url, '--file', file, '--handle', handle, '--json'];
  await answer([...args, '--invitation', await newCode()]);
  return file;
}

test('init accepts an invitation code, reports a missing one, and continues with the same identity', async () => {
  const file = join(folder.path, 'invited.json');
  const args = ['init', '--relay', relay.url, '--file', file];
  const refused = await waxwing(args);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('Give it with: waxwing init --invitation CODE');
  const { code, stdout } = await waxwing([...args, '--invitation', await newCode()]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('address')]);
});

test('an account is deleted after seven days once its name is typed, and can be kept', async () => {
  const file = await registered('keeper_bot');
  const remove = ['account', 'delete', '--identity', file];
  expect(await answer(remove.concat('--json'))).toEqual({
    deleted: false,
    deletesAt: null,
    confirmWith: '@keeper_bot',
  });
  const preview = await waxwing(remove);
  expect(preview.stdout).toContain('would be deleted in seven days');
  expect(preview.stderr).toContain('--yes-delete @keeper_bot');
  const wrong = await waxwing([...remove, '--yes-delete', '@other_bot']);
  expect(wrong).toMatchObject({ code: 1, stderr: 'That is not @keeper_bot. Nothing was deleted.\n' });
  const { stdout } = await waxwing([...remove, '--yes-delete', '@keeper_bot']);
  expect(stdout).toMatch(
    /^The account of @keeper_bot is deleted on \d{4}-.*Until then: waxwing account keep\n$/,
  );
  expect((await waxwing(['me', '--identity', file])).stdout).toContain('waxwing account keep cancels it');
  expect(await waxwing(['account', 'keep', '--identity', file])).toMatchObject({
    code: 0,
    stdout: 'The account stays.\n',
  });
  expect(await answer(['me', '--identity', file, '--json'])).toMatchObject({ deletesAt: null });
});

test('with --now an account ends at once and leaves its groups; reopen and init restore it', async () => {
  const file = await registered('leaver_bot');
  const owner = await new Person(relay).login(await newCode());
  await owner.publishDevices();
  const group = await TestRoster.begin(owner);
  await answer(['groups', 'join', group.id, '--identity', file, '--json']);
  const args = ['account', 'delete', '--now', '--yes-delete', '@leaver_bot', '--identity', file, '--json'];
  expect(await answer(args)).toMatchObject({ deleted: true, deletesAt: null });
  const { body } = await relay.call('getGroup', { token: owner.token, params: group.params });
  expect(body.members).toEqual([owner.address]);

  expect(await waxwing(['account', 'keep', '--identity', file])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('To open it again, empty: waxwing account reopen'),
  });
  const reopen = ['account', 'reopen', '--identity', file];
  expect((await waxwing(reopen)).stdout).toContain('open again, and empty');
  expect((await waxwing(reopen)).stdout).not.toContain('empty');
  await answer(['init', '--renew', '--relay', relay.url, '--file', file, '--json']);
  expect(await answer(['me', '--identity', file, '--json'])).toMatchObject({ handle: 'leaver_bot' });
});

test('reopening an account that was not deleted changes nothing, and names a planned deletion', async () => {
  const file = await registered('open_bot');
  const reopen = ['account', 'reopen', '--identity', file];
  const unchanged = 'The account of @open_bot is not deleted. Nothing was changed.\n';
  expect(await waxwing(reopen)).toMatchObject({ code: 0, stdout: unchanged, stderr: '' });
  await answer(['account', 'delete', '--yes-delete', '@open_bot', '--identity', file, '--json']);
  const planned = await waxwing(reopen);
  expect(planned).toMatchObject({ code: 0, stdout: unchanged });
  expect(planned.stderr).toContain('To keep it: waxwing account keep');
});

test('an account that owns a group with other members is not deleted and leaves no group', async () => {
  const file = await registered('owner_bot');
  const { id } = await answer<{ id: string }>([
    'groups',
    'create',
    'Mine',
    '--open',
    '--identity',
    file,
    '--json',
  ]);
  const other = await new Person(relay).login(await newCode());
  await other.publishDevices();
  await joinAs(other, id);
  const args = ['account', 'delete', '--now', '--yes-delete', '@owner_bot', '--identity', file, '--json'];
  const { code, stderr } = await waxwing(args);
  expect([code, JSON.parse(stderr)]).toEqual([
    1,
    { error: expect.objectContaining({ code: 'owns_groups' }) },
  ]);
  expect(await answer(['me', '--identity', file, '--json'])).toMatchObject({ deletesAt: null });
});

test('members can invite if the operator allows it', async () => {
  const file = await registered('inviter_bot');
  const { stdout } = await waxwing(['account', 'invite', '--uses', '2', '--identity', file]);
  expect(stdout).toMatch(/^inv_[\w-]{43}\n$/);
  await new Person(relay).login(stdout.trim());
  expect((await waxwing(['account', 'invite', '--uses', '21', '--identity', file])).code).toBe(2);
});
