/**
 * `waxwing relay admin`: what an operator asks of a running relay, through the socket in its data folder.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { askRelay } from '../../relay/admin/client.ts';
import type { AdminResult } from '../../relay/admin/commands.ts';
import { operatorFailureFrom } from '../../relay/operator-failure.ts';
import { type AccountName, parseAccount, parseCount, parseTarget, type Target } from '../arguments.ts';
import { columns, describeBytes, describeDuration, show } from '../output.ts';

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
    .description('look after a running relay: verify, suspend, list, remove, back up')
    .addHelpText(
      'after',
      `
Each command speaks to the relay that runs with the given data folder, and needs the right to write there.
Exit codes: 0 done, 1 it could not be done, 2 wrong usage.

Examples:
  $ waxwing relay admin stats --data /var/lib/waxwing
  $ waxwing relay admin verify @alice --data /var/lib/waxwing`,
    );

  /** A command with what all have: the folder, --json, an example. */
  function add(usage: string, description: string, example: string): Command {
    return admin
      .command(usage)
      .description(description)
      .requiredOption('--data <folder>', 'the data folder of the running relay', (folder) => resolve(folder))
      .option('--json', 'print the result as JSON')
      .addHelpText('after', `\nExample:\n  $ waxwing relay admin ${example} --data /var/lib/waxwing`);
  }

  add('stats', 'accounts, devices, what waits, and the size of it all', 'stats').action(showStats);

  for (const verified of [true, false]) {
    const name = verified ? 'verify' : 'unverify';
    const description = verified
      ? 'mark a handle or a group as verified, for everybody to see'
      : 'take the mark of verification away';
    add(name, description, `${name} @alice`)
      .argument('<target>', '@handle, or the id of a group', parseTarget)
      .action((target: Target, options: AdminOptions) => verify(target, verified, options));
  }
  for (const suspended of [true, false]) {
    const name = suspended ? 'suspend' : 'unsuspend';
    const description = suspended
      ? 'refuse every credential of an account, at once, and hide its handle; its messages wait'
      : 'let an account in again';
    add(name, description, `${name} @mallory`)
      .argument('<account>', '@handle, or an address', parseAccount)
      .action((account: AccountName, options: AdminOptions) => suspend(account, suspended, options));
  }

  add('handles', 'list handles, public or not', 'handles ali')
    .argument('[text]', 'only those that contain it', '')
    .option('--limit <number>', 'at most so many', parseCount, 100)
    .action(listHandles);
  add('groups', 'list groups, newest first', 'groups release')
    .argument('[text]', 'only those whose name contains it', '')
    .option('--limit <number>', 'at most so many', parseCount, 100)
    .action(listGroups);
  add('remove-group', 'remove a group, its memberships and its tokens', 'remove-group ID')
    .argument('<id>', 'the id of the group')
    .option('--yes-remove <name>', 'really remove it; the name has to be the group’s')
    .action(removeGroup);

  add('backup', 'write a consistent copy of the database, while the relay runs', 'backup ./relay-backup.db')
    .argument('<file>', 'a file that does not exist yet')
    .action(backUp);
  add('audit', 'show the newest entries of the audit log', 'audit --verify')
    .option('--limit <number>', 'at most so many', parseCount, 50)
    .option('--verify', 'check the whole log instead: has an entry been changed, moved or taken out?')
    .action(audit);
}

async function showStats(options: AdminOptions): Promise<void> {
  const stats = await askRelay(options.data, 'stats', {});
  show(options, stats, (found) =>
    columns([
      ['Relay', `${found.name}, running for ${describeDuration(found.uptimeSeconds)}`],
      ['Accounts', `${found.accounts}, of which ${found.suspendedAccounts} suspended`],
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

async function verify(target: Target, verified: boolean, options: AdminOptions): Promise<void> {
  const word = verified ? 'verified' : 'no longer verified';
  if ('handle' in target) {
    const result = await askRelay(options.data, 'verifyHandle', { handle: target.handle, verified });
    return show(options, result, ({ handle }) => `@${handle} is ${word}.`);
  }
  const result = await askRelay(options.data, 'verifyGroup', { id: target.group, verified });
  show(options, result, ({ id }) => `The group ${id} is ${word}.`);
}

async function suspend(account: AccountName, suspended: boolean, options: AdminOptions): Promise<void> {
  const result = await askRelay(options.data, 'suspend', { account, suspended });
  show(options, result, ({ address }) =>
    suspended
      ? `${address} is suspended: none of its credentials works, and its handle is hidden. What is sent to it is still stored for it.`
      : `${address} is let in again.`,
  );
}

async function listHandles(text: string, options: ListOptions): Promise<void> {
  const handles = await askRelay(options.data, 'handles', { text, limit: options.limit });
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
  const groups = await askRelay(options.data, 'groups', { text, limit: options.limit });
  show(options, groups, (found) =>
    found.length === 0
      ? 'No group fits.'
      : columns(
          found.map((group) => [
            group.id,
            group.name,
            `${group.members} members`,
            marks({ verified: group.verified }),
          ]),
        ),
  );
}

async function removeGroup(id: string, options: AdminOptions & { yesRemove?: string }): Promise<void> {
  if (options.yesRemove !== undefined) {
    const group = await askRelay(options.data, 'removeGroup', { id, name: options.yesRemove });
    return show(options, { removed: true, group }, () => `Removed: ${describeGroup(group)}`);
  }
  const group = await askRelay(options.data, 'findGroup', { id });
  show(options, { removed: false, group }, () =>
    [
      `This would be removed: ${describeGroup(group)}`,
      'Its members keep the messages that they have; nobody can post to it any more.',
      `Nothing was removed yet. To do it, add: --yes-remove '${group.name.replaceAll("'", `'\\''`)}'`,
    ].join('\n'),
  );
}

function describeGroup({ name, id, creator, members, tokens }: Group): string {
  return `“${name}” (${id}), made by ${creator}, with ${members} members and ${tokens} tokens.`;
}

async function backUp(file: string, options: AdminOptions): Promise<void> {
  const result = await askRelay(options.data, 'backup', { file: resolve(file) });
  show(
    options,
    result,
    ({ bytes }) => `${resolve(file)} holds ${describeBytes(bytes)}, readable by you alone.`,
  );
}

async function audit(options: ListOptions & { verify?: true }): Promise<void> {
  if (options.verify) return verifyAudit(options);
  const rows = await askRelay(options.data, 'audit', { limit: options.limit });
  show(options, rows, (found) =>
    found.length === 0
      ? 'Nothing has been written down yet.'
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
  const verdict = await askRelay(options.data, 'verifyAudit', {});
  if (verdict.problem === null) {
    return show(options, verdict, ({ rows, expired, head }) =>
      head === null
        ? 'Nothing has been written down yet.'
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
