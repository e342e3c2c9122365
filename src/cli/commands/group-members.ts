/** `waxwing groups`: members, admins, and the ways to join. */
import type { Command } from 'commander';
import { commandError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { type JoiningOptions, joiningOf, PASSWORD_OPTION, printGroup } from '../group-options.ts';
import { parseId, parsePerson } from '../people.ts';
import { print, printJson } from '../printing.ts';

const GROUP = ['<id>', 'of the group', parseId] as const;
const PERSON = ['<person>', '@handle or address', parsePerson] as const;

/** Adds the commands. Each change is signed by the identity's device and stored in the group's chain. */
export function addMemberCommands(groups: Command): void {
  addConnectionOptions(
    groups
      .command('invite')
      .description('send a person an invitation, valid for 30 days')
      .argument(...GROUP)
      .argument(...PERSON),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups invite "$GROUP" @ann')
    .action(invite);
  addConnectionOptions(
    groups
      .command('uninvite')
      .description('withdraw the invitations of a person')
      .argument(...GROUP)
      .argument(...PERSON),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups uninvite "$GROUP" @ann')
    .action(uninvite);
  addConnectionOptions(
    groups
      .command('remove')
      .description('remove a member, who can return only by invitation')
      .argument(...GROUP)
      .argument(...PERSON),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups remove "$GROUP" @ann')
    .action(remove);
  addConnectionOptions(
    groups
      .command('joining')
      .description('change the way to join: by invitation only, or by the options')
      .argument(...GROUP)
      .option('--open', 'anyone may join')
      .option(...PASSWORD_OPTION),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing groups joining "$GROUP"\n  $ waxwing groups joining "$GROUP" --password-file ./password',
    )
    .action(changeJoining);
  addConnectionOptions(
    groups
      .command('admin')
      .description('make a member an admin, who may invite and remove')
      .argument(...GROUP)
      .argument(...PERSON)
      .option('--end', 'make an admin an ordinary member again'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing groups admin "$GROUP" @ann\n  $ waxwing groups admin "$GROUP" @ann --end',
    )
    .action(changeAdmin);
  addConnectionOptions(
    groups
      .command('transfer')
      .description('make another member the owner; the old owner’s tokens and bots end')
      .argument(...GROUP)
      .argument(...PERSON),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups transfer "$GROUP" @ann')
    .action(transfer);
  addConnectionOptions(
    groups
      .command('accept')
      .description(
        'accept the state of a group that blocks sending, because members see different changes, some were lost, or a removed device made one',
      )
      .argument(...GROUP),
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ waxwing groups accept "$GROUP"\n\nAsk the other members first: a relay can hide changes from one of you.',
    )
    .action(accept);
}

async function invite(id: string, person: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Inviting to a group', async ({ client }) => {
    const { ticket, sent } = await client.inviteToGroup(id, person);
    await (options.json
      ? printJson({ id, person, ticket, messageId: sent.messageId })
      : print(`${person} can join ${id} until ${ticket.expires}.`));
  });
}

async function uninvite(id: string, person: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Withdrawing an invitation', async ({ client }) => {
    await printGroup(await client.withdrawInvitations(id, person), options);
  });
}

async function remove(id: string, person: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Removing a member', async ({ client }) => {
    const { members } = await client.group(id);
    const address = (await client.resolve(person)).address.toLowerCase();
    if (!members.some((each) => each.toLowerCase() === address))
      throw commandError('failed', 'not_a_member', { person });
    await printGroup(await client.removeMembers(id, person), options);
  });
}

async function changeJoining(id: string, options: JoiningOptions): Promise<void> {
  await withIdentity(options, 'Changing a group', async ({ client }) => {
    await printGroup(await client.changeGroup(id, await joiningOf(options)), options);
  });
}

async function changeAdmin(
  id: string,
  person: string,
  options: ConnectionOptions & { end?: true },
): Promise<void> {
  await withIdentity(options, 'Changing a group', async ({ client }) => {
    const change = options.end ? { removeAdmins: [person] } : { addAdmins: [person] };
    await printGroup(await client.changeGroup(id, change), options);
  });
}

async function transfer(id: string, person: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Changing a group', async ({ client }) => {
    await printGroup(await client.changeGroup(id, { creator: person }), options);
  });
}

async function accept(id: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Changing a group', async ({ client }) => {
    await client.acceptGroup(id);
    await (options.json
      ? printJson({ id, accepted: true })
      : print(`The relay’s chain of ${id} is accepted.`));
  });
}
