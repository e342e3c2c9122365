/**
 * `waxwing inbox`: what has come for an identity, opened on this machine.
 */
import type { Command } from 'commander';
import { type Message, RelayClient } from '../../client/index.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { addConnectionOptions, type ConnectionOptions, requireIdentity } from '../connection.ts';
import { printable } from '../output.ts';

interface InboxOptions extends ConnectionOptions {
  follow?: true;
}

export function addInboxCommand(program: Command): void {
  addConnectionOptions(program.command('inbox'))
    .description('open and print what has come, each message once')
    .option('-f, --follow', 'go on with what comes, until Ctrl+C')
    .addHelpText(
      'after',
      `
A message is acknowledged once it is printed: the relay then forgets it. With --json each is a line of its own.
What cannot be opened or proven is told on standard error and never printed as a message.

Examples:
  $ waxwing inbox
  $ waxwing inbox --follow --json | jq -r .text`,
    )
    .action(inbox);
}

async function inbox(options: InboxOptions): Promise<void> {
  const identity = requireIdentity(options, 'Receiving');
  // What was sealed for a device is opened by its identity, whatever key the environment has for other commands.
  const client = new RelayClient({ identity, ...(options.relay !== undefined && { relay: options.relay }) });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const names = new Map<string, string>();
  let reached = true;
  for await (const message of client.messages({
    signal: stop.signal,
    follow: options.follow ?? false,
    onProblem(problem) {
      if (reached) console.error(`${problem.message} Trying on.`);
      reached = false;
    },
    onRefused({ from }, reason) {
      console.error(`Set aside: something from ${toChecksumAddress(from)} (${printable(reason)}).`);
    },
  })) {
    reached = true;
    if (options.json) console.log(JSON.stringify(message));
    else console.log(await describe(client, message, names));
  }
  client.close();
}

const PROOFS: Readonly<Record<Message['proof'], string>> = {
  signed: 'verified',
  api: 'via API, not signed',
  bots: 'via bot, not signed',
};

async function describe(client: RelayClient, message: Message, names: Map<string, string>): Promise<string> {
  const { from, groupId, proof, receivedAt, text } = message;
  const name = names.get(from) ?? (await nameOf(client, from));
  names.set(from, name);
  const time = receivedAt.toISOString().replace('T', ' ').slice(0, 16);
  const place = groupId === null ? '' : ` in ${groupId}`;
  const words = text === null ? '[of a kind that this version cannot show]' : printable(text);
  return `${time}  ${name}${place}  (${PROOFS[proof]})\n  ${words.replaceAll('\n', '\n  ')}`;
}

/** A handle where there is one. That it cannot be asked for now is no reason not to print the message. */
async function nameOf(client: RelayClient, address: string): Promise<string> {
  const person = await client.resolve(address).catch(() => null);
  return person?.handle ? `@${person.handle}` : toChecksumAddress(address);
}
