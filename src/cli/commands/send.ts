/**
 * `waxwing send`: a text to a person or a group, sealed on this machine.
 */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Sent } from '../../client/index.ts';
import {
  addConnectionOptions,
  CONNECTION_HELP,
  type Connection,
  type ConnectionOptions,
  connect,
} from '../connection.ts';
import { CommandError, UsageError } from '../errors.ts';
import { printable, show } from '../output.ts';

interface SendOptions extends ConnectionOptions {
  group?: string;
  request?: true;
}

export function addSendCommand(program: Command): void {
  addConnectionOptions(program.command('send'))
    .description('seal a text and send it to a person or into a group')
    .argument('[to]', '@handle or 0x…; left out with --group or a group token')
    .argument('[text]', 'the text; from standard input if it is left out, or -')
    .option('--group <id>', 'into the group with this id')
    .option('--request', 'mark it as a first contact, which the recipient may accept or not')
    .addHelpText(
      'after',
      `${CONNECTION_HELP}

Examples:
  $ waxwing send @alice "The build is green."
  $ uptime | waxwing send @alice
  $ waxwing send --group GROUP_ID "Version 1.4 is out."
  $ WAXWING_GROUP_TOKEN=… waxwing send "Version 1.4 is out."     # into the group of the token`,
    )
    .action((to, text, options) => send([to, text], options));
}

async function send(words: (string | undefined)[], options: SendOptions): Promise<void> {
  const connection = connect(options);
  const given = words.filter((word) => word !== undefined);
  const group = await groupOf(connection, options);
  const to = group === null ? given.shift() : null;
  if (to === undefined) {
    throw new UsageError('To whom? waxwing send @handle "text", or waxwing send --group ID "text".');
  }
  if (given.length > 1) {
    throw new UsageError(
      'A text of several words needs quotes. With --group or a group token, only the text is given.',
    );
  }
  const text = await textOf(given[0]);
  // What a person types is a person's; what comes out of a pipe or a job is a program's.
  const automated = !(process.stdin.isTTY && process.stdout.isTTY);
  const sent =
    group === null
      ? await connection.client.send(to ?? '', text, { automated, asRequest: options.request ?? false })
      : await connection.client.sendToGroup(group, text, { automated });
  report(options, sent, group === null ? (to ?? '') : 'the group');
}

async function groupOf({ client, type }: Connection, { group }: SendOptions): Promise<string | null> {
  if (type !== 'group_token') return group ?? null;
  const { groupId } = (await client.me()).credential;
  if (group !== undefined && group !== groupId) {
    throw new CommandError(`This group token is for the group ${groupId}, not for ${group}.`);
  }
  return groupId ?? null;
}

async function textOf(given: string | undefined): Promise<string> {
  if (given === undefined && process.stdin.isTTY) {
    throw new UsageError('What is to be sent? Give the text in quotes, or pipe it in.');
  }
  const text =
    given === undefined || given === '-' ? (await readAll(process.stdin)).replace(/\n+$/, '') : given;
  if (text.trim() === '') throw new CommandError('There is nothing to send: the text is empty.');
  return text;
}

function report(options: SendOptions, sent: Sent, whom: string): void {
  const { envelopeIds, unreached } = sent;
  for (const { address, reason } of unreached) console.error(`Not reached: ${address}. ${printable(reason)}`);
  const copies = envelopeIds.length === 1 ? 'one device' : `${envelopeIds.length} devices`;
  show(options, sent, () =>
    envelopeIds.length === 0 ? 'Nobody got it.' : `Sent to ${whom}, sealed for ${copies}.`,
  );
  if (envelopeIds.length === 0) process.exitCode = 1;
}
