/**
 * `waxwing api-keys`: keys for scripts that are to act in the name of an identity.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { ApiKeyEntitlement } from '../../protocol/credentials.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import { addConnectionOptions, type ConnectionOptions, requireIdentity } from '../connection.ts';
import { columns, printable, show } from '../output.ts';

interface CreateOptions extends ConnectionOptions {
  only?: ApiKeyEntitlement[];
  expires?: string;
}

const DAY = 86_400_000;

export function addApiKeyCommands(program: Command): void {
  const keys = program.command('api-keys').description('make, list and revoke API keys of an identity');
  const add = (usage: string, description: string, example: string) =>
    addConnectionOptions(keys.command(usage))
      .description(description)
      .addHelpText('after', `\nExample:\n  $ waxwing api-keys ${example}`);

  add(
    'create <name>',
    'make a key; its secret is printed this once',
    'create "nightly job" --only envelopes:send,directory:read --expires 90',
  )
    .option(
      '--only <entitlements>',
      `what it may do, with commas between: ${ApiKeyEntitlement.options.join(', ')}`,
      parseEntitlements,
    )
    .option('--expires <days>', 'after so many days', parseDays)
    .action(create);
  add('list', 'the keys, newest first, without their secrets', 'list').action(list);
  add('revoke <id>', 'end a key, at once', 'revoke KEY_ID').action(revoke);
}

function parseEntitlements(text: string): ApiKeyEntitlement[] {
  const parsed = ApiKeyEntitlement.array().min(1).safeParse(text.split(','));
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`There are: ${ApiKeyEntitlement.options.join(', ')}.`);
}

function parseDays(text: string): string {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 36_500)
    throw new InvalidArgumentError('It has to be a number of days, 1 or more.');
  return encodeTime(Date.now() + days * DAY);
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const account = requireIdentity(options, 'Making a key').account(options.relay);
  const key = await account.call('createApiKey', {
    body: {
      name,
      ...(options.only && { entitlements: options.only }),
      ...(options.expires !== undefined && { expiresAt: options.expires }),
    },
  });
  show(options, key, () =>
    [
      'The secret, shown this once:',
      `  ${key.secret}`,
      '',
      `It may: ${key.entitlements.join(', ')}. It expires: ${key.expiresAt ?? 'never'}.`,
      `Use it as WAXWING_API_KEY, with WAXWING_RELAY=${account.baseUrl}`,
    ].join('\n'),
  );
}

async function list(options: ConnectionOptions): Promise<void> {
  const account = requireIdentity(options, 'Listing keys').account(options.relay);
  const { apiKeys } = await account.call('listApiKeys', {});
  show(options, { apiKeys }, () =>
    apiKeys.length === 0
      ? 'No keys.'
      : columns(
          apiKeys.map((key) => [
            key.id,
            `${key.prefix}…`,
            printable(key.name),
            key.revokedAt === null ? `last used ${key.lastUsedAt ?? 'never'}` : `revoked ${key.revokedAt}`,
            key.entitlements.join(' '),
          ]),
        ),
  );
}

async function revoke(id: string, options: ConnectionOptions): Promise<void> {
  const account = requireIdentity(options, 'Revoking a key').account(options.relay);
  await account.call('deleteApiKey', { params: { id } });
  show(options, { revoked: id }, () => 'The key is revoked: whatever uses it is refused from now on.');
}
