/**
 * `waxwing groups`: the directory of groups, and those of an identity.
 */
import type { Command } from 'commander';
import type { GroupEntry, GroupView } from '../../protocol/schemas/groups.ts';
import { parseCount } from '../arguments.ts';
import { addConnectionOptions, type ConnectionOptions, withClient, withIdentity } from '../connection.ts';
import { columns } from '../output.ts';
import { count, parseId, parsePerson, shortAddress } from '../people.ts';
import { note, oneLine, print, printJson } from '../printing.ts';
import { readText } from '../secrets.ts';
import { addTokenCommands } from './group-tokens.ts';

interface ListOptions extends ConnectionOptions {
  mine?: true;
  search?: string;
  limit: number;
}

interface PasswordOptions extends ConnectionOptions {
  passwordFile?: string;
}

interface CreateOptions extends PasswordOptions {
  description?: string;
}

const PASSWORD_OPTION = [
  '--password-file <file>',
  'the file with the join password, - for standard input; or set WAXWING_GROUP_PASSWORD',
] as const;

export function addGroupsCommand(program: Command): void {
  const groups = program
    .command('groups')
    .description('find, create, join and leave groups; mint tokens for bots')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups --search builds
  $ waxwing groups create Builds --description "What the machines say"
  $ waxwing groups join "$GROUP"
  $ waxwing groups token create "$GROUP" ci > token

An API key can list groups and show those of its owner. What changes a group needs an identity; see waxwing init.`,
    );
  addListCommand(groups);
  addConnectionOptions(
    groups
      .command('show')
      .description('a group, its members and tokens')
      .argument('<id>', 'of the group', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups show "$GROUP" --json | jq -r .members[]')
    .action(showGroup);
  addConnectionOptions(
    groups
      .command('create')
      .description('create a group; you are its creator and first member')
      .argument('<name>', 'what it is called')
      .option('--description <text>', 'what it is for')
      .option(...PASSWORD_OPTION),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing groups create Builds\n  $ waxwing groups create Builds --json | jq -r .id',
    )
    .action(createGroup);
  addConnectionOptions(
    groups
      .command('join')
      .description('join a group')
      .argument('<id>', 'of the group', parseId)
      .option(...PASSWORD_OPTION),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing groups join "$GROUP"\n  $ waxwing groups join "$GROUP" --password-file ./password',
    )
    .action(joinGroup);
  addConnectionOptions(
    groups
      .command('leave')
      .description('leave a group; its tokens end when its creator leaves')
      .argument('<id>', 'of the group', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups leave "$GROUP"')
    .action(leaveGroup);
  addConnectionOptions(
    groups
      .command('confirm')
      .description('let someone who left or was removed, and is shown as a member again, get messages again')
      .argument('<id>', 'of the group', parseId)
      .argument('<person>', '@handle or address', parsePerson),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups show "$GROUP"
  $ waxwing groups confirm "$GROUP" @ann

Ask the owner of the group first: a relay can show an old list of members, and nothing is sealed for them until then.
The memory of who left is the identity's. With an API key or group token alone, WAXWING_MEMORY names a file for it.`,
    )
    .action(confirmMember);
  addTokenCommands(groups);
}

function addListCommand(groups: Command): void {
  addConnectionOptions(
    groups
      .command('list', { isDefault: true })
      .description('the public groups, by name; what waxwing groups does by itself')
      .option('--mine', 'those that you are a member of')
      .option('--search <text>', 'those that have this in their name')
      .option('--limit <number>', 'at most so many', parseCount, 50)
      .allowExcessArguments(),
  )
    .addHelpText('after', '\nExamples:\n  $ waxwing groups --search builds\n  $ waxwing groups --mine --json')
    .action((options: ListOptions, list: Command) => {
      const [unknown] = list.args;
      const known = groups.commands.map((command) => command.name()).join(', ');
      if (unknown !== undefined) groups.error(`error: unknown command '${unknown}'. There are ${known}.`);
      return listGroups(options);
    });
}

async function listGroups({ mine, search, limit, ...options }: ListOptions): Promise<void> {
  await withClient(options, async (client) => {
    const filter = { ...(mine && { mine }), ...(search !== undefined && { q: search }) };
    const groups = await client.groups({ ...filter, limit });
    if (options.json) return printJson({ groups });
    if (groups.length === 0) return note('There are no such groups.');
    await print(columns(groups.map(rowOf)));
  });
}

function rowOf({ id, name, verified, memberCount, hasPassword }: GroupEntry): string[] {
  const marks = [...(verified ? ['verified'] : []), ...(hasPassword ? ['password'] : [])];
  return [id, oneLine(name), count(memberCount, 'member'), marks.join(', ')];
}

async function showGroup(id: string, options: ConnectionOptions): Promise<void> {
  await withClient(options, async (client) => {
    await tell(await client.group(id), options);
  });
}

async function createGroup(name: string, options: CreateOptions): Promise<void> {
  await withIdentity(options, 'Creating a group', async ({ session }) => {
    const { description } = options;
    const body = { name, ...(description !== undefined && { description }), ...(await passwordOf(options)) };
    await tell(await session.call('createGroup', { body }), options);
  });
}

async function joinGroup(id: string, options: PasswordOptions): Promise<void> {
  await withIdentity(options, 'Joining a group', async ({ client }) => {
    await tell(await client.joinGroup(id, (await passwordOf(options)).password), options);
  });
}

async function leaveGroup(id: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Leaving a group', async ({ client, identity }) => {
    await client.removeMember(id, identity.address);
    await (options.json ? printJson({ id, left: true }) : print(`You have left ${id}.`));
  });
}

async function confirmMember(id: string, person: string, options: ConnectionOptions): Promise<void> {
  await withClient(options, async (client) => {
    const confirmed = await client.confirmMember(id, person);
    if (options.json) return printJson({ id, person, confirmed });
    await print(
      confirmed
        ? `${person} is a member again: what is sent into ${id} is sealed for them, too.`
        : `There is nothing to confirm: ${person} is not shown as a member, or counts as one.`,
    );
  });
}

async function passwordOf({ passwordFile }: PasswordOptions): Promise<{ password?: string }> {
  if (passwordFile !== undefined) return { password: await readText(passwordFile, 'The password') };
  const password = process.env.WAXWING_GROUP_PASSWORD;
  return password ? { password } : {};
}

async function tell(
  group: GroupView & { unconfirmed?: string[] },
  { json }: ConnectionOptions,
): Promise<void> {
  if (json) return printJson(group);
  const tokens = group.botTokens?.map(({ id, name, prefix, revokedAt }) => [
    revokedAt === null ? 'token' : 'revoked',
    `${id}  ${prefix}…  ${oneLine(name)}`,
  ]);
  await print(
    columns([
      ['id', group.id],
      ['name', oneLine(group.name) + (group.verified ? ' (verified)' : '')],
      ['about', oneLine(group.description)],
      ['creator', group.creator === null ? 'none' : shortAddress(group.creator)],
      ['password', group.hasPassword ? 'needed to join' : 'none'],
      ...group.members.map((member) => [
        group.unconfirmed?.includes(member) ? 'not confirmed' : 'member',
        `${shortAddress(member)}  ${count(group.memberDeviceKeys[member]?.length ?? 0, 'device')}`,
      ]),
      ...(tokens ?? []),
    ]),
  );
}
