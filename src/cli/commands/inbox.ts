/** `waxwing inbox`: messages waiting for an identity, opened and proven. */
import type { Command } from 'commander';
import type { Message, MessageFile, RelayClient } from '../../client/index.ts';
import { InviteContent } from '../../messaging/contents/kinds/invite.ts';
import { stopRequested } from '../arguments.ts';
import { commandError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { requireFolder } from '../folder.ts';
import { describeBytes } from '../output.ts';
import { nameOf, shortAddress } from '../people.ts';
import { note, oneLine, print, printJson, progress } from '../printing.ts';
import { type Saved, type SaveOptions, saveFile } from '../saving.ts';

interface Options extends ConnectionOptions {
  follow?: true;
  keep?: true;
  controls?: true;
  save?: string;
}

const PROOFS: Readonly<Record<Message['proof'], string>> = {
  signed: 'verified',
  api: 'via API',
  bot: 'bot',
  token: 'via bot token',
};

export function addInboxCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('inbox')
      .description('read the queue of your identity, or follow it')
      .option('-f, --follow', 'continue until Ctrl+C, also while the relay is unreachable')
      .option('--keep', 'keep everything in the queue; shows at most the first hundred')
      .option(
        '--save <folder>',
        'download the files of messages into this folder, under names that are free there',
      )
      .option('--controls', 'print reactions, edits, deletions and pins, too'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing inbox
  $ waxwing inbox --follow
  $ waxwing inbox --save ./received
  $ waxwing inbox --follow --json | jq --unbuffered -r .text

Each message is opened and verified on this machine, printed, and then acknowledged: it does not arrive again. "verified"
was signed by a device that the sender's wallet certifies, "bot" by a bot that its group names; "via API" and "via bot
token" are the relay's word, which the sender or the group allows. Unproven envelopes are reported on standard error.

With --save a message is printed and acknowledged after its files are on the disk. A file that the relay has deleted, or
that is not the one that was sent, is reported on its line. If the relay or the disk refuses for now, the command ends with
an error and the message stays in the queue; with --follow it waits for the relay. A kill between saving and acknowledging
saves the files again, under other names. Names, types and descriptions of files are the sender's claims.

If the relay cannot remove printed messages from the queue, as with a full disk, the command ends with 4. They are marked as
received beside the identity: the next waxwing inbox does not print them again, and removes them.

With --json each message is one line, and its files have path or problem. The ref identifies a message for waxwing send --reply-to, react, edit or delete.`,
    )
    .action(readInbox);
}

async function readInbox(options: Options): Promise<void> {
  if (options.follow && options.keep) {
    throw commandError('usage', 'follow_and_keep');
  }
  const { save } = options;
  if (save !== undefined) requireFolder(save, 'save_folder_unusable');
  const stop = new AbortController();
  void stopRequested().then(() => stop.abort());
  await withIdentity(options, 'Receiving', async ({ client }) => {
    const names = new Names(client);
    let isAway = false;
    const reportAway = ({ message }: { message: string }) => {
      if (!isAway) progress(`${message} Trying again until it works.`);
      isAway = true;
    };
    const saving: SaveOptions = { signal: stop.signal, ...(options.follow && { onProblem: reportAway }) };
    let unacknowledged: string | null = null;
    const messages = client.messages({
      signal: stop.signal,
      follow: options.follow === true,
      keep: options.keep === true,
      controls: options.controls === true,
      onProblem: reportAway,
      onUnacknowledged: ({ message }) => {
        unacknowledged = message;
      },
      onRefused: ({ id, from }, { message }) =>
        note(
          `Set aside: envelope ${oneLine(id)} that claims to be from ${shortAddress(from)}. ${oneLine(message)}`,
        ),
      onMissing: ({ from }) => note(`Something that ${shortAddress(from)} has sent may be missing.`),
    });
    if (options.follow) progress('Waiting for messages. Press Ctrl+C to stop.');
    try {
      for await (const message of messages) {
        if (isAway) progress('The relay is back.');
        isAway = false;
        // Other controls are for programs.
        if (message.role !== 'message' && message.control === null) continue;
        const files = await filesOf(client, message, save, saving);
        // Not acknowledged: it arrives again.
        if (files === null) return;
        await show({ ...message, files }, names, options.json === true);
      }
    } catch (error) {
      if (unacknowledged === null || options.follow) throw error;
      throw commandError('unreachable', 'unacknowledged', { problem: unacknowledged });
    }
  });
}

/** A file of a message, and its result with --save. */
type ShownFile = MessageFile & Partial<{ path: string; problem: string }>;
type ShownMessage = Message & { files: readonly ShownFile[] };

/** Null if the command was stopped while it saved them. */
async function filesOf(
  client: RelayClient,
  { files }: Message,
  folder: string | undefined,
  options: SaveOptions,
): Promise<ShownFile[] | null> {
  const shown: ShownFile[] = [];
  for (const file of files) {
    let saved: Saved | Record<string, never> = {};
    try {
      if (folder !== undefined) saved = await saveFile(client, file, folder, options);
    } catch (error) {
      if (options.signal.aborted) return null;
      throw error;
    }
    shown.push({ ...file, ...saved });
  }
  return shown;
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** At the start of lines, which a stranger's text never has. The name is last, so that it imitates nothing. */
function fileLines({ name, size, mediaType, path, problem }: ShownFile): string[] {
  const type = MEDIA_TYPE.test(mediaType) ? mediaType : 'unknown type';
  return [
    `file: ${describeBytes(size)}  ${type}  ${oneLine(name)}`,
    ...(path === undefined ? [] : [`saved: ${oneLine(path)}`]),
    ...(problem === undefined ? [] : [`not saved: ${problem}`]),
  ];
}

async function show(message: ShownMessage, names: Names, asJson: boolean): Promise<void> {
  const handle = await names.handle(message.from);
  if (asJson) return printJson({ ...message, fromHandle: handle });
  const {
    from,
    groupId,
    proof,
    bot,
    unaware,
    isBeyond,
    asRequest,
    receivedAt,
    text,
    summary,
    fromNewerVersion,
    forwarded,
    expires,
    replyTo,
    control,
    files,
  } = message;
  const head = [
    receivedAt.toLocaleString('sv'),
    bot
      ? `${oneLine(bot.name)}, a bot of ${nameOf({ address: from, handle })}`
      : nameOf({ address: from, handle }),
    ...(groupId === null ? [] : [`in ${await names.group(groupId)}`]),
    PROOFS[proof],
    ...(unaware.length > 0 ? [`not knowing that ${unaware.map(shortAddress).join(', ')} was removed`] : []),
    ...(isBeyond ? ['knows of changes that the relay does not show'] : []),
    ...(asRequest ? ['first contact'] : []),
    ...(forwarded ? ['forwarded'] : []),
    ...(expires === null ? [] : [`disappears after ${spanOf(expires)}`]),
  ].join('  ');
  const newer = fromNewerVersion ? '(sent with a newer version of Waxwing)\n' : '';
  const inPlace = files.length > 0 ? '' : `(${oneLine(summary)})`;
  const shown = doneIn(message) ?? invitationIn(message) ?? `${newer}${text ?? inPlace}`;
  // A stranger's text never starts a line: it cannot imitate another message.
  const body = shown === '' ? [] : [shown.replace(/\r\n/g, '\n').replace(/^/gm, '    ')];
  const answered = replyTo ? `, answers ${oneLine(replyTo.id)}` : '';
  // Actions on messages have no reference for later use.
  const ref = control ? [] : [`ref: ${message.ref}  id ${message.id}${answered}`];
  await print([head, ...ref, ...files.flatMap(fileLines), ...body].join('\n'));
}

const UNITS = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Seconds in the form of `waxwing send --disappear-after`. */
function spanOf(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

/** The action of a control, and its messages. */
function doneIn({ control }: Message): string | null {
  switch (control?.kind) {
    case undefined:
      return null;
    case 'reaction': {
      const emoji = control.emoji.map(oneLine).join(' ');
      return emoji === '' ? `(no reaction to ${control.target.id})` : `(${emoji} to ${control.target.id})`;
    }
    case 'edit':
      return control.text === ''
        ? `(removed the caption of ${control.target.id})`
        : `(edited ${control.target.id})\n${control.text}`;
    case 'delete':
      return `(deleted ${control.targets.map(({ id }) => id).join(', ')})`;
    case 'pin':
      return `(${control.pinned ? 'pinned' : 'unpinned'} ${control.target.id})`;
  }
}

function invitationIn({ body, fromNewerVersion }: Message): string | null {
  const invite = InviteContent.safeParse(body);
  if (fromNewerVersion) return null;
  if (!invite.success) return null;
  const group = oneLine(invite.data.group);
  return `(an invitation to the group ${oneLine(invite.data.name)}. To join: waxwing groups join ${group})`;
}

/** Names from the directory, each fetched once; null or the id without one. */
class Names {
  readonly #client: RelayClient;
  readonly #handles = new Map<string, string | null>();
  readonly #groups = new Map<string, string>();

  constructor(client: RelayClient) {
    this.#client = client;
  }

  async handle(address: string): Promise<string | null> {
    const known = this.#handles.get(address);
    if (known !== undefined) return known;
    // A message is shown even if its sender's name is unavailable.
    const person = await this.#client.resolve(address).catch(() => null);
    const handle = person?.handle ?? null;
    if (person) this.#handles.set(address, handle);
    return handle;
  }

  async group(id: string): Promise<string> {
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const group = await this.#client.group(id).catch(() => null);
    const name = group ? oneLine(group.name) : `group ${id}`;
    if (group) this.#groups.set(id, name);
    return name;
  }
}
