/**
 * A group with three people and a bot, by the command alone.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBot } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, type Outcome, waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
const folder = temporaryFolder();
const fileOf = (name: string) => join(folder.path, `${name}.json`);
/** Runs a command as one of the people. */
const as = (name: string, ...args: string[]): Promise<Outcome> =>
  waxwing([...args, '--identity', fileOf(name)]);

interface Group {
  id: string;
  memberCount: number;
  members: string[];
  botTokens?: { id: string; name: string }[];
}

const groupFor = (name: string, ...args: string[]) => answer<Group>([...args, '--identity', fileOf(name)]);

let apiKey = '';
beforeAll(async () => {
  await relay.start();
  for (const name of ['ann', 'bob', 'cat', 'dan']) {
    const { identity } = await newBot(relay, { handle: `grp_${name}`, file: fileOf(name) });
    apiKey = identity.apiKey ?? '';
  }
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Output without the ids of messages, which differ each time. */
const withoutRefs = (stdout: string) => stdout.replace(/^ref: .*\n/gm, '');

test.each([
  ['create', ['Both']],
  ['joining', ['AAAAAAAAAAAAAAAAAAAAAA']],
])('groups %s refuses a password for a group that anyone may join', async (command, args) => {
  const password = join(folder.path, 'unused-password');
  writeFileSync(password, 'open sesame\n');
  const { code, stdout, stderr } = await as(
    'ann',
    'groups',
    command,
    ...args,
    '--open',
    '--password-file',
    password,
  );
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Use --open, or a password, but not both.');
});

test('groups join reports a file without a ticket', async () => {
  const file = join(folder.path, 'ticket');
  writeFileSync(file, 'not a ticket\n');
  const { code, stderr } = await as('ann', 'groups', 'join', 'AAAAAAAAAAAAAAAAAAAAAA', '--ticket-file', file);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} has no ticket.`)]);
});

test('a name with a line break and a description with a control character are refused', async () => {
  const named = await as('ann', 'groups', 'create', 'a\nb');
  expect([named.code, named.stderr]).toEqual([1, 'A name has one line, without control characters.\n']);
  const described = await as('ann', 'groups', 'create', 'Fine', '--description', 'a\u0007b');
  expect([described.code, described.stderr]).toEqual([1, 'A description has no control characters.\n']);
});

test('rights for a person who is not a member are refused, with the reason', async () => {
  const { id } = await groupFor('ann', 'groups', 'create', 'Alone');
  const transferred = await as('ann', 'groups', 'transfer', id, '@grp_bob');
  expect(transferred).toMatchObject({
    code: 3,
    stderr: 'The new owner has to be another member of the group.\n',
  });
  expect((await as('ann', 'groups', 'admin', id, '@grp_bob')).stderr).toContain(
    'has to be a member of the group',
  );
});

test('three people and a bot use a group from its creation to its end', async () => {
  const password = join(folder.path, 'password');
  writeFileSync(password, 'open sesame\n');
  const { id } = await groupFor(
    'ann',
    'groups',
    'create',
    'Build hall',
    '--description',
    'news',
    '--password-file',
    password,
  );

  const closed = await as('bob', 'groups', 'join', id);
  expect([closed.code, closed.stdout]).toEqual([3, '']);
  expect((await groupFor('bob', 'groups', 'join', id, '--password-file', password)).memberCount).toBe(2);
  const env = { WAXWING_GROUP_PASSWORD: 'open sesame' };
  expect(await answer(['groups', 'join', id, '--identity', fileOf('cat')], { env })).toMatchObject({
    memberCount: 3,
  });

  expect((await as('dan', 'groups', '--search', 'build')).stdout).toBe(
    `${id}  Build hall  3 members  by password\n`,
  );
  expect((await as('dan', 'groups', '--mine')).stderr).toBe('There are no such groups.\n');
  expect(await groupFor('bob', 'groups', 'list', '--mine')).toMatchObject({ groups: [{ id }] });

  expect((await as('bob', 'send', '--group', id, 'Hello, hall.')).stdout).toMatch(
    /^Sent to the group, sealed for 2 devices/,
  );

  const created = await as('ann', 'groups', 'token', 'create', id, 'ci');
  const [, secret = '', key = ''] =
    created.stdout.match(/^WAXWING_GROUP_TOKEN=(gtk_live_[\w-]{43})\nWAXWING_BOT_KEY=(wxb_[\w-]{43})\n$/) ??
    [];
  const fileWith = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), `${text}\n`, { mode: 0o600 });
    return join(folder.path, name);
  };
  const bot = {
    env: {
      WAXWING_RELAY: relay.url,
      WAXWING_GROUP_TOKEN_FILE: fileWith('token', secret),
      WAXWING_BOT_KEY_FILE: fileWith('key', key),
    },
  };
  const posted = await waxwing(['send', 'Build 214 is green.'], bot);
  expect(posted.stdout).toMatch(/^Sent to the group, sealed for 3 devices/);
  await waxwing(['send'], { ...bot, input: 'And 215.\n' });

  const read = await as('cat', 'inbox');
  expect(
    withoutRefs(read.stdout)
      .replace(/^\S+ \S+ {2}/gm, '')
      .replace(/\(0x\S+\)/g, '(…)'),
  ).toBe(
    `@grp_bob (…)  in Build hall  verified
    Hello, hall.
ci, a bot of @grp_ann (…)  in Build hall  bot
    Build 214 is green.
ci, a bot of @grp_ann (…)  in Build hall  bot
    And 215.
`.replace(/^ {4}/gm, '    '),
  );

  const bare = await as('ann', 'groups', 'token', 'create', id, 'bare', '--alone');
  expect(bare.stdout).toMatch(/^gtk_live_[\w-]{43}\n$/);
  const unsigned = { WAXWING_RELAY: relay.url, WAXWING_GROUP_TOKEN: bare.stdout.trim() };
  await waxwing(['send', 'Unsigned.'], { env: unsigned });
  expect(withoutRefs((await as('cat', 'inbox')).stdout)).toMatch(
    /bare, a bot of @grp_ann \(.+\) {2}in Build hall {2}via bot token\n {4}Unsigned\.\n/,
  );
  const mixed = await waxwing(['send', 'x'], { env: { ...unsigned, WAXWING_BOT_KEY: 'wxb_x' } });
  expect([mixed.code, mixed.stderr]).toEqual([
    3,
    'WAXWING_BOT_KEY is not a bot key: wxb_ and 43 characters. Check that it is complete.\n',
  ]);

  await waxwing(['send', 'Under way when it was forbidden.'], { env: unsigned });
  expect((await as('ann', 'groups', 'token', 'unsigned', id, '--forbid')).stdout).toBe(
    'Members no longer see posts with a token alone.\n',
  );
  await as('cat', 'groups', 'show', id);
  const forbidden = await waxwing(['send', 'Unsigned, and forbidden.'], { env: unsigned });
  expect([forbidden.code, forbidden.stdout]).toEqual([3, '']);
  expect(forbidden.stderr).toMatch(/^Nothing was sent: .*WAXWING_BOT_KEY/);
  expect((await as('cat', 'inbox')).stderr).toMatch(/owner of the group does not allow that/);
  expect(await groupFor('ann', 'groups', 'token', 'unsigned', id)).toEqual({ id, unsignedBots: true });

  const person = await waxwing(['send', '@grp_bob', 'psst'], bot);
  expect([person.code, person.stderr]).toEqual([
    2,
    'A group token sends only into its group. Leave the recipient out. To write to a person, use an API key.\n',
  ]);
  expect((await waxwing(['resolve', '@grp_bob'], bot)).stderr).toMatch(
    /needs the entitlement directory:read.*A group token can only post/,
  );
  expect((await waxwing(['groups', '--mine'], bot)).code).toBe(3);

  const another = await waxwing(['send', '--group', 'another', 'x'], bot);
  expect([another.code, another.stderr]).toEqual([
    3,
    `This group token is only for the group ${id}, not for another.\n`,
  ]);

  const { botTokens } = await groupFor('ann', 'groups', 'token', 'list', id);
  const tokenId = botTokens?.find(({ name }) => name === 'ci')?.id ?? '';
  const listed = (await as('ann', 'groups', 'token', 'list', id)).stdout;
  expect(listed).toMatch(/ {2}ci {2,}no expiry {2}signs {2}used /);
  expect(listed).toMatch(/ {2}bare {2}no expiry {2,}used /);
  expect(await answer(['groups', 'token', 'revoke', id, tokenId, '--identity', fileOf('ann')])).toEqual({
    id: tokenId,
    revoked: true,
  });
  const refused = await waxwing(['send', 'Still here?'], bot);
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toMatch(
    /does not accept the secret in WAXWING_GROUP_TOKEN_FILE.*groups token create/,
  );

  const alone = await groupFor('dan', 'groups', 'create', 'Alone');
  expect(await as('dan', 'send', '--group', alone.id, 'Hello?')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No one got it: there is no device that can read it.\n',
  });

  expect((await as('cat', 'groups', 'leave', id)).stdout).toBe(`You have left ${id}.\n`);
  const left = await as('cat', 'send', '--group', id, 'Wait!');
  expect(left.code).toBe(3);
  expect(left.stderr).toMatch('waxwing groups join');
});

test.each(['-KulWpNQ1988ePvfdQqSww', '--ulWpNQ1988ePvfdQqSww'])(
  'the id %s of a group, token or key is requested from the relay',
  async (id) => {
    for (const [args, code] of [
      [['groups', 'show', id], 5],
      [['groups', 'join', id], 5],
      [['groups', 'leave', id], 5],
      [['groups', 'invite', id, '@grp_bob'], 5],
      [['groups', 'uninvite', id, '@grp_bob'], 5],
      [['groups', 'remove', id, '@grp_bob'], 5],
      [['groups', 'joining', id], 5],
      [['groups', 'admin', id, '@grp_bob'], 5],
      [['groups', 'transfer', id, '@grp_bob'], 5],
      [['groups', 'accept', id], 5],
      [['groups', 'token', 'list', id], 5],
      [['groups', 'token', 'revoke', id, id], 5],
      [['api-keys', 'revoke', id], 5],
      [['send', 'Hello?', '--group', id], 5],
    ] as const)
      expect([args, (await as('ann', ...args)).code]).toEqual([args, code]);
  },
);

test('a wrong password does not reveal whether a group exists', async () => {
  const env = { WAXWING_GROUP_PASSWORD: 'a guess' };
  const secret = { env: { WAXWING_GROUP_PASSWORD: 'open sesame' } };
  const { id } = await answer<Group>(['groups', 'create', 'Hidden', '--identity', fileOf('ann')], secret);
  const join = (group: string) => waxwing(['groups', 'join', group, '--identity', fileOf('dan')], { env });
  const [there, notThere] = [await join(id), await join('AAAAAAAAAAAAAAAAAAAAAA')];
  expect(there).toMatchObject({ code: 3, stdout: '' });
  expect(notThere).toEqual(there);
});

test('changes of a group report that an API key alone lacks an identity', async () => {
  const env = { WAXWING_RELAY: relay.url, WAXWING_API_KEY: apiKey };
  for (const [args, what] of [
    [['groups', 'create', 'x'], 'Creating a group'],
    [['groups', 'join', 'x'], 'Joining a group'],
    [['groups', 'leave', 'x'], 'Leaving a group'],
    [['groups', 'token', 'create', 'x', 'y'], 'Creating a group token'],
    [['groups', 'token', 'revoke', 'x', 'y'], 'Revoking a group token'],
    [['api-keys', 'create', 'x'], 'Creating an API key'],
    [['inbox'], 'Receiving'],
  ] as const) {
    const { code, stderr } = await waxwing([...args], { env });
    expect([code, stderr]).toEqual([
      3,
      `${what} needs an identity with its keys, and WAXWING_API_KEY is only an API key. Set its file with --identity or WAXWING_IDENTITY, or create one with waxwing init. You can also do this in the app.\n`,
    ]);
  }
});

test('people are invited, removed and made admins, and a group is transferred', async () => {
  const { id } = await groupFor('ann', 'groups', 'create', 'By invitation');
  const closed = await as('bob', 'groups', 'join', id);
  expect([closed.code, closed.stdout]).toEqual([3, '']);
  await as('ann', 'groups', 'invite', id, '@grp_bob');
  expect((await as('bob', 'inbox')).stdout).toContain(`By invitation. To join: waxwing groups join ${id}`);
  expect((await as('bob', 'groups', 'invitations')).stdout).toMatch(
    new RegExp(`^${id} +By invitation +from 0x`),
  );
  // The invitation was acknowledged. It is kept with the identity.
  expect((await groupFor('bob', 'groups', 'join', id)).memberCount).toBe(2);
  expect((await as('bob', 'groups', 'invitations')).stdout).toBe('');

  expect((await as('bob', 'groups', 'invite', id, '@grp_cat')).code).toBe(3);
  expect((await as('ann', 'groups', 'admin', id, '@grp_bob')).stdout).toMatch(/^admin +0x/m);
  const { ticket } = await answer<{ ticket: object }>([
    ...['groups', 'invite', id, '@grp_cat', '--identity', fileOf('ann')],
  ]);
  const file = join(folder.path, 'ticket.json');
  writeFileSync(file, JSON.stringify(ticket));
  expect((await groupFor('cat', 'groups', 'join', id, '--ticket-file', file)).memberCount).toBe(3);
  await as('ann', 'groups', 'joining', id, '--open');
  expect((await groupFor('bob', 'groups', 'remove', id, '@grp_cat')).memberCount).toBe(2);
  const again = await as('bob', 'groups', 'remove', id, '@grp_cat');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('@grp_cat is not a member of this group.');
  expect((await as('cat', 'groups', 'join', id)).stderr).toMatch(/ticket|invitation/);
  await as('ann', 'groups', 'transfer', id, '@grp_bob');
  expect((await as('bob', 'groups', 'show', id)).stdout).toMatch(/^joining +anyone$/m);
  expect((await as('ann', 'groups', 'joining', id)).code).toBe(3);
});
