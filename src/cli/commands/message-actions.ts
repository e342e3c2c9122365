/** `waxwing react`, `waxwing edit` and `waxwing delete`: actions on existing messages. */
import type { Command } from 'commander';
import type { RelayClient, Sent } from '../../client/index.ts';
import { addConnectionOptions, type ConnectionOptions, withClient } from '../connection.ts';
import { noteUndelivered, parseRef, readMessage } from '../messages.ts';
import { count } from '../people.ts';
import { print, printJson } from '../printing.ts';

const MESSAGE = 'the message: its ref, as waxwing inbox and waxwing send print it';

export function addReactCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('react')
      .description('react to a message with emoji')
      .argument('<message>', MESSAGE, parseRef)
      .argument('[emoji...]', 'at most five, which replace your earlier ones; none removes them'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing react "$REF" ✅
  $ waxwing react "$REF"

An identity reacts to any message of the conversation. An API key, a group token and a bot react only to their own
messages.`,
    )
    .action((message: string, emoji: string[], options: ConnectionOptions) =>
      act(options, emoji.length > 0 ? 'Reacted' : 'Took the reaction back', (client) =>
        client.react(message, emoji),
      ),
    );
}

export function addEditCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('edit')
      .description(
        'replace the text of a message that you sent, or the caption of its files, within 24 hours',
      )
      .argument('<message>', MESSAGE, parseRef)
      .argument('[text]', 'the new text; - or nothing for standard input'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing edit "$REF" "The build is red."
  $ ./status | waxwing edit "$REF"
  $ waxwing edit "$PHOTO" ""

An empty text removes the caption of files. People see that it was edited, and can read the earlier text.`,
    )
    .action((message: string, text: string | undefined, options: ConnectionOptions) =>
      act(options, 'Edited', async (client) =>
        client.edit(message, text === '' ? text : await readMessage(text)),
      ),
    );
}

export function addDeleteCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('delete')
      .description('delete a message for everyone')
      .argument('<message>', MESSAGE, parseRef),
  )
    .addHelpText(
      'after',
      `
Example:
  $ waxwing delete "$REF"

You can delete your own messages. The owner and admins of a group can delete any message in it. Apps erase its text, but
someone may have read it.`,
    )
    .action((message: string, options: ConnectionOptions) =>
      act(options, 'Deleted', (client) => client.delete(message)),
    );
}

async function act(
  options: ConnectionOptions,
  done: string,
  action: (client: RelayClient) => Promise<Sent>,
): Promise<void> {
  await withClient(options, async (client) => {
    const sent = await action(client);
    const devices = noteUndelivered(sent);
    if (options.json) await printJson({ ...sent, devices });
    else if (devices > 0) await print(`${done}, sealed for ${count(devices, 'device')}.`);
  });
}
