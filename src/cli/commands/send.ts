/**
 * `waxwing send`: seals a text or files for each device of a person or group, and sends them.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { DirectOptions, FileToSend, RelayClient, SendOptions, Sent } from '../../client/index.ts';
import { decodeRef } from '../../client/message-ref.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { Timer } from '../../protocol/roster/forms.ts';
import { parseWireAddress, readSpan } from '../arguments.ts';
import { argumentError, commandError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withClient } from '../connection.ts';
import type { Means } from '../credentials.ts';
import { type FileOptions, filesToSend } from '../files-to-send.ts';
import { noteUndelivered, parseRef, readMessage } from '../messages.ts';
import { count, parseId, parsePerson, shortAddress } from '../people.ts';
import { oneLine, print, printJson, progress } from '../printing.ts';

interface Options extends ConnectionOptions, FileOptions {
  group?: string;
  request?: true;
  byHand?: true;
  messageId?: string;
  replyTo?: string;
  disappearAfter?: number;
  mention?: Mentioned[];
}

/** Words of the text with the mentioned address; null if they are a handle. */
interface Mentioned {
  words: string;
  address: string | null;
}

/** The number of devices from which sealing takes noticeable time. */
const MANY_DEVICES = 200;

export function addSendCommand(program: Command): void {
  addConnectionOptions(
    program
      .command('send')
      .description('encrypt and send a message')
      .argument('[to]', '@handle or address; left out with --group or a group token')
      .argument('[text]', 'the message, or the caption of files; - or nothing for standard input')
      .option('--group <id>', 'send into this group', parseId)
      .option('--file <file>', 'send this file, or - for standard input; repeatable, up to ten', collectFile)
      .option('--name <name>', 'the name of the file, instead of its own')
      .option('--media-type <type>', 'the type of the file, as in image/png, instead of the detected one')
      .option('--alt <text>', 'a description of the picture for people who cannot see it')
      .option('--reply-to <ref>', 'reply to this message, in its conversation; without a recipient', parseRef)
      .option(
        '--mention <who>',
        'mention a person by their @handle in the text, or words=address; repeatable',
        collectMention,
      )
      .option(
        '--disappear-after <time>',
        'lifetime after sending or reading, as in 30s, 5m, 8h, 1d or 4w; 0 for unlimited',
        parseSpan,
      )
      .option('--request', 'mark it as a first contact, for the recipient to accept')
      .option('--by-hand', 'mark it as typed by a person: bots may answer')
      .option(
        '--message-id <id>',
        'repeat a message that may have arrived: it is shown once',
        parseMessageId,
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing send @ann "The build is green."
  $ git log -1 | waxwing send 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A
  $ waxwing send --group "$GROUP" "Lunch?" --by-hand
  $ (set -a; . ./bot.env; waxwing send "Version 1.4 is out.")
  $ waxwing send --reply-to "$REF" "Yes, at four."
  $ waxwing send --group "$GROUP" "The build is red, @ben." --mention @ben
  $ waxwing send @ann --file photo.jpg --file report.pdf "From today's visit"
  $ pg_dump app | gzip | waxwing send @ann --file - --name app.sql.gz
  $ waxwing send @ann -- "- a text that begins with a dash"

Sent as an identity, or with a bot key, a message is signed. Sent with an API key or a group token alone it is not: the
recipients see that it came by API or by a bot token.

Files are sealed on this machine and stored by the relay for 45 days. An identity and a group token may send them; an API
key needs the entitlement blobs. Without a text they have no caption: standard input is not read.

A message in a group has the group's timer, and a reply that of its target. Elsewhere a program does not know the timer
of a chat: use --disappear-after.

The printed ref identifies the message for waxwing edit, delete, react, or send --reply-to.`,
    )
    .action(send);
}

interface Draft {
  text: string;
  files: FileToSend[];
}

async function readDraft(text: string | undefined, options: Options): Promise<Draft> {
  const files = filesToSend(options, text);
  if (files.length === 0) return { text: await readMessage(text), files };
  return { text: text === undefined ? '' : await readMessage(text), files };
}

async function send(first: string | undefined, second: string | undefined, options: Options): Promise<void> {
  await withClient(options, async (client, means) => {
    if (options.replyTo !== undefined) {
      const { where } = decodeRef(options.replyTo);
      const draft = await readDraft(answerText(first, second, options), options);
      const flags = { ...(await flagsOf(client, options)), replyTo: options.replyTo };
      if ('groupId' in where) {
        await printSent(await sendToGroup(client, where.groupId, draft, flags), 'the group', where, options);
      } else {
        await sendToPerson(client, where.peer, draft, flags, options);
      }
    } else if (options.group !== undefined || isGroupToken(means)) {
      const draft = await readDraft(groupText(first, second, options), options);
      const groupId = await groupOf(client, means, options);
      const devices = await devicesOf(client, groupId);
      if (devices > MANY_DEVICES) progress(`Sealing for ${devices} devices…`);
      const sent = await sendToGroup(client, groupId, draft, await flagsOf(client, options));
      await printSent(sent, 'the group', { groupId }, options);
    } else {
      if (first === undefined) throw commandError('usage', 'recipient_missing');
      const person = readPerson(first);
      const draft = await readDraft(second, options);
      const flags = { ...(await flagsOf(client, options)), asRequest: options.request ?? false };
      await sendToPerson(client, person, draft, flags, options);
    }
  });
}

async function sendToPerson(
  client: RelayClient,
  person: string,
  { text, files }: Draft,
  flags: DirectOptions,
  options: Options,
): Promise<void> {
  const { address, handle } = await client.patiently(() => client.resolve(person));
  const sent =
    files.length === 0
      ? await client.send(address, text, flags)
      : await client.sendFiles(address, files, { ...flags, caption: text });
  await printSent(sent, called({ address, handle }), { address, handle }, options);
}

function sendToGroup(
  client: RelayClient,
  groupId: string,
  { text, files }: Draft,
  flags: SendOptions,
): Promise<Sent> {
  if (files.length === 0) return client.sendToGroup(groupId, text, flags);
  return client.sendFilesToGroup(groupId, files, { ...flags, caption: text });
}

async function groupOf(client: RelayClient, means: Means, { group }: Options): Promise<string> {
  const own = isGroupToken(means) ? (await client.patiently(() => client.me())).credential.groupId : group;
  if (own === undefined) throw new Error('a group token without a group');
  if (group === undefined || group === own) return own;
  throw commandError('credential', 'group_token_of_other_group', { own, group });
}

/** The text in the arguments of an answer. */
function answerText(first: string | undefined, second: string | undefined, options: Options) {
  if (options.request) throw commandError('usage', 'reply_has_no_request');
  if (second === undefined && options.group === undefined) return first;
  throw commandError('usage', 'reply_and_recipient');
}

function called({ address, handle }: { address: string; handle: string | null }): string {
  return handle === null ? shortAddress(address) : `@${handle}`;
}

/** The text in the arguments of a message to a group. */
function groupText(first: string | undefined, second: string | undefined, options: Options) {
  if (options.request) throw commandError('usage', 'group_has_no_request');
  const isPerson = first !== undefined && /^(?:@[a-z0-9_]+|0x[0-9a-fA-F]{40})$/.test(first);
  if (second === undefined && !isPerson) return first;
  throw commandError('usage', options.group === undefined ? 'group_token_recipient' : 'group_and_recipient');
}

async function devicesOf(client: RelayClient, groupId: string): Promise<number> {
  if (!process.stderr.isTTY) return 0;
  return Object.values((await client.patiently(() => client.group(groupId))).memberDeviceKeys).flat().length;
}

async function flagsOf(client: RelayClient, options: Options): Promise<SendOptions> {
  const { byHand, disappearAfter: expires, messageId, mention = [] } = options;
  const mentions: Record<string, string> = {};
  for (const { words, address } of mention)
    mentions[words] = address ?? (await client.patiently(() => client.resolve(words))).address;
  return {
    automated: byHand !== true,
    mentions,
    ...(messageId !== undefined && { messageId }),
    ...(expires !== undefined && { expires }),
  };
}

async function printSent(
  sent: Sent,
  recipient: string,
  destination: { groupId: string } | { address: string; handle: string | null },
  { json }: Options,
): Promise<void> {
  const devices = noteUndelivered(sent);
  if (json) return printJson({ ...sent, ...destination, devices });
  if (devices === 0) return;
  const line = `Sent to ${recipient}, sealed for ${count(devices, 'device')}, as message ${sent.messageId}.`;
  await print(`${line}\nref: ${sent.ref}`);
}

function isGroupToken(means: Means): means is Extract<Means, { secret: unknown }> {
  return 'secret' in means && means.secret.type === 'group_token';
}

function readPerson(text: string): string {
  try {
    return parsePerson(text);
  } catch (error) {
    throw error instanceof InvalidArgumentError
      ? commandError('usage', 'recipient_malformed', { given: shortened(text), problem: error.message })
      : error;
  }
}

/** The beginning of a text that may be a whole message. */
function shortened(text: string): string {
  const characters = [...oneLine(text)];
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : characters.join('');
}

function collectFile(path: string, before: string[] = []): string[] {
  return [...before, path];
}

/** Words and an address with '=' between them, or a handle in the text. */
function collectMention(given: string, before: Mentioned[] = []): Mentioned[] {
  const split = given.lastIndexOf('=');
  if (split > 0)
    return [...before, { words: given.slice(0, split), address: parseWireAddress(given.slice(split + 1)) }];
  const words = parsePerson(given);
  if (!words.startsWith('@')) throw argumentError('mention');
  return [...before, { words, address: null }];
}

/** Seconds of a span such as 8h. */
function parseSpan(text: string): number {
  const seconds = readSpan(text);
  if (seconds === null || !Timer.safeParse(seconds).success) throw argumentError('timer');
  return seconds;
}

function parseMessageId(text: string): string {
  try {
    if (decodeBase64Url(text).length === 16) return text;
  } catch {
    // Reported below.
  }
  throw argumentError('message_id');
}
