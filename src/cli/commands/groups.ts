/**
 * `waxwing groups`: the directory of groups, and those of an identity.
 */
import type { Command } from 'commander';
import type { JoinProof } from '../../messaging/groups/join.ts';
import { Ticket } from '../../protocol/roster/forms.ts';
import type { GroupEntry } from '../../protocol/schemas/groups.ts';
import { parseCount } from '../arguments.ts';
import { commandError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withClient, withIdentity } from '../connection.ts';
import {
  JOINING,
  type JoiningOptions,
  joiningOf,
  PASSWORD_OPTION,
  type PasswordOptions,
  passwordOf,
  printGroup,
} from '../group-options.ts';
import { columns } from '../output.ts';
import { count, parseId, shortAddress } from '../people.ts';
import { note, oneLine, print, printJson } from '../printing.ts';
import { readText } from '../secrets.ts';
import { addMemberCommands } from './group-members.ts';
import { addTokenCommands } from './group-tokens.ts';

interface ListOptions extends ConnectionOptions {
  mine?: true;
  search?: string;
  limit: number;
}

interface CreateOptions extends JoiningOptions {
  description?: string;
  unlisted?: true;
}

interface JoinOptions extends PasswordOptions {
  ticketFile?: string;
}

export function addGroupsCommand(program: Command): void {
  const groups = program
    .command('groups')
    .description('find, create, join and leave groups; create tokens for bots')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups --search builds
  $ waxwing groups create Builds --description "Results of the builds"
  $ waxwing groups join "$GROUP"
  $ waxwing groups token create "$GROUP" ci > bot.env

An API key can list groups and show those of its owner. Changes of a group need an identity; see waxwing init.`,
    );
  addListCommand(groups);
  addConnectionOptions(
    groups
      .command('show')
      .description('show a group, its members and tokens')
      .argument('<id>', 'of the group', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups show "$GROUP" --json | jq -r .members[]')
    .action(showGroup);
  addConnectionOptions(
    groups
      .command('create')
      .description('create a group; you are its owner and first member')
      .argument('<name>', 'name of the group')
      .option('--description <text>', 'its purpose')
      .option('--open', 'anyone may join; default: by password or invitation')
      .option('--unlisted', 'hide it in the directory')
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
      .option(
        '--ticket-file <file>',
        'the file with the ticket of an invitation, as JSON; - for standard input',
      )
      .option(...PASSWORD_OPTION),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing groups join "$GROUP"\n  $ waxwing groups join "$GROUP" --password-file ./password\n\nAn invitation received by waxwing inbox is used automatically.',
    )
    .action(joinGroup);
  addConnectionOptions(
    groups.command('invitations').description('list unused invitations received by waxwing inbox'),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups invitations')
    .action(listInvitations);
  addConnectionOptions(
    groups
      .command('leave')
      .description('leave a group; its tokens end when its owner leaves')
      .argument('<id>', 'of the group', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups leave "$GROUP"')
    .action(leaveGroup);
  addMemberCommands(groups);
  addTokenCommands(groups);
}

function addListCommand(groups: Command): void {
  addConnectionOptions(
    groups
      .command('list', { isDefault: true })
      .description('list the public groups by name; the default of waxwing groups')
      .option('--mine', 'groups with you as a member')
      .option('--search <text>', 'groups with this text in their name')
      .option('--limit <number>', 'maximum number', parseCount, 50)
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

function rowOf({ id, name, verified, memberCount, join }: GroupEntry): string[] {
  const marks = [...(verified ? ['verified'] : []), ...(join === 'open' ? [] : [JOINING[join]])];
  return [id, oneLine(name), count(memberCount, 'member'), marks.join(', ')];
}

async function showGroup(id: string, options: ConnectionOptions): Promise<void> {
  await withClient(options, async (client) => {
    await printGroup(await client.group(id), options);
  });
}

async function createGroup(name: string, options: CreateOptions): Promise<void> {
  await withIdentity(options, 'Creating a group', async ({ client }) => {
    const { description, unlisted = false } = options;
    const password = await joiningOf(options);
    const group = await client.createGroup(name, {
      ...(description !== undefined && { description }),
      ...password,
      listed: !unlisted,
    });
    await printGroup(group, options);
  });
}

async function joinGroup(id: string, options: JoinOptions): Promise<void> {
  await withIdentity(options, 'Joining a group', async ({ client }) => {
    await printGroup(await client.joinGroup(id, await proofOf(options)), options);
  });
}

async function listInvitations(options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Invitations', async ({ client }) => {
    const invitations = client.invitations();
    if (options.json) return printJson({ invitations });
    if (invitations.length === 0)
      return note('There are no invitations. To receive them, run waxwing inbox.');
    const rows = invitations.map(({ groupId, name, from, ticket }) => [
      groupId,
      oneLine(name),
      `from ${shortAddress(from)}`,
      `until ${ticket.expires.slice(0, 10)}`,
    ]);
    await print(columns(rows));
  });
}

async function leaveGroup(id: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Leaving a group', async ({ client }) => {
    await client.leaveGroup(id);
    await (options.json ? printJson({ id, left: true }) : print(`You have left ${id}.`));
  });
}

async function proofOf(options: JoinOptions): Promise<JoinProof> {
  if (options.ticketFile === undefined) return passwordOf(options);
  const text = await readText(options.ticketFile, 'The ticket');
  try {
    return { ticket: Ticket.parse(JSON.parse(text)) };
  } catch {
    throw commandError('usage', 'ticket_malformed', { file: options.ticketFile });
  }
}
