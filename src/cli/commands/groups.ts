/**
 * `waxwing groups`: the directory, joining and leaving, and tokens for bots.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { toChecksumAddress } from '../../protocol/address.ts';
import { parseCount } from '../arguments.ts';
import { addConnectionOptions, type ConnectionOptions, connect, requireIdentity } from '../connection.ts';
import { CommandError } from '../errors.ts';
import { columns, printable, show } from '../output.ts';

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

export function addGroupCommands(program: Command): void {
  const groups = program.command('groups').description('find, make and join groups; tokens for bots');
  groups.addHelpText(
    'after',
    `
Examples:
  $ waxwing groups list --search birds
  $ waxwing groups join GROUP_ID
  $ waxwing groups token create GROUP_ID "build bot"`,
  );
  const add = (parent: Command, usage: string, description: string, example: string) =>
    addConnectionOptions(parent.command(usage))
      .description(description)
      .addHelpText('after', `\nExample:\n  $ waxwing groups ${example}`);

  add(groups, 'list', 'the public directory, or the groups of the key’s owner', 'list --mine')
    .option('--mine', 'only the groups that the owner of the key is in')
    .option('--search <text>', 'only those with this in their name')
    .option('--limit <number>', 'so many at most', parseCount, 50)
    .action(list);
  add(groups, 'show <id>', 'a group, its members and whether they can be reached', 'show GROUP_ID').action(
    showGroup,
  );
  add(groups, 'create <name>', 'make a group', 'create "Bird watchers" --description "Every Sunday"')
    .option('--description <text>', 'what it is about')
    .option('--password-file <file>', 'whoever joins needs the password in this file')
    .action(create);
  add(groups, 'join <id>', 'join a group', 'join GROUP_ID')
    .option('--password-file <file>', 'the group’s password is in this file')
    .action(join);
  add(groups, 'leave <id>', 'leave a group', 'leave GROUP_ID').action(leave);

  const token = groups.command('token').description('tokens with which a bot posts into one group');
  add(
    token,
    'create <id> <name>',
    'mint a token; its secret is printed this once',
    'token create GROUP_ID "build bot"',
  ).action(mint);
  add(token, 'list <id>', 'the tokens of a group', 'token list GROUP_ID').action(listTokens);
  add(token, 'revoke <id> <token>', 'end a token, at once', 'token revoke GROUP_ID TOKEN_ID').action(revoke);
}

async function list(options: ListOptions): Promise<void> {
  const groups = await connect(options).client.groups({
    limit: options.limit,
    ...(options.mine && { mine: true }),
    ...(options.search !== undefined && { q: options.search }),
  });
  show(options, { groups }, () =>
    groups.length === 0
      ? 'No groups.'
      : columns(
          groups.map(({ id, name, verified, memberCount, hasPassword }) => [
            id,
            printable(name),
            memberCount === 1 ? '1 member' : `${memberCount} members`,
            [verified && 'verified', hasPassword && 'password'].filter(Boolean).join(', '),
          ]),
        ),
  );
}

async function showGroup(id: string, options: ConnectionOptions): Promise<void> {
  const group = await connect(options).client.group(id);
  show(options, group, () =>
    [
      `${printable(group.name)}${group.verified ? ' (verified)' : ''}`,
      ...(group.description === '' ? [] : [printable(group.description)]),
      columns(
        group.members.map((member) => {
          const devices = group.memberDeviceKeys[member]?.length ?? 0;
          return [
            `  ${toChecksumAddress(member)}`,
            devices === 1 ? '1 device' : `${devices} devices`,
            member === group.creator ? 'creator' : '',
          ];
        }),
      ),
    ].join('\n'),
  );
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const account = requireIdentity(options, 'Making a group').account(options.relay);
  const password = readPassword(options);
  const group = await account.call('createGroup', {
    body: {
      name,
      ...(options.description !== undefined && { description: options.description }),
      ...(password !== undefined && { password }),
    },
  });
  show(options, group, () => `${printable(group.name)} is made. Its id: ${group.id}`);
}

async function join(id: string, options: PasswordOptions): Promise<void> {
  const account = requireIdentity(options, 'Joining a group').account(options.relay);
  const password = readPassword(options);
  const group = await account.call('joinGroup', {
    params: { id },
    body: password === undefined ? {} : { password },
  });
  show(options, group, () => `You are one of ${group.memberCount} in ${printable(group.name)}.`);
}

async function leave(id: string, options: ConnectionOptions): Promise<void> {
  const identity = requireIdentity(options, 'Leaving a group');
  const params = { id, address: identity.address };
  await identity.account(options.relay).call('removeMember', { params });
  show(options, { left: id }, () => 'You have left the group.');
}

async function mint(id: string, name: string, options: ConnectionOptions): Promise<void> {
  const identity = requireIdentity(options, 'Minting a token');
  const account = identity.account(options.relay);
  // Members drop what a bot posts in the name of somebody whose device list does not allow it.
  await identity.register(account.baseUrl, { allowUnsigned: ['api', 'bots'] });
  const token = await account.call('createToken', { params: { id }, body: { name } });
  show(options, token, () =>
    [
      'The secret, shown this once:',
      `  ${token.secret}`,
      '',
      'Give it to the bot as WAXWING_GROUP_TOKEN, and post with:',
      `  WAXWING_RELAY=${account.baseUrl} waxwing send "Hello from the bot"`,
    ].join('\n'),
  );
}

async function listTokens(id: string, options: ConnectionOptions): Promise<void> {
  const { botTokens } = await connect(options).client.group(id);
  if (!botTokens)
    throw new CommandError('Only the creator of a group, and its tokens, see the list of tokens.');
  show(options, { botTokens }, () =>
    botTokens.length === 0
      ? 'No tokens.'
      : columns(
          botTokens.map((token) => [
            token.id,
            `${token.prefix}…`,
            printable(token.name),
            token.revokedAt === null
              ? `last used ${token.lastUsedAt ?? 'never'}`
              : `revoked ${token.revokedAt}`,
          ]),
        ),
  );
}

async function revoke(id: string, tokenId: string, options: ConnectionOptions): Promise<void> {
  const account = requireIdentity(options, 'Revoking a token').account(options.relay);
  await account.call('deleteToken', { params: { id, tokenId } });
  show(options, { revoked: tokenId }, () => 'The token is revoked: nothing can be posted with it any more.');
}

function readPassword({ passwordFile }: PasswordOptions): string | undefined {
  if (passwordFile === undefined) return undefined;
  try {
    return readFileSync(passwordFile === '-' ? 0 : passwordFile, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandError(
      `${passwordFile} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
