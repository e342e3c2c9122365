/** `waxwing relay admin`: an operator's commands for a running relay, through the socket in its data folder. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { runAdminCommand } from '../../relay/admin/client.ts';
import type { AdminResult } from '../../relay/admin/commands.ts';
import { operatorFailureFrom } from '../../relay/operator/failure.ts';
import { USAGE_MEASURES, type UsageMeasure } from '../../relay/store/operator-records.ts';
import {
  type AccountName,
  codeEndOption,
  parseAccount,
  parseCount,
  parseTarget,
  parseWireAddress,
  type Target,
} from '../arguments.ts';
import { columns, describeBytes, describeDuration, show } from '../output.ts';
import { count } from '../people.ts';

interface AdminOptions {
  data: string;
  json?: true;
}

interface ListOptions extends AdminOptions {
  limit: number;
}

export function addAdminCommands(relay: Command): void {
  const admin = relay
    .command('admin')
    .description('administer a running relay: verify, suspend, list, remove, back up')
    .addHelpText(
      'after',
      `
Each command calls the relay that runs on the given data folder, and needs write access to it.
Exit codes: 0 done, 1 failed, 2 wrong usage.

Examples:
  $ waxwing relay admin stats --data /var/lib/waxwing
  $ waxwing relay admin verify @alice --data /var/lib/waxwing`,
    );

  /** A command with the common options: the folder, --json, an example. */
  function add(usage: string, description: string, example: string): Command {
    return admin
      .command(usage)
      .description(description)
      .requiredOption('--data <folder>', 'the data folder of the running relay', (folder) => resolve(folder))
      .option('--json', 'print the result as JSON')
      .addHelpText('after', `\nExample:\n  $ waxwing relay admin ${example} --data /var/lib/waxwing`);
  }

  /**
   * Two commands that set a mark and remove it.
   * @param descriptions by name; the command that sets the mark comes first
   */
  function addPair<Subject>(
    descriptions: Readonly<Record<string, string>>,
    example: string,
    addArgument: (command: Command) => Command,
    set: (subject: Subject, isSet: boolean, options: AdminOptions) => Promise<void>,
  ): void {
    for (const [index, [name, description]] of Object.entries(descriptions).entries())
      addArgument(add(name, description, `${name} ${example}`)).action(
        (subject: Subject, options: AdminOptions) => set(subject, index === 0, options),
      );
  }

  add('stats', 'show the number of accounts and devices, waiting mail, and sizes', 'stats').action(showStats);

  addPair(
    { verify: 'mark a handle or a group as verified, visible to all people', unverify: 'remove the mark' },
    '@alice',
    (command) => command.argument('<target>', '@handle, or the id of a group', parseTarget),
    verify,
  );
  addPair(
    {
      suspend: 'refuse every credential of an account, at once, and hide its handle; its messages wait',
      unsuspend: 'accept the credentials of the account again',
    },
    '@mallory',
    (command) => command.argument('<account>', '@handle, or an address', parseAccount),
    suspend,
  );

  add('usage', 'list the accounts with the highest usage', 'usage --by bytes')
    .addOption(
      new Option('--by <measure>', 'waiting mail (envelopes, bytes), files (blobs), devices or groups')
        .choices(USAGE_MEASURES)
        .default('bytes'),
    )
    .option('--limit <number>', 'maximum number', parseCount, 20)
    .action(listUsage);
  add('reports', 'list reports about people and groups, newest first', 'reports')
    .option('--limit <number>', 'maximum number', parseCount, 100)
    .action(listReports);
  add('resolve-report', 'delete a resolved report', 'resolve-report ID')
    .argument('<id>', 'the id of the report, from the list')
    .action(resolveReport);

  add('handles', 'list handles, public or not', 'handles ali')
    .argument('[text]', 'only those with this text', '')
    .option('--limit <number>', 'maximum number', parseCount, 100)
    .action(listHandles);
  add('groups', 'list groups, newest first', 'groups release')
    .argument('[text]', 'only those with this text in their name', '')
    .option('--limit <number>', 'maximum number', parseCount, 100)
    .action(listGroups);
  add('remove-group', 'remove a group, its memberships and its tokens', 'remove-group ID')
    .argument('<id>', 'the id of the group')
    .option('--yes-remove <name>', 'confirm the removal with the group’s name')
    .action(removeGroup);

  add('invite', 'make an invitation code for opening accounts', 'invite --uses 20 --expires 7d')
    .option('--uses <number>', 'number of accounts that it opens', parseCount, 1)
    .addOption(codeEndOption())
    .action(invite);
  add('invitations', 'list the valid invitations, without their codes', 'invitations')
    .option('--limit <number>', 'maximum number', parseCount, 100)
    .action(listInvitations);
  add('revoke-invitation', 'revoke an invitation code', 'revoke-invitation ID')
    .argument('<id>', 'the id of the code, from the list')
    .action(revokeInvitation);
  addPair(
    {
      admit: 'allow an address to open an account without a code',
      unadmit: 'remove an address from the list; an account that it has stays',
    },
    '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
    (command) => command.argument('<address>', 'the address', parseWireAddress),
    admit,
  );
  add('admitted', 'list the addresses that may open an account without a code', 'admitted')
    .option('--limit <number>', 'maximum number', parseCount, 100)
    .action(listAdmitted);

  add('backup', 'write a consistent copy of the database, while the relay runs', 'backup ./relay-backup.db')
    .argument('<file>', 'a file that does not exist yet')
    .action(backUp);
  add('audit', 'show the newest entries of the audit log', 'audit --verify')
    .option('--limit <number>', 'maximum number', parseCount, 50)
    .option('--verify', 'check the whole log for changed, moved or removed entries')
    .action(audit);
}

async function showStats(options: AdminOptions): Promise<void> {
  const stats = await runAdminCommand(options.data, 'stats', {});
  show(options, stats, (found) =>
    columns([
      ['Relay', `${found.name}, running for ${describeDuration(found.uptimeSeconds)}`],
      ['Accounts', `${found.accounts}, of which ${found.suspendedAccounts} suspended`],
      ['Registration', REGISTRATIONS[found.registration]],
      ['Devices', `${found.devices}`],
      ['Groups', `${found.groups}`],
      ['Envelopes waiting', `${found.waitingEnvelopes}, ${describeBytes(found.waitingBytes)}`],
      ['Oldest of them', found.oldestWaiting === null ? 'none' : `of ${found.oldestWaiting}`],
      ['Calls held open', `${found.heldPolls}`],
      ['Database', describeBytes(found.databaseBytes)],
      ['Memory', describeBytes(found.memoryBytes)],
    ]),
  );
}

async function listUsage({ by, limit, data, json }: ListOptions & { by: UsageMeasure }): Promise<void> {
  const accounts = await runAdminCommand(data, 'usage', { by, limit });
  show({ ...(json && { json }) }, accounts, (found) =>
    found.length === 0
      ? 'No account uses any of it.'
      : columns(
          found.map((account) => [
            account.address,
            account.handle === null ? '' : `@${account.handle}`,
            `${account.envelopes} waiting, ${describeBytes(account.bytes)}`,
            `files ${describeBytes(account.blobs)}`,
            count(account.devices, 'device'),
            count(account.groups, 'group'),
            account.suspended ? 'suspended' : '',
          ]),
        ),
  );
}

async function listReports(options: ListOptions): Promise<void> {
  const reports = await runAdminCommand(options.data, 'reports', { limit: options.limit });
  show(options, reports, (found) =>
    found.length === 0
      ? 'There are no reports.'
      : found
          .map(({ id, reportedAt, reporter, about, reason, text }) => {
            const what = 'account' in about ? `account ${about.account}` : `group ${about.group}`;
            // On one line, and without effect on a terminal.
            const words = text === null ? [] : [`  ${JSON.stringify(text)}`];
            return [`${id}  ${reportedAt}  ${reason}  ${what}`, `  by ${reporter}`, ...words].join('\n');
          })
          .join('\n'),
  );
}

async function resolveReport(id: string, options: AdminOptions): Promise<void> {
  const result = await runAdminCommand(options.data, 'resolveReport', { id });
  show(options, result, () => `The report ${id} is settled.`);
}

async function verify(target: Target, verified: boolean, options: AdminOptions): Promise<void> {
  const word = verified ? 'verified' : 'no longer verified';
  if ('handle' in target) {
    const result = await runAdminCommand(options.data, 'verifyHandle', { handle: target.handle, verified });
    return show(options, result, ({ handle }) => `@${handle} is ${word}.`);
  }
  const result = await runAdminCommand(options.data, 'verifyGroup', { id: target.group, verified });
  show(options, result, ({ id }) => `The group ${id} is ${word}.`);
}

async function suspend(account: AccountName, suspended: boolean, options: AdminOptions): Promise<void> {
  const result = await runAdminCommand(options.data, 'suspend', { account, suspended });
  show(options, result, ({ address }) =>
    suspended
      ? `${address} is suspended: none of its credentials works, and its handle is hidden. Messages to it are still stored.`
      : `${address} has access again.`,
  );
}

async function listHandles(text: string, options: ListOptions): Promise<void> {
  const handles = await runAdminCommand(options.data, 'handles', { text, limit: options.limit });
  show(options, handles, (found) =>
    found.length === 0
      ? 'No handle fits.'
      : columns(
          found.map((each) => [
            `@${each.handle}`,
            each.address,
            marks({ verified: each.verified, private: !each.public, suspended: each.suspended }),
          ]),
        ),
  );
}

type Group = AdminResult<'groups'>[number];

async function listGroups(text: string, options: ListOptions): Promise<void> {
  const groups = await runAdminCommand(options.data, 'groups', { text, limit: options.limit });
  show(options, groups, (found) =>
    found.length === 0
      ? 'No group fits.'
      : columns(
          found.map((group) => [
            group.id,
            group.name,
            count(group.members, 'member'),
            marks({ verified: group.verified }),
          ]),
        ),
  );
}

async function removeGroup(id: string, options: AdminOptions & { yesRemove?: string }): Promise<void> {
  if (options.yesRemove !== undefined) {
    const group = await runAdminCommand(options.data, 'removeGroup', { id, name: options.yesRemove });
    return show(options, { removed: true, group }, () => `Removed: ${describeGroup(group)}`);
  }
  const group = await runAdminCommand(options.data, 'findGroup', { id });
  show(options, { removed: false, group }, () =>
    [
      `This would be removed: ${describeGroup(group)}`,
      'Its members keep their messages; no one can post to it afterwards.',
      `Nothing was removed. To remove the group, add: --yes-remove '${group.name.replaceAll("'", `'\\''`)}'`,
    ].join('\n'),
  );
}

function describeGroup({ name, id, creator, members, tokens }: Group): string {
  return `“${name}” (${id}), owned by ${creator}, with ${count(members, 'member')} and ${count(tokens, 'token')}.`;
}

const REGISTRATIONS = {
  open: 'open to everyone',
  code: 'with an invitation code',
  list: 'for addresses that you named',
} as const;

interface InviteOptions extends AdminOptions {
  uses: number;
  expires: string;
}

async function invite({ uses, expires, ...options }: InviteOptions): Promise<void> {
  const invitation = await runAdminCommand(options.data, 'invite', { uses, expires });
  show(options, invitation, ({ code, registration }) =>
    [
      code,
      `It opens ${uses === 1 ? 'one account' : `${uses} accounts`} until ${expires}. It is shown only now.`,
      ...(registration === 'code'
        ? []
        : [`This relay does not ask for codes: registration is ${REGISTRATIONS[registration]}.`]),
    ].join('\n'),
  );
}

async function listInvitations(options: ListOptions): Promise<void> {
  const invitations = await runAdminCommand(options.data, 'invitations', { limit: options.limit });
  show(options, invitations, (found) =>
    found.length === 0
      ? 'No code can be used.'
      : columns(
          found.map((each) => [
            each.id,
            `${each.usesLeft} of ${each.uses} left`,
            `until ${each.expiresAt}`,
            `by ${each.maker ?? 'the operator'}`,
          ]),
        ),
  );
}

async function revokeInvitation(id: string, options: AdminOptions): Promise<void> {
  const result = await runAdminCommand(options.data, 'revokeInvitation', { id });
  show(options, result, () => `The code ${id} can no longer open accounts.`);
}

async function admit(address: string, admitted: boolean, options: AdminOptions): Promise<void> {
  const result = await runAdminCommand(options.data, 'admit', { address, admitted });
  show(options, result, () =>
    admitted
      ? `${address} may open an account without a code.`
      : `${address} is not on the list. If it has an account, that stays.`,
  );
}

async function listAdmitted(options: ListOptions): Promise<void> {
  const addresses = await runAdminCommand(options.data, 'admitted', { limit: options.limit });
  show(options, addresses, (found) =>
    found.length === 0
      ? 'No address is on the list.'
      : columns(found.map(({ address, hasAccount }) => [address, hasAccount ? 'has an account' : ''])),
  );
}

async function backUp(file: string, options: AdminOptions): Promise<void> {
  const result = await runAdminCommand(options.data, 'backup', { file: resolve(file) });
  show(
    options,
    result,
    ({ bytes }) => `${resolve(file)} has ${describeBytes(bytes)}, readable by you alone.`,
  );
}

async function audit(options: ListOptions & { verify?: true }): Promise<void> {
  if (options.verify) return verifyAudit(options);
  const rows = await runAdminCommand(options.data, 'audit', { limit: options.limit });
  show(options, rows, (found) =>
    found.length === 0
      ? 'The audit log is empty.'
      : columns(
          found.map((row) => [
            `${row.sequence}`,
            row.at,
            row.actor,
            row.action,
            row.target,
            Object.keys(row.detail).length === 0 ? '' : JSON.stringify(row.detail),
          ]),
        ),
  );
}

async function verifyAudit(options: AdminOptions): Promise<void> {
  const verdict = await runAdminCommand(options.data, 'verifyAudit', {});
  if (verdict.problem === null) {
    return show(options, verdict, ({ rows, expired, head }) =>
      head === null
        ? 'The audit log is empty.'
        : `All ${rows} entries are as they were written${expired > 0 ? `; ${expired} older ones are over` : ''}. The last has the hash ${head}: note it elsewhere, and compare.`,
    );
  }
  if (options.json) console.log(JSON.stringify(verdict, null, 2));
  throw operatorFailureFrom(verdict.problem);
}

function marks(words: Record<string, boolean>): string {
  return Object.keys(words)
    .filter((word) => words[word])
    .join(', ');
}
