/**
 * A command's way to the relay, and the sentences for what goes wrong on it.
 */
import { type Command, Option } from 'commander';
import type { RelayApi } from '../client/api.ts';
import { type Identity, RelayClient, RelayRefusal, RelayUnreachable } from '../client/index.ts';
import { parseRelay } from './arguments.ts';
import { CommandError, usageError } from './command-error.ts';
import { chooseMeans, type Means, requireIdentity } from './credentials.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** How long a command may go on telling others of the identity's devices, in milliseconds. */
const GREET_FOR = 5_000;

export interface ConnectionOptions {
  relay?: string;
  identity?: string;
  json?: true;
}

/** What every command has that talks to a relay. */
export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(relayOption())
    .option('--identity <file>', 'act as the identity in this file, as waxwing init made it')
    .option('--json', 'answer in JSON');
}

export function relayOption(): Option {
  return new Option('--relay <url>', 'the relay to talk to; an identity knows its own')
    .env('WAXWING_RELAY')
    .argParser(parseRelay);
}

/**
 * Runs what any credential may do.
 * @throws CommandError
 */
export async function withClient(
  options: ConnectionOptions,
  action: (client: RelayClient, means: Means) => Promise<void>,
): Promise<void> {
  const means = await chooseMeans(options.identity);
  const client = clientOf(means, options.relay);
  await explained(run(client, action(client, means)), client.api.baseUrl, means);
}

/** A command ends at once: what is to be told of the identity's devices is told before that, for a few seconds at most. */
async function run(client: RelayClient, action: Promise<void>): Promise<void> {
  try {
    await action;
    await client.greet(GREET_FOR);
  } finally {
    client.close();
  }
}

export interface Account {
  identity: Identity;
  /** Calls with a session of the identity. */
  session: RelayApi;
  /** Calls with the identity's API key. */
  client: RelayClient;
}

/**
 * Runs what only an identity may do, with its device or wallet.
 * @param what as in 'Creating a group'
 * @throws CommandError
 */
export async function withIdentity(
  options: ConnectionOptions,
  what: string,
  action: (account: Account) => Promise<void>,
): Promise<void> {
  const means = await requireIdentity(options.identity, what);
  const { identity } = means;
  const client = clientOf(means, options.relay);
  const session = identity.account(client.api.baseUrl);
  const work = run(client, action({ identity, session, client }));
  await explained(work, client.api.baseUrl, means);
}

function clientOf(means: Means, relay: string | undefined): RelayClient {
  if ('identity' in means) {
    return new RelayClient({ identity: means.identity, ...(relay !== undefined && { relay }) });
  }
  if (relay === undefined) {
    throw usageError('Which relay? Give its address with --relay, or set WAXWING_RELAY.');
  }
  const { WAXWING_MEMORY: memory } = process.env;
  return new RelayClient({ relay, secret: means.secret.value, ...(memory && { memory }) });
}

/**
 * Gives what the relay refused a sentence that says what to do.
 * @throws CommandError
 */
export async function explained<T>(work: Promise<T>, relay: string, means: Means | null): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RelayUnreachable) {
      const sentence = `${error.message} The relay is ${relay}; --relay or WAXWING_RELAY names another.`;
      throw new CommandError(sentence, EXIT.unreachable, 'unreachable');
    }
    if (error instanceof RelayRefusal) {
      throw new CommandError(explainRefusal(error, relay, means), exitCodeOf(error), error.code);
    }
    throw error;
  }
}

function exitCodeOf(refusal: RelayRefusal): ExitCode {
  if (refusal.temporary) return EXIT.unreachable;
  if (refusal.status === 401 || refusal.status === 403) return EXIT.credential;
  return refusal.status === 404 ? EXIT.notFound : EXIT.failed;
}

function explainRefusal(refusal: RelayRefusal, relay: string, means: Means | null): string {
  const { code, message, retryAfter } = refusal;
  switch (code) {
    case 'unauthorized':
      return `The relay ${relay} does not accept ${nameOf(means)}. ${remedyFor(means)}`;
    case 'missing_entitlement':
      return `${message} ${isGroupToken(means) ? 'A group token can post into its own group and nothing else; this needs an API key.' : 'What a key may do is chosen when it is made: make another in the app’s API settings, or with waxwing api-keys create.'}`;
    case 'group_token_not_allowed':
      return `${message} Use an API key for this.`;
    case 'not_a_member':
      return `${message} That is: waxwing groups join, with the id of the group.`;
    case 'rate_limited':
      return retryAfter === null ? message : `${message} Try again in ${Math.ceil(retryAfter / 1000)} s.`;
    default:
      return message;
  }
}

function nameOf(means: Means | null): string {
  if (means === null) return 'this identity';
  return 'secret' in means ? `the secret in ${means.secret.variable}` : `the API key in ${means.file}`;
}

function remedyFor(means: Means | null): string {
  if (means !== null && 'identity' in means) {
    return `It was revoked, or belongs to another relay. waxwing init --renew --identity ${means.file} gives it another.`;
  }
  if (isGroupToken(means)) {
    return 'It was revoked, or belongs to another relay. The creator of the group mints another with waxwing groups token create.';
  }
  return 'It was revoked, has expired or belongs to another relay, or Developer API access was locked. Make another in the app’s API settings, or with waxwing api-keys create.';
}

function isGroupToken(means: Means | null): boolean {
  return means !== null && 'secret' in means && means.secret.type === 'group_token';
}
