/** `waxwing account`: deletion of an account at its relay, and codes for other people's accounts. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { RelayApi } from '../../client/api.ts';
import { RelayRefusal } from '../../client/index.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import type { Me } from '../../protocol/schemas/me.ts';
import { codeEndOption, parseUses } from '../arguments.ts';
import { commandError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { note, oneLine, print, printJson, printSecret } from '../printing.ts';

interface DeleteOptions extends ConnectionOptions {
  now?: true;
  yesDelete?: string;
}

interface InviteOptions extends ConnectionOptions {
  uses: number;
  expires: string;
}

export function addAccountCommand(program: Command): void {
  const account = program
    .command('account')
    .description('delete your account at the relay, keep it, or invite others')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waxwing account delete\n  $ waxwing account keep\n  $ waxwing account invite --uses 5',
    );
  addConnectionOptions(
    account
      .command('delete')
      .description('delete your account at the relay: in seven days, or with the wallet now')
      .option('--now', 'at once: needs the wallet in the identity’s file')
      .option('--yes-delete <name>', 'confirm the deletion with your @handle or address'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing account delete
  $ waxwing account delete --now --yes-delete @build_bot

You leave your groups at once. If you own one with other members, leave it first. Handle, name, devices' keys, API keys and
waiting mail are deleted; sent messages stay with their recipients. The handle stays reserved for a year. The identity's
file stays: with it, or with the recovery phrase, the address can open the account again, empty.`,
    )
    .action(deleteAccount);
  addConnectionOptions(account.command('keep').description('cancel the deletion of an account'))
    .addHelpText('after', '\nExample:\n  $ waxwing account keep')
    .action(keepAccount);
  addConnectionOptions(
    account.command('reopen').description('reopen a deleted account with the wallet; it is empty'),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing account reopen && waxwing init --renew')
    .action(reopenAccount);
  addConnectionOptions(
    account
      .command('invite')
      .description('make an invitation code for others, if the operator allows it')
      .option('--uses <number>', 'number of accounts that it opens, 1 to 20', parseUses, 1)
      .addOption(codeEndOption()),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing account invite --uses 5 > code')
    .action(invite);
}

async function deleteAccount(options: DeleteOptions): Promise<void> {
  await withIdentity(options, 'Deleting the account', async ({ session, client }) => {
    const me = await session.me();
    const name = nameOf(me);
    const given = options.yesDelete ?? (await askFor(name, options));
    if (given === null) return printPlannedDeletion(name, client.api.baseUrl, options);
    if (![name, toChecksumAddress(me.address), me.address].includes(given.trim())) {
      throw commandError('failed', 'account_not_named', { name });
    }
    const time = await client.deleteAccount({ now: options.now ?? false });
    const deletesAt = time === null ? null : encodeTime(time);
    if (options.json) return printJson({ address: me.address, deleted: time === null, deletesAt });
    await print(
      deletesAt === null
        ? `The account of ${name} is deleted. The identity’s file is still there.`
        : `The account of ${name} is deleted on ${deletesAt}. Until then: waxwing account keep`,
    );
  });
}

/** The typed answer at a terminal; null without a terminal. */
async function askFor(name: string, { json }: DeleteOptions): Promise<string | null> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`To delete the account of ${name}, type ${name}: `);
  } finally {
    terminal.close();
  }
}

async function printPlannedDeletion(
  name: string,
  relay: string,
  { now, json }: DeleteOptions,
): Promise<void> {
  if (json) return printJson({ deleted: false, deletesAt: null, confirmWith: name });
  const when = now ? 'at once' : 'in seven days';
  await print(
    `The account of ${name} at ${relay} would be deleted ${when}, and you would leave your groups now.`,
  );
  note(`Nothing was deleted. To delete the account, add: --yes-delete ${name}`);
}

async function keepAccount(options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Keeping the account', async ({ identity }) => {
    await identity.keepAccount();
    await (options.json ? printJson({ deletesAt: null }) : print('The account stays.'));
  });
}

async function reopenAccount(options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Opening the account again', async ({ identity, session }) => {
    const me = await meUnlessDeleted(session);
    if (me !== null) return printOpenAccount(me, options);
    await identity.reopenAccount();
    const next = 'The account is open again, and empty. Now: waxwing init --renew';
    await (options.json ? printJson({ reopened: true }) : print(next));
  });
}

/** Not an error, so that `reopen && waxwing init --renew` can be repeated after an interruption. */
async function printOpenAccount(me: Me, { json }: ConnectionOptions): Promise<void> {
  if (json) return printJson({ reopened: false });
  await print(`The account of ${nameOf(me)} is not deleted. Nothing was changed.`);
  if (me.deletesAt !== null) note(`It is deleted on ${me.deletesAt}. To keep it: waxwing account keep`);
}

/** The account, or null if it was deleted. */
async function meUnlessDeleted(session: RelayApi): Promise<Me | null> {
  try {
    return await session.me();
  } catch (error) {
    if (error instanceof RelayRefusal && error.code === 'account_deleted') return null;
    throw error;
  }
}

async function invite({ uses, expires, ...options }: InviteOptions): Promise<void> {
  await withIdentity(options, 'Inviting', async ({ session }) => {
    const invitation = await session.createInvitation(uses, expires);
    if (options.json) return printJson(invitation);
    await printSecret(invitation.code);
    note(`It opens ${uses === 1 ? 'one account' : `${uses} accounts`} until ${expires}.`);
  });
}

function nameOf({ handle, address }: Me): string {
  return handle === null ? toChecksumAddress(address) : `@${oneLine(handle)}`;
}
