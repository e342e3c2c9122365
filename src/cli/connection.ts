/** A command's connection to the relay, and the sentences for its failures. */
import { type Command, Option } from 'commander';
import { failedWith } from '../base/failure.ts';
import type { RelayApi } from '../client/api.ts';
import {
  type Identity,
  RelayClient,
  type RelayClientOptions,
  RelayRefusal,
  RelayUnreachable,
} from '../client/index.ts';
import { parseRelay, withVariable } from './arguments.ts';
import { CommandError, commandError } from './command-error.ts';
import { chooseMeans, type Means, requireIdentity } from './credentials.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { note } from './printing.ts';
import { CREDENTIAL_NAMES, REMEDIES, WAITING_FOR_RELAY } from './sentences.ts';

/** The longest time for announcing the identity's devices at the end of a command, in milliseconds. */
const GREET_FOR = 5_000;

export interface ConnectionOptions {
  relay?: string;
  identity?: string;
  json?: true;
}

/** Common options of commands that use a relay. */
export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(relayOption())
    .option('--identity <file>', 'use the identity in this file, made by waxwing init')
    .option('--json', 'print JSON');
}

export function relayOption(): Option {
  const option = new Option('--relay <url>', 'the relay; default: that of the identity');
  return withVariable(option, 'WAXWING_RELAY').argParser(parseRelay);
}

/**
 * Runs an action for any credential.
 * @throws CommandError
 */
export async function withClient(
  options: ConnectionOptions,
  action: (client: RelayClient, means: Means) => Promise<void>,
): Promise<void> {
  const means = await chooseMeans(options.identity);
  const client = clientOf(means, options);
  await explained(run(client, action(client, means)), client.api.baseUrl, means);
}

/** Announces the identity's devices before the command ends, for a few seconds at most. */
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
 * Runs an action that requires an identity, with its device or wallet.
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
  const client = clientOf(means, options);
  const session = identity.account(client.api.baseUrl);
  const work = run(client, action({ identity, session, client }));
  await explained(work, client.api.baseUrl, means);
}

function clientOf(means: Means, { relay, json }: ConnectionOptions): RelayClient {
  let isReported = false;
  // Sending makes several attempts, for some seconds. With --json standard error has only the final error.
  const onProblem = ({ message }: { message: string }) => {
    if (!isReported && !json) note(WAITING_FOR_RELAY({ problem: message, relay: client.api.baseUrl }));
    isReported = true;
  };
  const client = new RelayClient({ ...credentialOf(means, relay), onProblem });
  return client;
}

function credentialOf(means: Means, relay: string | undefined): RelayClientOptions {
  if ('identity' in means) return { identity: means.identity, ...(relay !== undefined && { relay }) };
  if (relay === undefined) {
    throw commandError('usage', 'relay_missing');
  }
  const { WAXWING_MEMORY: memory } = process.env;
  const { value: secret, botKey } = means.secret;
  return { relay, secret, ...(botKey !== null && { botKey }), ...(memory && { memory }) };
}

/**
 * Adds a sentence with the remedy to a relay's refusal.
 * @throws CommandError
 */
export async function explained<T>(work: Promise<T>, relay: string, means: Means | null): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RelayUnreachable) {
      // Another relay does not correct a clock.
      const reason = error.code === 'clocks_differ' ? 'relay_unfit' : 'relay';
      throw commandError('unreachable', reason, { problem: error.message, relay });
    }
    if (failedWith(error, 'no_device', 'no_other_device', 'group_not_found')) {
      throw new CommandError(error.message, EXIT.notFound, 'not_found', error.code);
    }
    if (failedWith(error, 'group_left')) {
      const text = `${error.message} ${REMEDIES.join_group()}`;
      throw new CommandError(text, EXIT.credential, 'not_a_member', error.code);
    }
    if (error instanceof RelayRefusal) {
      const { code, parameters } = error;
      throw new CommandError(
        explainRefusal(error, relay, means),
        exitCodeOf(error),
        code,
        parameters.reason || null,
      );
    }
    throw error;
  }
}

function exitCodeOf(refusal: RelayRefusal): ExitCode {
  if (refusal.temporary) return EXIT.unreachable;
  if (refusal.status === 401 || refusal.status === 403) return EXIT.credential;
  if (refusal.code === 'roster_refused') return EXIT.credential;
  return refusal.status === 404 ? EXIT.notFound : EXIT.failed;
}

function explainRefusal(refusal: RelayRefusal, relay: string, means: Means | null): string {
  const { code, message, parameters, retryAfter } = refusal;
  switch (code) {
    case 'unauthorized':
      return `${REMEDIES.not_accepted({ relay, credential: nameOf(means) })} ${remedyFor(means)}`;
    case 'missing_entitlement':
      return `${message} ${isGroupToken(means) ? REMEDIES.group_token_only_posts() : REMEDIES.key_with_entitlement()}`;
    case 'group_token_not_allowed':
      return `${message} ${REMEDIES.use_api_key()}`;
    case 'not_a_member':
      return `${message} ${REMEDIES.join_group()}`;
    case 'roster_refused':
      return parameters.reason === 'proof_needed' ? `${message} ${REMEDIES.receive_ticket()}` : message;
    case 'not_found':
      if (parameters.reason === 'api_key') return `${message} ${REMEDIES.see_api_keys()}`;
      return parameters.reason === 'group_token' ? `${message} ${REMEDIES.see_tokens()}` : message;
    case 'invitation_required':
      return `${message} ${REMEDIES.give_invitation()}`;
    case 'account_deleted':
      return `${message} ${REMEDIES.reopen_account()}`;
    case 'rate_limited':
      return retryAfter === null
        ? message
        : `${message} ${REMEDIES.wait({ seconds: Math.ceil(retryAfter / 1000) })}`;
    default:
      return message;
  }
}

function nameOf(means: Means | null): string {
  if (means === null) return CREDENTIAL_NAMES.none();
  return 'secret' in means ? CREDENTIAL_NAMES.secret(means.secret) : CREDENTIAL_NAMES.identity(means);
}

function remedyFor(means: Means | null): string {
  if (means !== null && 'identity' in means) return REMEDIES.renew_identity(means);
  return isGroupToken(means) ? REMEDIES.another_group_token() : REMEDIES.another_api_key();
}

function isGroupToken(means: Means | null): boolean {
  return means !== null && 'secret' in means && means.secret.type === 'group_token';
}
